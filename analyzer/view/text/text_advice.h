/* SPDX-License-Identifier: MIT */
/* What would make wide intervals narrower: a line for each sensor whose are wide. */
#ifndef PWRTRACE_TEXT_ADVICE_H
#define PWRTRACE_TEXT_ADVICE_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"

/* Writes nothing of a sensor by which the intervals are narrow, or whose forecast is not known. */
void text_put_advice(FILE *out, const struct ledger *ledger);

#endif
