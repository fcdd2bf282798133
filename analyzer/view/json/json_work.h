/* SPDX-License-Identifier: MIT */
/* What the work and its iterations cost, in JSON. */
#ifndef PWRTRACE_JSON_WORK_H
#define PWRTRACE_JSON_WORK_H

#include <stdio.h>

#include "analyzer/ledger/iterations.h"
#include "analyzer/view/content/options.h"

/* The members "work" and, where there are any, "iterations". */
void json_put_work(FILE *out, const struct ledger *ledger, const struct view_options *options);
void json_put_iterations(FILE *out, const struct ledger *ledger);

/* Members first_j, steady_j and spread_j, without a comma behind them. */
void json_put_steps(FILE *out, const struct ledger_steps *steps);

#endif
