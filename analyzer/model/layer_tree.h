/* SPDX-License-Identifier: MIT */
/*
 * The layers of all processes as one tree.  A node is a name under a parent: layers of two
 * processes with the same names under the same parents are the same node.  Nodes are numbers, which
 * are stable. Layers below the largest depth of the tree belong to their ancestor at that depth.
 */
#ifndef PWRTRACE_LAYER_TREE_H
#define PWRTRACE_LAYER_TREE_H

#include "analyzer/model/model.h"

#define LAYER_TREE_ROOT 0 /* above the outermost layers; has no name */
#define LAYER_TREE_DEPTH 256

struct layer_tree;

/* depth_max: the largest depth; 0, or more than LAYER_TREE_DEPTH, stands for LAYER_TREE_DEPTH. */
struct layer_tree *layer_tree_new(guint depth_max);
void layer_tree_free(struct layer_tree *tree);

/* The node of a layer of a process (its id there), made where it is new.  Layer 0, "(no layer)",
 * and layers that the trace does not define, "(unknown layer)", have nodes of their own. */
uint32_t layer_tree_node(
	struct layer_tree *tree, const struct model_process *process, uint32_t layer);

/* The parent of a node, and its name.  Not for LAYER_TREE_ROOT. */
uint32_t layer_tree_parent(const struct layer_tree *tree, uint32_t node);
const char *layer_tree_name(const struct layer_tree *tree, uint32_t node);

/* The names from the outermost layer down to a node, joined by slashes, for people to read: slashes
 * within names are not escaped.  The caller frees it with g_free. */
char *layer_tree_path(const struct layer_tree *tree, uint32_t node);

/* The same names as an array (const char *), which the caller frees. */
GPtrArray *layer_tree_names(const struct layer_tree *tree, uint32_t node);

#endif
