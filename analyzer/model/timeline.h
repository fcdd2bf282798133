/* SPDX-License-Identifier: MIT */
/*
 * Which layers were open when: the innermost one of each thread.
 *
 * Of one thread, the events of layers are in the trace in the order in which they happened; a layer
 * that is opened without a launch is written late.  The end of a layer ends what is inside it; one
 * that another thread says is that of the last thread of the process that has it open.
 */
#ifndef PWRTRACE_TIMELINE_H
#define PWRTRACE_TIMELINE_H

#include "analyzer/model/model.h"

/* From then on this layer of the process is the innermost one of the thread; 0: none. */
struct timeline_switch {
	uint64_t time_ns;
	uint32_t process, layer;
	uint32_t thread; /* of all processes, counted from 0 */
};

/* A layer was opened. */
struct timeline_opening {
	uint64_t time_ns;
	uint32_t process, layer, thread;
};

struct timeline {
	GArray *switches; /* struct timeline_switch, in the order of time */
	GArray *openings; /* struct timeline_opening, of one thread in the order of time */
	guint threads;
	uint64_t not_opened; /* ends of layers that were not open */
	uint64_t not_closed; /* layers that never ended: they do where their process does */
};

/* From a model that was loaded with its layers. */
struct timeline *timeline_of(const struct model *model);
void timeline_free(struct timeline *timeline);

#endif
