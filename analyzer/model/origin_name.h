/* SPDX-License-Identifier: MIT */
/* Names and shapes, as reports print them, of what executions ran: a kernel, a graph or a memory
 * operation.  The caller frees the result with g_free. */
#ifndef PWRTRACE_ORIGIN_NAME_H
#define PWRTRACE_ORIGIN_NAME_H

#include "analyzer/model/collective.h"

/* A kernel's short name (kernel_name.h), "graph 3f2a9c01", or the API call of a memory operation;
 * in parentheses, "(unknown kernel)", where the trace does not define it. */
char *origin_name_short(const struct model *model, const struct model_origin *origin);

/* "512×512 /16×16 4096 B": the work-items, those of a group, in the dimensions in use, and a
 * group's shared memory, if any; and the exchange of its collective ("all_reduce 64 KiB"), NULL:
 * none.
 */
char *origin_name_kernel_shape(
	const struct model_kernel *kernel, const struct model_exchange *exchange);

/* "copy 4096 B"; "copy" where bytes is PWRTRACE_UNKNOWN_U64. */
char *origin_name_memory_shape(const char *kind, uint64_t bytes);

/* "graph of 17 nodes (gemm, softmax, ...)": its most frequent kernels. */
char *origin_name_graph(const struct model_process *process, const struct model_graph *graph);

/* "17 nodes 3f2a9c01": the number of nodes, and the beginning of the signature. */
char *origin_name_graph_shape(const struct model_graph *graph);

#endif
