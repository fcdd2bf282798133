/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_CODE_VARIABLES_H
#define PWRTRACE_CODE_VARIABLES_H

#include <elf.h>

#include "preload/engine/gpu/code/code_source.h"

/* The names of a code object's variables that kernels may change, each with a space before and
 * behind it; the caller frees them.  NULL where it does not tell them, or is damaged, or memory
 * runs out. */
char *code_variables(const struct code_source *source, const Elf64_Ehdr *head);

#endif
