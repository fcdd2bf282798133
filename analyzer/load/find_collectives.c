/* SPDX-License-Identifier: MIT */
#include "analyzer/load/find_collectives.h"

#include <string.h>

#include "analyzer/load/find_meetings.h"
#include "analyzer/model/collective.h"

/* Collectives of one thread that one call launched: all of them, or a part, those of one rank of
 * one communicator. */
struct group {
	guint first, length; /* in the list of collectives */
	guint parts;         /* how many follow it in the list of groups; 0: it is one itself */
	guint whole;         /* the group of all that the call launched */
	uint32_t exchange;
	bool has_kernel; /* whether the call launched a kernel; set for the whole alone */
};

/* An execution and the group that launched it. */
struct tie {
	uint64_t begin_ns; /* of the execution */
	guint execution, group;
	uint32_t device; /* process-local */
	bool is_kernel;
};

struct collective_ties {
	GArray *groups; /* struct group */
	GArray *list;   /* struct tie, in the order of executions */
};

static struct model_collective *collective_at(const struct model *model, guint i)
{
	return &g_array_index(model->collectives->list, struct model_collective, i);
}

static struct group *group_at(const struct collective_ties *ties, guint i)
{
	return &g_array_index(ties->groups, struct group, i);
}

static struct tie *tie_at(const struct collective_ties *ties, guint i)
{
	return &g_array_index(ties->list, struct tie, i);
}

