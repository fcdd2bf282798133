/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_CTF_ANALYSES_H
#define PWRTRACE_CTF_ANALYSES_H

#include <stdbool.h>

/* Writes pwrtrace.xml, the analyses of the trace for Trace Compass, into a directory.  Returns
 * whether it was written whole. */
bool ctf_analyses_write(const char *directory);

#endif
