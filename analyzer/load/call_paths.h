/* SPDX-License-Identifier: MIT */
/* Call stacks of a trace, which are addresses, as paths in the tree of the model's calls
 * (call_tree.h), with the names of functions that the files of this machine give (symbols.h). */
#ifndef PWRTRACE_CALL_PATHS_H
#define PWRTRACE_CALL_PATHS_H

#include "analyzer/model/model.h"

struct call_paths;

/* Makes the model's call tree, which is empty at first: functions are looked up only when they are
 * asked for, since that takes long in large files.  Free with call_paths_free; the tree stays. */
struct call_paths *call_paths_new(struct model *model);
void call_paths_free(struct call_paths *paths);

/* The node of the function that launched an origin, the innermost of its call stack; the node of
 * the program, where no stack was recorded. */
uint32_t call_paths_of(struct call_paths *paths, const struct model_origin *origin);

/* Sets the field call of all origins that are not replays, to a node with the name of the kernel
 * (or of what else ran) below that node. */
void call_paths_resolve(struct call_paths *paths);

#endif
