/* SPDX-License-Identifier: MIT */
/* What a report took from a library of powers. */
#ifndef PWRTRACE_TEXT_LIBRARY_H
#define PWRTRACE_TEXT_LIBRARY_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"

/* Prints a line for each fit that had a library, and one where readings contradict it. */
void text_put_library(FILE *out, const struct ledger *ledger);

#endif
