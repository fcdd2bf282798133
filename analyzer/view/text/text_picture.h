/* SPDX-License-Identifier: MIT */
/* The power of devices over the time of a recording, drawn in block characters. */
#ifndef PWRTRACE_TEXT_PICTURE_H
#define PWRTRACE_TEXT_PICTURE_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"

/* Draws each source that was measured and counts in totals, columns wide, before an empty line;
 * nothing where there are none, or where columns are too few.  A column is the mean over its part
 * of the time; a dot where that is not known. */
void text_put_pictures(FILE *out, const struct ledger *ledger, int columns);

#endif
