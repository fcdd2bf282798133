/* SPDX-License-Identifier: MIT */
#include "analyzer/load/take.h"

#include "analyzer/model/collective.h"

void take_collective(struct loader *loader, unsigned trace, const struct pwrtrace_collective *e)
{
	bool known = e->size != PWRTRACE_UNKNOWN_U32;
	const struct model_collective collective = {
		.process = loader_process(loader, trace, e->process),
		.tid = e->tid,
		.communicator = e->communicator == PWRTRACE_UNKNOWN_U64 ? 0 : e->communicator,
		.rank = e->rank,
		.ranks = known ? e->size : 0,
		.sequence = e->sequence == PWRTRACE_UNKNOWN_U32 ? 0 : e->sequence,
		.peer = e->peer,
		.bytes = e->bytes,
		.kind = loader_text(loader, e->kind),
		.call = {e->begin_ns, e->end_ns},
		.met_ns = PWRTRACE_UNKNOWN_U64};

	g_array_append_val(loader->model->collectives->list, collective);
}
