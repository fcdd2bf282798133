/* SPDX-License-Identifier: MIT */
/*
 * The call stacks of all processes as one tree: a node is a function under its caller, below the
 * name of the program.  Two stacks that go through the same functions are one path, wherever in
 * them the calls stand.
 */
#ifndef PWRTRACE_CALLS_H
#define PWRTRACE_CALLS_H

#include <glib.h>
#include <stdint.h>

#include "analyzer/name/symbols.h"

#define CALLS_ROOT 0 /* above the programs; has no name */

struct calls;

struct calls *calls_new(void);
void calls_free(struct calls *calls); /* NULL is fine */

/* The node of a function that a node calls, made where it is new.  Functions are the same where
 * their names and their modules' are the same strings; they outlive the tree. */
uint32_t calls_child(struct calls *calls, uint32_t node, const struct symbol *function);

uint32_t calls_parent(const struct calls *calls, uint32_t node);
const struct symbol *calls_function(const struct calls *calls, uint32_t node);

/* The names from the program to the node (const char *); free the array. */
GPtrArray *calls_names(const struct calls *calls, uint32_t node);

#endif
