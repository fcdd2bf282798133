/* SPDX-License-Identifier: MIT */
/* All that is known of a fit: what -v adds to a text report. */
#ifndef PWRTRACE_TEXT_FIT_H
#define PWRTRACE_TEXT_FIT_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"
#include "analyzer/regress/fit.h"

/* By enum response_origin: where the response of a fit is from. */
extern const char *const text_fit_origins[];

/* Writes it.  Its groups are numbered on from *number, as those of rows are. */
void text_put_fit(FILE *out, const struct ledger *ledger, const struct fit *fit, guint *number);

#endif
