/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_LAYER_PYTHON_H
#define PWRTRACE_LAYER_PYTHON_H

#include <stdbool.h>

/* Whether a source of layers is wanted that runs within Python. */
bool python_wanted(void);

/* An interpreter looks for the entry point of an extension module; the calling thread holds its
 * lock.  Where it is PyTorch's, puts our hooks in place, once. */
void python_imports(const char *entry_point);

#endif
