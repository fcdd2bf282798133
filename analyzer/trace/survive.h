/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_TRACE_SURVIVE_H
#define PWRTRACE_TRACE_SURVIVE_H

#include <stdbool.h>

/* Calls run(data) such that the process survives SIGABRT, SIGFPE and SIGBUS in it: libbabeltrace2
 * aborts on some damaged traces.  What is written to stderr meanwhile (a long report of the failed
 * assertion) is dropped.  Returns false where a signal ended run: what run had allocated is leaked,
 * and may be in any state. */
bool survive(void (*run)(void *data), void *data);

#endif
