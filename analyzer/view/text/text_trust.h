/* SPDX-License-Identifier: MIT */
/* What a text report says about its method: which sensor and response, how well the fit explains
 * it and what other methods would have said, what could not be told apart and how wide intervals
 * are, a line each; and what does not go well. */
#ifndef PWRTRACE_TEXT_TRUST_H
#define PWRTRACE_TEXT_TRUST_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"
#include "analyzer/view/content/options.h"

/* Nothing where no power is known. */
void text_put_trust(FILE *out, const struct ledger *ledger, const struct view_options *options);

#endif
