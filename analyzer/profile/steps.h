/* SPDX-License-Identifier: MIT */
/* The iterations of a program as runs, each of one execution: from the first to the last of what it
 * launched meanwhile. */
#ifndef PWRTRACE_STEPS_H
#define PWRTRACE_STEPS_H

#include "analyzer/ledger/iterations.h"
#include "analyzer/profile/runs.h"

/* The iterations on the device that ran most of them.  The caller frees the result with runs_free.
 */
struct runs *steps_find(const struct iterations *iterations);

#endif
