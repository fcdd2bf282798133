/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_PARALLEL_H
#define PWRTRACE_PARALLEL_H

#include <glib.h>

/* Calls work once for each i below count, on as many threads as there are processors, and waits for
 * all of them.  The pieces of work must not depend on one another; context is shared. */
void parallel_for(guint count, void (*work)(guint i, void *context), void *context);

#endif
