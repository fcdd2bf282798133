/* SPDX-License-Identifier: MIT */
/*
 * The loaded modules, for threads of ours.  The C library holds the loader's lock while it goes
 * through them, and a child that is forked meanwhile can never take it: so no thread of ours goes
 * through them while the program forks.
 */
#ifndef PWRTRACE_LOADED_MODULES_H
#define PWRTRACE_LOADED_MODULES_H

#include <link.h>

/* As dl_iterate_phdr. */
int loaded_modules_each(
	int (*each)(struct dl_phdr_info *object, size_t size, void *data), void *data);

/* On the thread that forks; after it in the parent and in the child. */
void loaded_modules_before_fork(void);
void loaded_modules_after_fork(void);

#endif
