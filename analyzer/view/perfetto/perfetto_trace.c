/* SPDX-License-Identifier: MIT */
#include "analyzer/view/perfetto/perfetto_trace.h"

#define PIDS_MAX (UINT64_C(1) << 22) /* Linux has no greater ones */

static uint32_t pid_of(const struct model *model, guint process)
{
	return g_array_index(model->processes, struct model_process, process).pid;
}

uint64_t perfetto_pid(const struct model *model, guint process)
{
	uint64_t pid = pid_of(model, process);

	for (guint i = 0; i < process; i++)
		if (pid_of(model, i) == pid)
			return PIDS_MAX * process + pid;
	return pid;
}

void perfetto_put_event(struct perfetto_trace *trace, guint field, uint64_t time_ns)
{
	packet_put_count(trace->packet, PACKET_TIME, time_ns);
	packet_put_count(trace->packet, PACKET_TIME_CLOCK, CLOCK_IS_MONOTONIC);
	packet_put_count(trace->packet, PACKET_SEQUENCE, 1);
	packet_put_count(trace->packet, PACKET_FLAGS, NEEDS_INTERNED);
	packet_put_message(trace->packet, field, trace->event);
	packet_write(trace->out, trace->packet);
}

void perfetto_begin_track_event(struct perfetto_trace *trace, guint type, uint64_t track)
{
	packet_put_count(trace->event, 9, type);
	packet_put_count(trace->event, 11, track);
}

void perfetto_put_track(struct perfetto_trace *trace, uint64_t track, uint64_t parent,
	const char *name, const char *unit)
{
	packet_put_count(trace->event, 1, track);
	packet_put_text(trace->event, 2, name);
	if (parent)
		packet_put_count(trace->event, 5, parent);
	if (unit) {
		packet_put_text(trace->part, 6, unit);
		packet_put_message(trace->event, 8, trace->part);
	}
	packet_put_count(trace->packet, PACKET_SEQUENCE, 1);
	packet_put_message(trace->packet, PACKET_TRACK, trace->event);
	packet_write(trace->out, trace->packet);
}
