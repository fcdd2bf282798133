/* SPDX-License-Identifier: MIT */
/* How far to trust a text report: the sensor and its response, how well the fit explains the
 * readings and how far off it is on held-out time beside the best other method, how wide intervals
 * are and which kernels are not told apart, a line each; and warnings. */
#ifndef PWRTRACE_TEXT_TRUST_H
#define PWRTRACE_TEXT_TRUST_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"
#include "analyzer/view/content/options.h"

/* Writes nothing where no power is known. */
void text_put_trust(FILE *out, const struct ledger *ledger, const struct view_options *options);

#endif
