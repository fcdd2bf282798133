/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_TRACE_SURVIVE_H
#define PWRTRACE_TRACE_SURVIVE_H

#include <stdbool.h>

/* Runs a function of a library that aborts where its input is damaged, and says at length where in
 * its code: nothing is said on stderr meanwhile.  Returns false where it did: what it held then is
 * lost, and must not be touched again. */
bool survive(void (*run)(void *data), void *data);

#endif
