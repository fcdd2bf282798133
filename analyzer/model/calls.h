/* SPDX-License-Identifier: MIT */
/*
 * The call stacks of all processes as one tree: a node is a function under its caller, below the
 * name of the program.  Two stacks that go through the same functions are one path, wherever in
 * them the calls stand.
 */
#ifndef PWRTRACE_CALLS_H
#define PWRTRACE_CALLS_H

#include "analyzer/model/model.h"
#include "analyzer/name/symbols.h"

#define CALLS_ROOT 0 /* above the programs; has no name */

struct calls;

struct calls *calls_new(void);
void calls_free(struct calls *calls);

/* The node of the call stack of an origin, made where it is new.  Below the program, where none
 * was taken. */
uint32_t calls_of(
	struct calls *calls, const struct model *model, const struct model_origin *origin);

/* The node of a function, or a kernel, that a node calls. */
uint32_t calls_child(struct calls *calls, uint32_t node, const char *name);

uint32_t calls_parent(const struct calls *calls, uint32_t node);
const struct symbol *calls_function(const struct calls *calls, uint32_t node);

/* The names from the program to the node (const char *); free the array. */
GPtrArray *calls_names(const struct calls *calls, uint32_t node);

#endif