static int order(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* ---- groups ---- */

static int by_call(gconstpointer a, gconstpointer b)
{
	const struct model_collective *x = a, *y = b;
	int processes = order(x->process, y->process), threads = order(x->tid, y->tid);

	return processes ? processes
	       : threads ? threads
			 : order(x->call.begin_ns, y->call.begin_ns);
}

static int by_part(gconstpointer a, gconstpointer b)
{
	const struct model_collective *x = a, *y = b;
	int calls = by_call(x, y), communicators = order(x->communicator, y->communicator);

	return calls ? calls : communicators ? communicators : order(x->rank, y->rank);
}

/* The number of collectives from one on that are equal to it. */
static guint run_length(const struct model *model, guint first, GCompareFunc compare)
{
	guint end = first + 1;

	while (end < model->collectives->list->len &&
		compare(collective_at(model, first), collective_at(model, end)) == 0)
		end++;
	return end - first;
}

static void find_groups(const struct model *model, GArray *groups)
{
	struct group whole = {.first = 0};

	for (; whole.first < model->collectives->list->len; whole.first += whole.length) {
		guint number = groups->len, end, i;

		whole.length = run_length(model, whole.first, by_call);
		whole.whole = number;
		g_array_append_val(groups, whole);
		end = whole.first + whole.length;
		if (run_length(model, whole.first, by_part) == whole.length)
			continue;
		for (i = whole.first; i < end;) {
			const struct group part = {.first = i,
				.length = run_length(model, i, by_part),
				.whole = number};

			g_array_append_val(groups, part);
			i += part.length;
		}
		g_array_index(groups, struct group, number).parts = groups->len - number - 1;
	}
}

static int by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The kinds of a group, each once, in an order that is the same on all ranks. */
static const char *kinds_of(struct model *model, const struct group *group)
{
	GPtrArray *kinds = g_ptr_array_new();
	const char *kept;
	char *joined;

	for (guint i = 0; i < group->length; i++) {
		const char *kind = collective_at(model, group->first + i)->kind;

		/* Equal texts of a model are the same pointer. */
		if (!g_ptr_array_find(kinds, kind, NULL))
			g_ptr_array_add(kinds, (gpointer)kind);
	}
	g_ptr_array_sort(kinds, by_text);
	g_ptr_array_add(kinds, NULL);
	joined = g_strjoinv("+", (char **)kinds->pdata);
	kept = g_string_chunk_insert_const(model->strings, joined);
	g_free(joined);
	g_ptr_array_free(kinds, TRUE);
	return kept;
}

static uint32_t exchange_number(GArray *exchanges, const struct model_exchange *wanted)
{
	for (guint i = 0; i < exchanges->len; i++) {
		const struct model_exchange *exchange =
			&g_array_index(exchanges, struct model_exchange, i);

		if (exchange->kind == wanted->kind && exchange->bytes == wanted->bytes &&
			exchange->ranks == wanted->ranks)
			return i + 1;
	}
	g_array_append_vals(exchanges, wanted, 1);
	return exchanges->len;
}

static void set_exchange(struct model *model, struct group *group)
{
	struct model_exchange exchange = {.kind = kinds_of(model, group)};

	for (guint i = 0; i < group->length; i++) {
		const struct model_collective *one = collective_at(model, group->first + i);

		exchange.bytes =
			one->bytes == PWRTRACE_UNKNOWN_U64 || exchange.bytes == PWRTRACE_UNKNOWN_U64
				? PWRTRACE_UNKNOWN_U64
				: exchange.bytes + one->bytes;
		exchange.ranks = MAX(exchange.ranks, one->ranks);
	}
	group->exchange = exchange_number(model->collectives->exchanges, &exchange);
	for (guint i = 0; i < group->length; i++)
		collective_at(model, group->first + i)->exchange = group->exchange;
}

/* ---- which executions are whose ---- */

/* The group of all that the call launched that a thread was in at some time; the number of groups:
 * none. */
static guint find_group(const struct model *model, const struct collective_ties *ties,
	const struct model_collective *when)
{
	guint low = 0, high = ties->groups->len, whole;
	const struct model_collective *found;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (by_call(collective_at(model, group_at(ties, middle)->first), when) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return ties->groups->len;
	whole = group_at(ties, low - 1)->whole;
	found = collective_at(model, group_at(ties, whole)->first);
	return found->process == when->process && found->tid == when->tid &&
			       when->call.begin_ns <= found->call.end_ns
		       ? whole
		       : ties->groups->len;
}

static void tie(const struct loader *loader, struct collective_ties *ties, guint i)
{
	const struct model *model = loader->model;
	const struct model_execution *execution = model_execution_at(model, i);
	const struct launch_call *call = mapped_array_at(loader->calls, i);
	const struct model_origin *origin = model_origin_of(model, execution);
	const struct model_stream *stream =
		table_find(model_process_of(model, origin)->streams, origin->stream);
	const struct model_collective when = {.process = origin->process,
		.tid = call->tid,
		.call.begin_ns = execution->launched_ns};
	const struct tie added = {.begin_ns = execution->begin_ns,
		.execution = i,
		.group = find_group(model, ties, &when),
		.device = stream ? stream->device : 0,
		.is_kernel = origin_is_kernel(origin)};

	if (execution->launched_ns == PWRTRACE_UNKNOWN_U64 || added.group >= ties->groups->len)
		return;
	g_array_append_val(ties->list, added);
	if (added.is_kernel)
		group_at(ties, added.group)->has_kernel = true;
}

/* The first calls of a communicator connect its ranks by copies and fills, which move none of the
 * program's data.  Where a call launched no kernel, its copies are the collective: of one rank
 * alone, or by copy engines. */
static void leave_out_connecting(const struct collective_ties *ties)
{
	guint kept = 0;

	for (guint i = 0; i < ties->list->len; i++) {
		const struct tie one = *tie_at(ties, i);

		if (one.is_kernel || !group_at(ties, one.group)->has_kernel)
			*tie_at(ties, kept++) = one;
	}
	g_array_set_size(ties->list, kept);
}

static int by_device(gconstpointer a, gconstpointer b)
{
	const struct tie *x = *(const struct tie *const *)a, *y = *(const struct tie *const *)b;

	return x->group != y->group ? order(x->group, y->group) : order(x->device, y->device);
}

/* Divides what one call launched among its parts: a thread with several devices has a rank on each,
 * by their numbers.  Else it belongs to all parts together. */
static void divide(const struct collective_ties *ties, struct tie *const *of_call, guint count)
{
	guint whole = of_call[0]->group, devices = 1, part = whole + 1;

	for (guint i = 1; i < count; i++)
		devices += of_call[i]->device != of_call[i - 1]->device;
	if (devices != group_at(ties, whole)->parts)
		return;
	for (guint i = 0; i < count; i++) {
		part += i && of_call[i]->device != of_call[i - 1]->device;
		of_call[i]->group = part;
	}
}

static void divide_calls(const struct collective_ties *ties)
{
	GPtrArray *sorted = g_ptr_array_new();

	for (guint i = 0; i < ties->list->len; i++)
		if (group_at(ties, tie_at(ties, i)->group)->parts)
			g_ptr_array_add(sorted, tie_at(ties, i));
	g_ptr_array_sort(sorted, by_device);
	for (guint i = 0, count; i < sorted->len; i += count) {
		struct tie *const *of_call = (struct tie *const *)&sorted->pdata[i];
		guint whole = of_call[0]->group;

		for (count = 1; i + count < sorted->len && of_call[count]->group == whole;)
			count++;
		divide(ties, of_call, count);
	}
	g_ptr_array_free(sorted, TRUE);
}

/* Sets the collective of the origins, and the exchange of collectives as their executions have it.
 */
static void set_origins(struct model *model, const struct collective_ties *ties)
{
	for (guint i = 0; i < ties->list->len; i++) {
		const struct group *group = group_at(ties, tie_at(ties, i)->group);
		struct model_execution *execution =
			mapped_array_at(model->executions, tie_at(ties, i)->execution);
		struct model_origin origin = *model_origin_of(model, execution);

		origin.collective = group->exchange;
		execution->origin = origins_number(model->origins, &origin);
		for (guint k = 0; k < group->length; k++)
			collective_at(model, group->first + k)->exchange = group->exchange;
	}
}

struct collective_ties *collectives_tie(struct loader *loader)
{
	struct model *model = loader->model;
	struct collective_ties *ties = g_new(struct collective_ties, 1);

	ties->groups = g_array_new(FALSE, FALSE, sizeof(struct group));
	ties->list = g_array_new(FALSE, FALSE, sizeof(struct tie));
	if (!model->collectives->list->len)
		return ties;
	g_array_sort(model->collectives->list, by_part);
	find_groups(model, ties->groups);
	for (guint i = 0; i < ties->groups->len; i++)
		set_exchange(model, group_at(ties, i));
	for (guint i = 0; i < model->executions->len; i++)
		tie(loader, ties, i);
	leave_out_connecting(ties);
	divide_calls(ties);
	set_origins(model, ties);
	return ties;
}

/* ---- runs ---- */

static int by_begin(gconstpointer a, gconstpointer b)
{
	const struct tie *x = a, *y = b;

	return order(x->begin_ns, y->begin_ns);
}

static void note_execution(struct model *model, const struct group *group, guint index)
{
	const struct model_execution *execution = model_execution_at(model, index);

	if (!model_is_timed(execution))
		return;
	for (guint i = group->first; i < group->first + group->length; i++) {
		struct model_collective *one = collective_at(model, i);

		if (!one->executions++) {
			one->execution = index;
			one->span.begin_ns = execution->begin_ns;
		}
		one->span.end_ns = MAX(one->span.end_ns, execution->end_ns);
	}
}

/* Executions and ties are sorted alike, so the next tie is that of the next execution that belongs
 * to a collective. */
static void make_runs(struct model *model, const struct collective_ties *ties)
{
	GArray *runs = model->collectives->runs;

	for (guint i = 0; i < model->executions->len && runs->len < ties->list->len; i++) {
		const struct group *group;
		struct model_collective_run run = {.execution = i};

		if (!model_origin_of(model, model_execution_at(model, i))->collective)
			continue;
		group = group_at(ties, tie_at(ties, runs->len)->group);
		run.collective = group->first;
		note_execution(model, group, i);
		g_array_append_val(runs, run);
	}
}

/* ---- waiting ---- */

/* When all ranks of all collectives of a group had begun; PWRTRACE_UNKNOWN_U64: not known. */
static uint64_t met_ns(const struct model *model, const struct group *group)
{
	uint64_t last_ns = 0;

	/* What is not known is the largest number. */
	for (guint i = 0; i < group->length; i++)
		last_ns = MAX(last_ns, collective_at(model, group->first + i)->met_ns);
	return last_ns;
}

static void set_waited(struct model *model, const struct collective_ties *ties)
{
	for (guint i = 0; i < model->collectives->runs->len; i++) {
		struct model_collective_run *run =
			&g_array_index(model->collectives->runs, struct model_collective_run, i);
		const struct model_execution *execution = model_execution_at(model, run->execution);
		const struct group *group = group_at(ties, tie_at(ties, i)->group);
		uint64_t last_ns = met_ns(model, group);

		run->waited_ns = PWRTRACE_UNKNOWN_U64;
		if (last_ns != PWRTRACE_UNKNOWN_U64 && model_is_timed(execution))
			run->waited_ns = CLAMP(last_ns, execution->begin_ns, execution->end_ns) -
					 execution->begin_ns;
	}
}

void collectives_finish(struct model *model, struct collective_ties *ties)
{
	g_array_sort(ties->list, by_begin);
	make_runs(model, ties);
	find_meetings(model);
	set_waited(model, ties);
	g_array_free(ties->groups, TRUE);
	g_array_free(ties->list, TRUE);
	g_free(ties);
}
