/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_JSON_ROWS_H
#define PWRTRACE_JSON_ROWS_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"
#include "analyzer/view/content/options.h"

/* The last member of a report, "rows", without a comma behind it. */
void json_put_rows(FILE *out, const struct ledger *ledger, const struct view_options *options);

#endif
