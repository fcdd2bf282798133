/* SPDX-License-Identifier: MIT */
/*
 * Going through the loaded modules without disturbing fork().  The C library holds the loader's
 * lock while dl_iterate_phdr runs.  If the program forked meanwhile, the child could never take
 * that lock: so fork() and this function exclude each other.
 */
#ifndef PWRTRACE_LOADED_MODULES_H
#define PWRTRACE_LOADED_MODULES_H

#include <link.h>

/* Like dl_iterate_phdr; any thread.  Takes a lock. */
int loaded_modules_each(
	int (*each)(struct dl_phdr_info *object, size_t size, void *data), void *data);

/* To be called on the forking thread before fork(), and after it in the parent and in the child. */
void loaded_modules_before_fork(void);
void loaded_modules_after_fork(void);

#endif
