/* SPDX-License-Identifier: MIT */
/* The members with which the JSON of each command begins, described in pwrtrace-json(5).  Each
 * function writes a comma behind the last one. */
#ifndef PWRTRACE_JSON_HEAD_H
#define PWRTRACE_JSON_HEAD_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"

/* Opens the object, with all of them: schema, trace, method, estimated, tags, coverage. */
void json_put_head(FILE *out, const char *schema, const struct ledger *ledger);

/* Opens the object, up to estimated. */
void json_put_opening(FILE *out, const char *schema, const struct ledger *ledger);

/* An array of the directories that were read. */
void json_put_traces(FILE *out, const char *key, const struct model *model);

/* A key is there once: where recordings differ in its value, with an array of them. */
void json_put_tags(FILE *out, const struct model *model);

/* What is missing from the traces. */
void json_put_coverage(FILE *out, const struct ledger *ledger);

#endif
