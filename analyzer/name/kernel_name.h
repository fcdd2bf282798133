/* SPDX-License-Identifier: MIT */
/* What kernels are called in reports.  The caller frees what these return. */
#ifndef PWRTRACE_KERNEL_NAME_H
#define PWRTRACE_KERNEL_NAME_H

#include "analyzer/model/model.h"

/* The name as its language writes it, with parameters; as it is where it was not mangled. */
char *kernel_name_full(const char *name);

/* Without template arguments, parameters and return type. */
char *kernel_name_short(const char *name);

/* Without namespaces, too. */
char *kernel_name_bare(const char *name);

/* "512×512 /16×16 4096 B": the work-items and those of a group, as many dimensions as it uses; and
 * a group's shared memory, where it has some. */
char *kernel_name_shape(const struct model_kernel *kernel);

/* "copy 4096 B" */
char *kernel_name_memory_shape(const char *kind, uint64_t bytes);

/* "graph of 17 nodes (gemm, softmax, ...)", after its most numerous kernels. */
char *kernel_name_graph(const struct model_process *process, const struct model_graph *graph);

/* "17 nodes 3f2a9c01": how many, and the beginning of the graph's signature. */
char *kernel_name_graph_shape(const struct model_graph *graph);

#endif
