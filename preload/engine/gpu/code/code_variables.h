/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_CODE_VARIABLES_H
#define PWRTRACE_CODE_VARIABLES_H

#include <elf.h>

#include "preload/engine/gpu/code/code_source.h"

/* Returns the names of a code object's variables that kernels may change, each with a space before
 * and after it, for free().  NULL if they are unknown, the code object is damaged or memory runs
 * out.  *constants: whether it has others that kernels may read; only set where the names are
 * known. Any thread. */
char *code_variables(const struct code_source *source, const Elf64_Ehdr *head, bool *constants);

#endif
