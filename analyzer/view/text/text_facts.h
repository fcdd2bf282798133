/* SPDX-License-Identifier: MIT */
/* Sections of the text report about the recording itself. */
#ifndef PWRTRACE_TEXT_FACTS_H
#define PWRTRACE_TEXT_FACTS_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"

/* How much ran, and what is missing or doubtful. */
void text_put_coverage(FILE *out, const struct ledger *ledger);

/* The sensors, as they describe themselves. */
void text_put_sensors(FILE *out, const struct ledger *ledger);

/* Tags and marks; nothing where there are none. */
void text_put_words(FILE *out, const struct model *model);

#endif
