/* SPDX-License-Identifier: MIT */
/*
 * In which layer each node of autograd's graphs was made.
 *
 * PyTorch numbers the nodes that a thread makes, and keeps that number and the thread's in the
 * node: its profiler tells by them which forward operation a node belongs to, and so do we.  Each
 * thread notes the number at which its layer changes, which is all that a module's call costs for
 * the backward pass; there, a node's layer is found by bisection.
 */
#ifndef PWRTRACE_LAYER_TORCH_NODES_H
#define PWRTRACE_LAYER_TORCH_NODES_H

#include <stdbool.h>
#include <stdint.h>

/* Finds the functions of PyTorch that number nodes; library: a handle of dlopen's through which its
 * symbols are found.  Returns what it lacks, or NULL; before, and without them, no layer is noted.
 */
const char *torch_nodes_number(void *library);

/* Notes that layer, 0 for none, is where the calling thread makes nodes from now on. */
void torch_nodes_note(uint32_t layer);

/* Whether a node (torch::autograd::Node) was made by an operation, and then the layer of that: 0
 * for none, and where it is not known.  What accumulates a parameter's gradient was not. */
bool torch_nodes_layer(const void *node, uint32_t *layer);

#endif
