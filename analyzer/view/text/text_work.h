/* SPDX-License-Identifier: MIT */
/* Joules per unit of work. */
#ifndef PWRTRACE_TEXT_WORK_H
#define PWRTRACE_TEXT_WORK_H

#include "analyzer/view/view.h"

void text_put_work(FILE *out, const struct ledger *ledger, const struct view_options *options);

#endif
