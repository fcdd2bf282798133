/* SPDX-License-Identifier: MIT */
/*
 * In which layer each node of autograd's graphs was made.
 *
 * PyTorch numbers the nodes that a thread makes, and keeps that number and the thread's in the
 * node: its profiler tells by them which forward operation a node belongs to, and so do we.  Each
 * thread notes the number at which its layer changes, which is all that a module's call costs for
 * the backward pass; there, a node's layer is searched for near that of the node before.
 */
#ifndef PWRTRACE_LAYER_TORCH_NODES_H
#define PWRTRACE_LAYER_TORCH_NODES_H

#include <stdbool.h>
#include <stdint.h>

/* How PyTorch numbers nodes: the number that the calling thread's next node will have
 * (at::sequence_number::peek), and the thread's own (at::RecordFunction::currentThreadId).  Before
 * this is said no layer is noted. */
void torch_nodes_number(uint64_t (*next)(void), uint64_t (*thread)(void));

/* Notes that layer, 0 for none, is where the calling thread makes nodes from now on. */
void torch_nodes_note(uint32_t layer);

/* Whether a node (torch::autograd::Node) was made by an operation, and then the layer of that: 0
 * for none, and where it is not known.  What accumulates a parameter's gradient was not. */
bool torch_nodes_layer(const void *node, uint32_t *layer);

#endif
