/* SPDX-License-Identifier: MIT */
/*
 * The layers that each thread has open.
 *
 * A layer is a node of one tree per process: a name under a parent.  Pushing finds or makes the
 * node; nothing is written before a launch happens inside (the engine does that), so that an empty
 * range costs tens of nanoseconds and no byte of trace.  Lives in the shim, because a program
 * opens layers before it uses its GPU.
 */
#ifndef PWRTRACE_LAYER_STACK_H
#define PWRTRACE_LAYER_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/intern.h"

#define LAYER_DEPTH_MAX 128

struct layer_frame {
	uint32_t layer;    /* id in layer_tree */
	bool written;      /* its layer_push is in the trace */
	uint64_t begin_ns; /* CLOCK_MONOTONIC */
};

struct layer_stack {
	unsigned depth; /* may pass LAYER_DEPTH_MAX: deeper ranges count as part of the last kept */
	struct layer_frame frames[LAYER_DEPTH_MAX];
};

/* A node's key: its parent's id (0: none) and the source ("api" ...) and name, each with its
 * NUL. */
struct layer_key {
	uint32_t parent;
	char source_and_name[];
};

extern struct intern layer_tree;

/* The calling thread's stack. */
struct layer_stack *layer_stack(void);

void layer_push(const char *source, const char *name);

/* A pop without a push does nothing. */
void layer_pop(void);

#endif
