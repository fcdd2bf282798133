/* SPDX-License-Identifier: MIT */
/* The power of devices over the time of a recording, drawn in block characters. */
#ifndef PWRTRACE_TEXT_PICTURE_H
#define PWRTRACE_TEXT_PICTURE_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"

/* Draws each device whose power was measured and counts in totals, columns wide, before an empty
 * line; nothing where there are none, or where columns are too few.  A column is the mean over its
 * part of the time; a dot where that is not known.  Devices of several machines are drawn on one
 * axis by the time of day; those of a machine that does not know it, on one of their own. */
void text_put_pictures(FILE *out, const struct ledger *ledger, int columns);

#endif
