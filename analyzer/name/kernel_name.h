/* SPDX-License-Identifier: MIT */
/* Readable names of kernels and other functions, from names as in the trace, which may be mangled.
 * A name that is not mangled is returned as it is.  The caller frees the result with g_free. */
#ifndef PWRTRACE_KERNEL_NAME_H
#define PWRTRACE_KERNEL_NAME_H

/* Demangled, with template arguments and parameters. */
char *kernel_name_full(const char *name);

/* Demangled, without template arguments, parameters and return type. */
char *kernel_name_short(const char *name);

/* The same without namespaces. */
char *kernel_name_bare(const char *name);

#endif
