/* SPDX-License-Identifier: MIT */
/*
 * What the files of this format share.  Numbers of fields and enumerations are those of Perfetto's
 * published protos/perfetto/trace/trace_packet.proto and what that includes.
 */
#ifndef PWRTRACE_PERFETTO_TRACE_H
#define PWRTRACE_PERFETTO_TRACE_H

#include "analyzer/ledger/ledger.h"
#include "analyzer/view/perfetto/packet.h"

enum {
	PACKET_CLOCKS = 6,
	PACKET_TIME = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_GPU_COUNTERS = 52,
	PACKET_GPU_STAGE = 53,
	PACKET_TIME_CLOCK = 58,
	PACKET_TRACK = 60
};
enum { BEGINS_INTERNED = 1, NEEDS_INTERNED = 2 }; /* of PACKET_FLAGS */
#define CLOCK_IS_MONOTONIC 3
enum { TRACK_EVENT_BEGIN = 1, TRACK_EVENT_END, TRACK_EVENT_INSTANT, TRACK_EVENT_COUNTER };

/* Whose tracks have which numbers: of each kind those from 0 on. */
enum perfetto_kind {
	PERFETTO_PROCESS = 1, /* by index in model->processes */
	PERFETTO_LAUNCHES,    /* likewise */
	PERFETTO_THREAD,      /* by thread of the timeline */
	PERFETTO_POWER        /* by index in model->gpus */
};

struct perfetto_trace {
	FILE *out;
	const struct ledger *ledger;
	GByteArray *packet, *event, *part, *inner; /* empty, unless one is being made */
};

/* The number of a track. */
static inline uint64_t perfetto_track(enum perfetto_kind kind, uint32_t number)
{
	return (uint64_t)kind << 32 | number;
}

/* The number that readers tell a process by: its pid, where no other process has the same. */
uint64_t perfetto_pid(const struct model *model, guint process);

/* Writes trace->event as the event of a packet at a time. */
void perfetto_put_event(struct perfetto_trace *trace, guint field, uint64_t time_ns);

/* Begins an event of a track in trace->event. */
void perfetto_begin_track_event(struct perfetto_trace *trace, guint type, uint64_t track);

/* Writes what a track is: parent and unit may be 0 and NULL. */
void perfetto_put_track(struct perfetto_trace *trace, uint64_t track, uint64_t parent,
	const char *name, const char *unit);

/* Writes what sensors measured of power, and clock rates. */
void perfetto_put_counters(struct perfetto_trace *trace);

/* Writes a slice for each time that a thread had a layer open. */
void perfetto_put_layers(struct perfetto_trace *trace);

/* Writes executions, their launches, and the power that follows from their energies. */
void perfetto_put_executions(struct perfetto_trace *trace);

#endif
