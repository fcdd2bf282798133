/* SPDX-License-Identifier: MIT */
/* What does not go well, in a text report: a line each. */
#ifndef PWRTRACE_TEXT_DOUBTS_H
#define PWRTRACE_TEXT_DOUBTS_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"
#include "analyzer/view/content/options.h"

void text_put_doubts(FILE *out, const struct ledger *ledger, const struct view_options *options);

#endif
