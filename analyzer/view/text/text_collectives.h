/* SPDX-License-Identifier: MIT */
/* The rows of a report by collective: a line for each kind and size. */
#ifndef PWRTRACE_TEXT_COLLECTIVES_H
#define PWRTRACE_TEXT_COLLECTIVES_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"
#include "analyzer/view/content/options.h"

void text_put_collectives(
	FILE *out, const struct ledger *ledger, const struct view_options *options);

#endif
