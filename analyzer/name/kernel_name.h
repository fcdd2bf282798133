/* SPDX-License-Identifier: MIT */
/* The names of kernels, and of other functions, as people write them: demangled, and without what
 * tables have no room for.  The caller frees what these return with g_free. */
#ifndef PWRTRACE_KERNEL_NAME_H
#define PWRTRACE_KERNEL_NAME_H

/* The name as its language writes it, with parameters; as it is where it was not mangled. */
char *kernel_name_full(const char *name);

/* Without template arguments, parameters and return type. */
char *kernel_name_short(const char *name);

/* Without namespaces, too. */
char *kernel_name_bare(const char *name);

#endif
