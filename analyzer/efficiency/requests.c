/* SPDX-License-Identifier: MIT */
#include "analyzer/efficiency/requests.h"

#include <math.h>

#include "analyzer/efficiency/steps.h"
#include "analyzer/model/replays.h"
#include "analyzer/numeric/bisect.h"
#include "analyzer/print/message.h"

#define NO_STEP G_MAXUINT

struct request {
	struct efficiency_request result;
	uint32_t process;
	uint64_t begin_ns, first_ns, last_ns; /* arrival, first output token, last mark */
	double processed;                     /* tokens, with those that were cached */
};

/* The tokens of a request that a step processed. */
struct part {
	guint request, step;
	double input, output; /* of the tokens: of its input, and behind it */
};

struct search {
	const struct ledger *ledger;
	struct iterations *steps;
	GArray *requests;  /* struct request, by process, then by arrival */
	GArray *parts;     /* struct part */
	struct step *step; /* by iteration */
	GHashTable *open;  /* index in requests + 1, by name, of the process that is looked at */
};

/* ---- marks ---- */

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct model_mark_time *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

enum kind { REQUEST, TOKENS, CACHED, OTHER };

static enum kind kind_of(const struct model *model, const struct model_mark_time *time)
{
	static const char *const names[OTHER] = {
		[REQUEST] = "request", [TOKENS] = EFFICIENCY_MARK, [CACHED] = "cached"};
	const char *name = g_array_index(model->marks, struct model_mark, time->mark).name;
	enum kind kind = REQUEST;

	while (kind < OTHER && (!*time->of || strcmp(name, names[kind]) != 0))
		kind++;
	return kind;
}

/* All marks of requests (struct model_mark_time), by process and time.  The caller frees them. */
static GArray *marks_of_requests(const struct model *model)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct model_mark_time));

	for (guint i = 0; i < model->mark_times->len; i++) {
		const struct model_mark_time *time =
			&g_array_index(model->mark_times, struct model_mark_time, i);

		if (kind_of(model, time) != OTHER)
			g_array_append_vals(found, time, 1);
	}
	g_array_sort(found, by_time);
	return found;
}

/* The step that ends with a mark, or is the first to end behind it. */
static guint step_at(const struct search *search, const struct model_mark_time *mark)
{
	guint end = search->steps->first[mark->process + 1];
	guint found = BISECT(i, search->steps->first[mark->process], end,
		iterations_at(search->steps, i)->end_ns >= mark->time_ns);

	return found < end ? found : NO_STEP;
}

static struct request *request_of(const struct search *search, const struct model_mark_time *mark)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(search->open, mark->of));

	return number ? &g_array_index(search->requests, struct request, number - 1) : NULL;
}

static void begin_request(struct search *search, const struct model_mark_time *mark)
{
	struct request fresh = {
		.result = {.name = mark->of, .input = mark->value, .ttft_s = NAN, .tpot_s = NAN},
		.process = mark->process,
		.begin_ns = mark->time_ns};

	g_array_append_val(search->requests, fresh);
	g_hash_table_insert(
		search->open, (gpointer)mark->of, GUINT_TO_POINTER(search->requests->len));
}

static void add_tokens(
	struct search *search, struct request *request, const struct model_mark_time *mark)
{
	double missing = MAX(request->result.input - request->processed, 0);
	struct part part = {
		.request = (guint)(request - (struct request *)(void *)search->requests->data),
		.step = step_at(search, mark),
		.input = MIN(missing, mark->value),
		.output = MAX(mark->value - missing, 0)};
	double came_out = mark->value < missing ? 0 : part.output + (missing > 0);

	request->processed += mark->value;
	request->last_ns = mark->time_ns;
	if (came_out > 0 && !request->first_ns)
		request->first_ns = mark->time_ns;
	request->result.output += came_out;
	if (part.step == NO_STEP)
		return;
	search->step[part.step].tokens += mark->value;
	search->step[part.step].output += came_out;
	search->step[part.step].requests++;
	g_array_append_val(search->parts, part);
}

/* Whether a request of that name has a mark later in the process. */
static bool begins_later(const GArray *marks, guint i, const struct model *model)
{
	const struct model_mark_time *at = &g_array_index(marks, struct model_mark_time, i);

	for (guint k = i + 1; k < marks->len; k++) {
		const struct model_mark_time *later =
			&g_array_index(marks, struct model_mark_time, k);

		if (later->process == at->process && later->of == at->of &&
			kind_of(model, later) == REQUEST)
			return true;
	}
	return false;
}

/* Returns false after an error message. */
static bool take_mark(struct search *search, const GArray *marks, guint i)
{
	const struct model_mark_time *mark = &g_array_index(marks, struct model_mark_time, i);
	const struct model *model = search->ledger->model;
	enum kind kind = kind_of(model, mark);
	struct request *request = request_of(search, mark);

	if (!(mark->value >= 0)) {
		message_error("a mark of request %s says no number of tokens", mark->of);
		return false;
	}
	if (kind == REQUEST) {
		begin_request(search, mark);
	} else if (!request) {
		message_error(
			begins_later(marks, i, model)
				? "request %s ends before it begins: a mark tokens#%s is "
				  "before request#%s"
				: "request %s does not begin: there is a mark tokens#%s and no "
				  "request#%s",
			mark->of, mark->of, mark->of);
		return false;
	} else if (kind == TOKENS) {
		add_tokens(search, request, mark);
	} else {
		request->processed += mark->value;
	}
	return true;
}

