/* SPDX-License-Identifier: MIT */
/* Watts as text, whatever the program's locale. */
#ifndef PWRTRACE_WATTS_H
#define PWRTRACE_WATTS_H

#include <stdint.h>

/* Reads "312.75" as 312750 mW; rounds what is finer.  Returns what follows it in the text, or NULL
 * where there is no number of at most a gigawatt and not below zero. */
const char *watts_parse_mw(const char *text, uint64_t *power_mw);

#endif
