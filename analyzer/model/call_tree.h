/* SPDX-License-Identifier: MIT */
/*
 * The call stacks of all processes as one tree: a node is a function under its caller, below the
 * name of the program.  Two stacks that go through the same functions are one path, wherever in
 * them the calls stand.
 */
#ifndef PWRTRACE_CALL_TREE_H
#define PWRTRACE_CALL_TREE_H

#include <glib.h>
#include <stdint.h>

#include "analyzer/name/symbols.h"

#define CALL_TREE_ROOT 0 /* above the programs; has no name */

struct call_tree;

struct call_tree *call_tree_new(void);
void call_tree_free(struct call_tree *tree); /* NULL is fine */

/* The node of a function that a node calls, made where it is new.  Functions are the same where
 * their names and their modules' are the same strings; they outlive the tree. */
uint32_t call_tree_child(struct call_tree *tree, uint32_t node, const struct symbol *function);

uint32_t call_tree_parent(const struct call_tree *tree, uint32_t node);
const struct symbol *call_tree_function(const struct call_tree *tree, uint32_t node);

/* The names from the program to the node (const char *); free the array. */
GPtrArray *call_tree_names(const struct call_tree *tree, uint32_t node);

#endif
