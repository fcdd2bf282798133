/* SPDX-License-Identifier: MIT */
/* All that is known of a fit: what -v adds to a text report. */
#ifndef PWRTRACE_TEXT_FIT_H
#define PWRTRACE_TEXT_FIT_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"
#include "analyzer/regress/fit.h"

/* Writes where the response of a fit is from. */
void text_put_origin(FILE *out, const struct found_response *found);

/* Writes it.  Its groups are numbered on from *number, as those of rows are. */
void text_put_fit(FILE *out, const struct ledger *ledger, const struct fit *fit, guint *number);

#endif
