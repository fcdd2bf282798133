/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_LAYER_PYTHON_H
#define PWRTRACE_LAYER_PYTHON_H

#include <stdbool.h>

/* Where this process is a Python interpreter that has not started yet, it finds the package
 * pwrtrace by `import pwrtrace`, whatever its path. */
void python_offer_module(void);

/* Whether a source of layers is wanted that runs within Python. */
bool python_wanted(void);

/* An interpreter looks for the entry point of an extension module, whose handle of dlopen's is
 * module; the calling thread holds its lock.  Where it is PyTorch's, puts our hooks in place, once.
 */
void python_imports(void *module, const char *entry_point);

#endif
