/* SPDX-License-Identifier: MIT */
/* What reports call that which executions of an origin ran: a kernel, a graph or a memory
 * operation. The caller frees what these return. */
#ifndef PWRTRACE_ORIGIN_NAME_H
#define PWRTRACE_ORIGIN_NAME_H

#include "analyzer/model/model.h"

/* A kernel's name without template arguments, parameters and return type; "graph 3f2a9c01"; the
 * call that copied; what is not defined stands in parentheses. */
char *origin_name_short(const struct model *model, const struct model_origin *origin);

/* "512×512 /16×16 4096 B": the work-items and those of a group, as many dimensions as it uses; and
 * a group's shared memory, where it has some. */
char *origin_name_kernel_shape(const struct model_kernel *kernel);

/* "copy 4096 B" */
char *origin_name_memory_shape(const char *kind, uint64_t bytes);

/* "graph of 17 nodes (gemm, softmax, ...)", after its most numerous kernels. */
char *origin_name_graph(const struct model_process *process, const struct model_graph *graph);

/* "17 nodes 3f2a9c01": how many, and the beginning of the graph's signature. */
char *origin_name_graph_shape(const struct model_graph *graph);

#endif
