/* SPDX-License-Identifier: MIT */
/*
 * Which layer was the innermost open one of each thread, over time.
 *
 * The events of one thread are in the trace in the order in which they happened, though a push may
 * be written after its time (it is then dated by its begin_ns).  Closing a layer closes those
 * inside it. Where a thread closes a layer that it has not opened, the layer is closed in another
 * thread of the process that has it open.
 */
#ifndef PWRTRACE_TIMELINE_H
#define PWRTRACE_TIMELINE_H

#include "analyzer/model/model.h"

/* From time_ns on, this layer of the process is the innermost one of the thread; 0: none. */
struct timeline_switch {
	uint64_t time_ns;
	uint32_t process, layer;
	uint32_t thread; /* numbered from 0 over all processes */
	bool opens;      /* the layer; else one inside it was closed */
};

struct timeline {
	struct mapped_array *switches; /* struct timeline_switch, in the order of time */
	guint threads;
	uint64_t not_opened; /* how often a layer was closed that was not open */
	uint64_t not_closed; /* layers that were never closed, but for those of threads that work
			      * for another one; all of these end with their process */
};

/* The timeline of a model that was loaded with its layers; free with timeline_free. */
struct timeline *timeline_of(const struct model *model);
void timeline_free(struct timeline *timeline); /* NULL is fine */

#endif
