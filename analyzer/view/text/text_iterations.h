/* SPDX-License-Identifier: MIT */
/* What iterations cost, in all and by layer. */
#ifndef PWRTRACE_TEXT_ITERATIONS_H
#define PWRTRACE_TEXT_ITERATIONS_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"
#include "analyzer/view/content/options.h"

void text_put_iterations(
	FILE *out, const struct ledger *ledger, const struct view_options *options);

#endif
