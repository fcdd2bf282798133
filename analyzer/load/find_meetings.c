/* SPDX-License-Identifier: MIT */
#include "analyzer/load/find_meetings.h"

#include <string.h>

#include "analyzer/model/collective.h"

static struct model_collective *collective_at(const struct model *model, guint i)
{
	return &g_array_index(model->collectives->list, struct model_collective, i);
}

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

void find_meetings(struct model *model)
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
