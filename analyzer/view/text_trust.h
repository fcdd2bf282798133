/* SPDX-License-Identifier: MIT */
/* What a text report says about its method: which sensor and response, how well the fit explains
 * it, what could not be told apart, and what other methods would have said. */
#ifndef PWRTRACE_TEXT_TRUST_H
#define PWRTRACE_TEXT_TRUST_H

#include <stdio.h>

#include "analyzer/attr/ledger.h"

/* Nothing where the method finds no powers. */
void text_put_trust(FILE *out, const struct ledger *ledger);

/* What two sensors of one domain say of the same time; nothing where there are no two. */
void text_put_disagreements(FILE *out, const struct ledger *ledger);

#endif
