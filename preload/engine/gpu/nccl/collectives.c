/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "preload/engine/core/lost.h"
#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/nccl/nccl.h"

/* Operations whose group has not ended, of all threads. */
static struct gpu_work *waiting;
static uint32_t waiting_count, waiting_room;

static void write(const struct gpu_work *work, const struct gpu_work *launch)
{
	const struct communicator *communicator = work->token;

	tp_collective(&(struct pwrtrace_collective){.process = process_number,
		.tid = work->tid,
		.communicator = communicator->id,
		.rank = communicator->rank,
		.size = communicator->size,
		.sequence = work->collective.sequence,
		.peer = work->collective.peer,
		.bytes = work->collective.bytes,
		.begin_ns = launch->enqueue_ns,
		.end_ns = launch->return_ns,
		.kind = work->call->collective_kind});
}

static void set_aside(const struct gpu_work *work)
{
	if (waiting_count == waiting_room) {
		uint32_t room = 2 * waiting_room + 64;
		struct gpu_work *more = realloc(waiting, room * sizeof(*more));

		if (!more) {
			lost_write("collective", "there was no memory for it", 1);
			return;
		}
		waiting = more;
		waiting_room = room;
	}
	waiting[waiting_count++] = *work;
}

static void write_group(const struct gpu_work *end)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < waiting_count; i++)
		if (waiting[i].correlation == end->correlation)
			write(&waiting[i], end);
		else
			waiting[kept++] = waiting[i];
	waiting_count = kept;
}

bool collectives_take(const struct gpu_work *work)
{
	if (work->kind == GPU_WORK_GROUP)
		write_group(work);
	else if (work->return_ns == PWRTRACE_UNKNOWN_U64)
		set_aside(work);
	else
		write(work, work);
	return true;
}

bool collectives_harvest(bool last)
{
	lost_write(
		"collective", "the program made too many communicators", communicators_refused());
	if (last) {
		lost_write("collective", "its group had not ended when the process did",
			waiting_count);
		waiting_count = 0;
	}
	return false;
}

void collectives_forget(void)
{
	waiting_count = 0;
}
