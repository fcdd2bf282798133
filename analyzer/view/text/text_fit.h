/* SPDX-License-Identifier: MIT */
/* All that is known of a fit, for those who ask. */
#ifndef PWRTRACE_TEXT_FIT_H
#define PWRTRACE_TEXT_FIT_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"
#include "analyzer/regress/fit.h"

/* Where the response of a fit is from, for people. */
extern const char *const text_fit_origins[];

/* Counts its groups on from number, as rows do. */
void text_put_fit(FILE *out, const struct ledger *ledger, const struct fit *fit, guint *number);

#endif
