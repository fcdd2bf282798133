/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_TEXT_WARNINGS_H
#define PWRTRACE_TEXT_WARNINGS_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"
#include "analyzer/view/content/options.h"

/* Writes a line for each reason to doubt the numbers: readings left out, sensors that disagree or
 * whose response is uncertain, a sensor that always says the same. */
void text_put_warnings(FILE *out, const struct ledger *ledger, const struct view_options *options);

#endif
