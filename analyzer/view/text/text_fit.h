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

/* Of the methods but regress, how far off the best one is on unseen time; infinite: unknown. */
double text_fit_best_other(const struct fit *fit);

#endif
