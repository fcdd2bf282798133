/* SPDX-License-Identifier: MIT */
/*
 * The layer source "torch": the modules of PyTorch, by
 * preload/shim/layer/python/pwrtrace/torch_layers.py, which python.c runs while torch is imported.
 * All of these act on the calling thread.
 */
#ifndef PWRTRACE_LAYER_TORCH_H
#define PWRTRACE_LAYER_TORCH_H

#include <stdbool.h>
#include <stdint.h>

/* Whether this thread is in a layer of PyTorch's. */
bool torch_inside(void);

/* Opens a layer, whose id it returns, and closes the last one. */
uint32_t torch_enter(const char *name);
void torch_leave(void);

/* Opens the phase "backward", unless this thread is within it, and says that it is in its layer
 * that autograd's threads now work.  Returns that layer. */
uint32_t torch_begin_backward(void);
void torch_end_backward(void);

/* The backward pass gets to what was made in layer, of the forward pass: until it says so of
 * another one, this thread is in the layer of the same names below the backward phase. */
void torch_reach(uint32_t layer);

/* The layer in which layer lies, 0 for none. */
uint32_t torch_parent(uint32_t layer);

#endif
