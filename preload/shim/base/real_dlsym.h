/* SPDX-License-Identifier: MIT */
/* What stands behind the functions of libc that we override, found without help of libc. */
#ifndef PWRTRACE_REAL_DLSYM_H
#define PWRTRACE_REAL_DLSYM_H

#include <stdbool.h>

/* strcmp may not be resolved yet where dlsym is called. */
static inline bool same_name(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

/* Returns the first definition behind our own in the global scope, or NULL. */
void *real_definition(const char *name);

/* Whether the program itself defines a name and exports it. */
bool program_defines(const char *name);

typedef void *dlsym_function(void *handle, const char *name);

/* The dlsym that we override: libc's, or that of another interposer. */
dlsym_function *real_dlsym_function(void);
void *real_dlsym(void *handle, const char *name);

/* Whether this library was preloaded, and not opened by the program later: as an OpenCL layer or
 * CUDA's injection, whose variables outlive an LD_PRELOAD that is taken away.  Known since the
 * constructor asked: later, more libraries stand behind this one. */
bool shim_preloaded(void);

#endif
