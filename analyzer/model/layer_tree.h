/* SPDX-License-Identifier: MIT */
/*
 * The layers of all processes as one tree: a node is a name under a parent.  Two processes, or two
 * runs, that name a layer alike under the same parents mean the same node; what a name consists of
 * means nothing.  Layers deeper than the tree may be are part of the deepest one that it has.
 */
#ifndef PWRTRACE_LAYER_TREE_H
#define PWRTRACE_LAYER_TREE_H

#include "analyzer/model/model.h"

#define LAYER_TREE_ROOT 0 /* above the outermost layers; has no name */
#define LAYER_TREE_DEPTH 256

struct layer_tree;

/* At most depth_max layers deep; 0, or more than LAYER_TREE_DEPTH: so many. */
struct layer_tree *layer_tree_new(guint depth_max);
void layer_tree_free(struct layer_tree *tree);

/* The node of a layer of the process, made where it is new.  Layer 0 and layers that the trace does
 * not define are nodes of their own, whose names stand in parentheses. */
uint32_t layer_tree_node(
	struct layer_tree *tree, const struct model_process *process, uint32_t layer);

uint32_t layer_tree_parent(const struct layer_tree *tree, uint32_t node);
const char *layer_tree_name(const struct layer_tree *tree, uint32_t node);

/* The names from the outermost layer to the node, joined by slashes, for people: a slash within a
 * name looks the same.  g_free it. */
char *layer_tree_path(const struct layer_tree *tree, uint32_t node);

/* The same names apart (const char *); free the array. */
GPtrArray *layer_tree_names(const struct layer_tree *tree, uint32_t node);

#endif
