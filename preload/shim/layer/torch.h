/* SPDX-License-Identifier: MIT */
/*
 * The layer source "torch": the modules of PyTorch, by
 * preload/shim/layer/python/pwrtrace/torch_layers.py, which python.c runs while torch is imported.
 * Layers are opened and closed in the calling thread.
 */
#ifndef PWRTRACE_LAYER_TORCH_H
#define PWRTRACE_LAYER_TORCH_H

#include <stdbool.h>
#include <stdint.h>

/* Whether this thread is in a layer of PyTorch's. */
bool torch_inside(void);

/* Opens a layer, and closes the last one. */
void torch_enter(const char *name);
void torch_leave(void);

/* Opens the layer of a module, a Python object, within one of PyTorch's layers; returns false where
 * the thread is in none.  torch_enter_module finds the layer that torch_enter_named has opened for
 * the module at the same place, else it returns false.  torch_forget_modules is to be called when a
 * module is gone or has another name.  The calling thread holds the interpreter's lock. */
bool torch_enter_module(const void *module);
bool torch_enter_named(const void *module, const char *name);
void torch_forget_modules(void);

/* Finds what the backward pass needs of PyTorch, or says what it lacks; library: a handle of
 * dlopen's through which PyTorch's symbols are found. */
void torch_find_backward(void *library);

/* Opens the phase "backward", unless this thread is within it.  As long as it is open, and in any
 * thread, each node of autograd's graphs that is evaluated is in the layer of the phase that has
 * the names of the one where its forward operation ran. */
void torch_begin_backward(void);
void torch_end_backward(void);

/* Within the phase, after a pass that has not failed: says once if none of its nodes was seen. */
void torch_check_backward(void);

#endif
