/* SPDX-License-Identifier: MIT */
/* Joules per unit of work. */
#ifndef PWRTRACE_TEXT_WORK_H
#define PWRTRACE_TEXT_WORK_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"
#include "analyzer/view/content/options.h"

void text_put_work(FILE *out, const struct ledger *ledger, const struct view_options *options);

#endif
