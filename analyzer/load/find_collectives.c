/* SPDX-License-Identifier: MIT */
#include "analyzer/load/find_collectives.h"

#include <string.h>

#include "analyzer/model/collective.h"

/* Collectives of one thread that one call launched. */
struct group {
	guint first, length; /* in the list of collectives */
};

/* An execution and the group that launched it. */
struct tie {
	uint64_t begin_ns; /* of the execution */
	guint group;
};

struct collective_ties {
	GArray *groups; /* struct group */
	GArray *list;   /* struct tie, in the order of executions */
};

static struct model_collective *collective_at(const struct model *model, guint i)
{
	return &g_array_index(model->collectives->list, struct model_collective, i);
}

static const struct group *group_at(const struct collective_ties *ties, guint i)
{
	return &g_array_index(ties->groups, struct group, i);
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

static void find_groups(const struct model *model, GArray *groups)
{
	for (guint i = 0; i < model->collectives->list->len; i++) {
		const struct group fresh = {i, 1};

		if (i && by_call(collective_at(model, i - 1), collective_at(model, i)) == 0)
			g_array_index(groups, struct group, groups->len - 1).length++;
		else
			g_array_append_val(groups, fresh);
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

static uint32_t work_number(GArray *works, const struct model_collective_work *wanted)
{
	for (guint i = 0; i < works->len; i++) {
		const struct model_collective_work *work =
			&g_array_index(works, struct model_collective_work, i);

		if (work->kind == wanted->kind && work->bytes == wanted->bytes &&
			work->ranks == wanted->ranks)
			return i + 1;
	}
	g_array_append_vals(works, wanted, 1);
	return works->len;
}

static void set_work(struct model *model, const struct group *group)
{
	struct model_collective_work work = {.kind = kinds_of(model, group)};
	uint32_t number;

	for (guint i = 0; i < group->length; i++) {
		const struct model_collective *one = collective_at(model, group->first + i);

		work.bytes =
			one->bytes == PWRTRACE_UNKNOWN_U64 || work.bytes == PWRTRACE_UNKNOWN_U64
				? PWRTRACE_UNKNOWN_U64
				: work.bytes + one->bytes;
		work.ranks = MAX(work.ranks, one->ranks);
	}
	number = work_number(model->collectives->works, &work);
	for (guint i = 0; i < group->length; i++)
		collective_at(model, group->first + i)->work = number;
}

/* ---- which executions are whose ---- */

/* The group whose call a thread was in at some time; the number of groups: none. */
static guint find_group(const struct model *model, const struct collective_ties *ties,
	const struct model_collective *when)
{
	guint low = 0, high = ties->groups->len;
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
	found = collective_at(model, group_at(ties, low - 1)->first);
	return found->process == when->process && found->tid == when->tid &&
			       when->call.begin_ns <= found->call.end_ns
		       ? low - 1
		       : ties->groups->len;
}

static void tie(struct loader *loader, struct collective_ties *ties, guint i)
{
	struct model *model = loader->model;
	struct model_execution *execution = mapped_array_at(model->executions, i);
	const struct launch_call *call = mapped_array_at(loader->calls, i);
	struct model_origin origin = *model_origin_of(model, execution);
	const struct model_collective when = {.process = origin.process,
		.tid = call->tid,
		.call.begin_ns = execution->launched_ns};
	struct tie added = {execution->begin_ns, find_group(model, ties, &when)};

	if (execution->launched_ns == PWRTRACE_UNKNOWN_U64 || added.group == ties->groups->len)
		return;
	g_array_append_val(ties->list, added);
	origin.collective = collective_at(model, group_at(ties, added.group)->first)->work;
	execution->origin = origins_number(model->origins, &origin);
}

struct collective_ties *collectives_tie(struct loader *loader)
{
	struct model *model = loader->model;
	struct collective_ties *ties = g_new(struct collective_ties, 1);

	ties->groups = g_array_new(FALSE, FALSE, sizeof(struct group));
	ties->list = g_array_new(FALSE, FALSE, sizeof(struct tie));
	if (!model->collectives->list->len)
		return ties;
	g_array_sort(model->collectives->list, by_call);
	find_groups(model, ties->groups);
	for (guint i = 0; i < ties->groups->len; i++)
		set_work(model, group_at(ties, i));
	for (guint i = 0; i < model->executions->len; i++)
		tie(loader, ties, i);
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
		group = group_at(ties, g_array_index(ties->list, struct tie, runs->len).group);
		run.collective = group->first;
		note_execution(model, group, i);
		g_array_append_val(runs, run);
	}
}

/* ---- meetings ---- */

/* The ranks that did the same collective. */
struct meeting {
	uint32_t number; /* from 1 */
	guint ranks;
	uint64_t last_ns; /* when the last of them began */
};

/* A text that is the same for all ranks of a collective.  Clocks of two machines cannot be
 * compared. g_free it. */
static char *key_of(const struct model *model, const struct model_collective *one)
{
	const char *machine =
		g_array_index(model->processes, struct model_process, one->process).machine;
	bool sends = strcmp(one->kind, "send") == 0, receives = strcmp(one->kind, "recv") == 0;

	if (sends || receives)
		return g_strdup_printf("%" G_GUINT64_FORMAT " %u from %u to %u %s",
			one->communicator, one->sequence, sends ? one->rank : one->peer,
			sends ? one->peer : one->rank, machine);
	return g_strdup_printf("%" G_GUINT64_FORMAT " %u %s %s", one->communicator, one->sequence,
		one->kind, machine);
}

static bool is_comparable(const struct model_collective *one)
{
	return one->executions && one->communicator && one->sequence && one->ranks;
}

static guint expected_ranks(const struct model_collective *one)
{
	return strcmp(one->kind, "send") == 0 || strcmp(one->kind, "recv") == 0 ? 2 : one->ranks;
}

static void find_meetings(struct model *model)
{
	GHashTable *meetings = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	guint count = model->collectives->list->len;
	const struct meeting **of = g_new0(const struct meeting *, count + 1);

	for (guint i = 0; i < count; i++) {
		const struct model_collective *one = collective_at(model, i);
		struct meeting *meeting;
		char *key;

		if (!is_comparable(one))
			continue;
		key = key_of(model, one);
		meeting = g_hash_table_lookup(meetings, key);
		if (meeting) {
			g_free(key);
		} else {
			meeting = g_new0(struct meeting, 1);
			meeting->number = g_hash_table_size(meetings) + 1;
			g_hash_table_insert(meetings, key, meeting);
		}
		meeting->ranks++;
		meeting->last_ns = MAX(meeting->last_ns, one->span.begin_ns);
		of[i] = meeting;
	}
	for (guint i = 0; i < count; i++) {
		struct model_collective *one = collective_at(model, i);

		if (of[i] && of[i]->ranks == expected_ranks(one)) {
			one->met_ns = of[i]->last_ns;
			one->meeting = of[i]->number;
		}
		model->collectives->not_run += !one->executions;
		model->collectives->not_met +=
			one->executions && one->met_ns == PWRTRACE_UNKNOWN_U64;
	}
	g_free(of);
	g_hash_table_destroy(meetings);
}

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
		const struct group *group =
			group_at(ties, g_array_index(ties->list, struct tie, i).group);
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
