/* SPDX-License-Identifier: MIT */
/* Call stacks of a trace, which are addresses, as paths in the tree of the model's calls
 * (call_tree.h), with the names of functions that the files of this machine give (symbols.h). */
#ifndef PWRTRACE_CALL_PATHS_H
#define PWRTRACE_CALL_PATHS_H

#include "analyzer/model/model.h"

struct call_paths;

/* Gives the model its calls.  Nothing is looked up before it is asked for: files are large. */
struct call_paths *call_paths_new(struct model *model);
void call_paths_free(struct call_paths *paths);

/* The node of the function that launched what is of an origin: the end of its call stack.  The
 * program's, where no stack was taken. */
uint32_t call_paths_of(struct call_paths *paths, const struct model_origin *origin);

/* Sets call of all origins of the program's own: what ran, below that node. */
void call_paths_resolve(struct call_paths *paths);

#endif