static bool take_marks(struct search *search, const GArray *marks)
{
	for (guint i = 0; i < marks->len; i++) {
		const struct model_mark_time *mark =
			&g_array_index(marks, struct model_mark_time, i);

		if (i && mark[-1].process != mark->process)
			g_hash_table_remove_all(search->open);
		if (!take_mark(search, marks, i))
			return false;
	}
	return true;
}

/* ---- results ---- */

static void cost_steps(const struct search *search)
{
	GArray *served = g_array_new(FALSE, FALSE, sizeof(struct served));

	for (guint i = 0; i < search->requests->len; i++) {
		const struct request *request = &g_array_index(search->requests, struct request, i);
		struct served span = {request->process, request->begin_ns, request->last_ns};

		if (request->last_ns)
			g_array_append_val(served, span);
	}
	steps_cost(search->ledger, search->steps, served, search->step);
	g_array_free(served, TRUE);
}

static void add_to_phase(struct efficiency_phase *phase, const struct step *step, double tokens)
{
	if (!(tokens > 0))
		return;
	phase->amount += tokens;
	phase->energy_j += step->energy_j * tokens / step->tokens;
	phase->time_s += step->time_s * tokens / step->tokens;
}

static void divide_steps(const struct search *search, GArray *phases)
{
	struct efficiency_phase prefill = {.name = "prefill", .unit = "token", .ci95_j = NAN};
	struct efficiency_phase decode = {.name = "decode", .unit = "token", .ci95_j = NAN};

	for (guint i = 0; i < search->parts->len; i++) {
		const struct part *part = &g_array_index(search->parts, struct part, i);
		const struct step *step = &search->step[part->step];
		struct request *request =
			&g_array_index(search->requests, struct request, part->request);

		if (step->tokens > 0)
			request->result.energy_j +=
				step->energy_j * (part->input + part->output) / step->tokens;
		add_to_phase(&prefill, step, part->input);
		add_to_phase(&decode, step, part->output);
	}
	g_array_append_val(phases, prefill);
	g_array_append_val(phases, decode);
}

static void add_steady(
	const struct search *search, uint32_t process, struct efficiency_steady *steady)
{
	guint begin = search->steps->first[process], end = search->steps->first[process + 1];
	guint most = 0;

	for (guint i = begin; i < end; i++)
		most = MAX(most, search->step[i].requests);
	while (begin < end && search->step[begin].requests < most)
		begin++;
	while (end > begin && search->step[end - 1].requests < most)
		end--;
	for (guint i = begin; i < end; i++) {
		steady->energy_j += search->step[i].energy_j;
		steady->tokens += search->step[i].output;
	}
}

/* replays: by process. */
static void finish_request(
	struct request *request, const GPtrArray *replays, struct efficiency_steady *steady)
{
	struct efficiency_request *result = &request->result;

	if (!(result->output > 0))
		return;
	result->ttft_s = (double)replays_left_ns(
				 replays, request->process, request->begin_ns, request->first_ns) /
			 1e9;
	steady->output += result->output;
	steady->requests++;
	if (!(result->output > 1))
		return;
	result->tpot_s = (double)replays_left_ns(
				 replays, request->process, request->first_ns, request->last_ns) /
			 1e9 / (result->output - 1);
	steady->gap_s += result->tpot_s;
	steady->gaps++;
}

static void finish(struct search *search, struct efficiency_run *run, double *tokens)
{
	GPtrArray *replays = replays_by_process(search->ledger->model);

	cost_steps(search);
	for (guint i = 0; i < iterations_processes(search->steps); i++)
		add_steady(search, i, &run->steady);
	divide_steps(search, run->phases);
	for (guint i = 0; i < search->requests->len; i++) {
		struct request *request = &g_array_index(search->requests, struct request, i);

		finish_request(request, replays, &run->steady);
		g_array_append_val(run->requests, request->result);
	}
	g_ptr_array_unref(replays);
	*tokens = run->steady.output;
}

static bool refuse_stepless(void)
{
	message_error("there are requests, and no two steps with marks tokens#ID of theirs");
	return false;
}

static bool divide(
	struct efficiency_run *run, struct iterations *steps, const GArray *marks, double *tokens)
{
	struct search search = {.ledger = run->ledger,
		.steps = steps,
		.requests = g_array_new(FALSE, FALSE, sizeof(struct request)),
		.parts = g_array_new(FALSE, FALSE, sizeof(struct part)),
		.step = g_new0(struct step, steps->list->len + 1),
		.open = g_hash_table_new(NULL, NULL)};
	bool fine = take_marks(&search, marks) && (search.parts->len || refuse_stepless());

	if (fine)
		finish(&search, run, tokens);
	g_free(search.step);
	g_hash_table_destroy(search.open);
	g_array_free(search.parts, TRUE);
	g_array_free(search.requests, TRUE);
	return fine;
}

bool requests_find(struct efficiency_run *run, double *tokens)
{
	GArray *marks = marks_of_requests(run->ledger->model);
	struct iterations *steps = efficiency_steps(run->ledger);
	bool fine = true;

	if (marks->len)
		fine = steps ? divide(run, steps, marks, tokens) : refuse_stepless();
	g_array_free(marks, TRUE);
	return fine;
}
