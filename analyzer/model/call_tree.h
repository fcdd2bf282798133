/* SPDX-License-Identifier: MIT */
/*
 * The call stacks of all processes as one tree.  A node is a function under its caller; the
 * outermost nodes are programs.  Stacks through the same functions are the same path, whatever the
 * addresses of the calls.  Nodes are numbers, which are stable.
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

/* The node of a function that a node calls, made where it is new.  Functions are the same where the
 * strings of their name and module are the same pointers; the strings must outlive the tree. */
uint32_t call_tree_child(struct call_tree *tree, uint32_t node, const struct symbol *function);

/* The parent of a node, and its function, which belongs to the tree.  Not for CALL_TREE_ROOT. */
uint32_t call_tree_parent(const struct call_tree *tree, uint32_t node);
const struct symbol *call_tree_function(const struct call_tree *tree, uint32_t node);

/* The names from the program down to a node (const char *).  The caller frees the array. */
GPtrArray *call_tree_names(const struct call_tree *tree, uint32_t node);

#endif
