/* SPDX-License-Identifier: MIT */
/* The critical path: what, one after the other, set the time from the first launch to the last end.
 */
#ifndef PWRTRACE_CRITICAL_PATH_H
#define PWRTRACE_CRITICAL_PATH_H

#include "analyzer/critical/graph.h"

/* Of what it is made, in nanoseconds; they add up to the span. */
struct critical_pieces {
	uint64_t device_ns; /* something ran */
	uint64_t launch_ns; /* from when something could begin until it did */
	uint64_t host_ns;   /* between waits and launches, and until a wait returned */
	uint64_t peer_ns;   /* from the end on one device to the begin on another that waited */
};

/* Follows the path from the last end backwards, each time to what was ready last.  Sets critical_ns
 * of the nodes on it. */
struct critical_pieces critical_path(struct critical_graph *graph);

#endif
