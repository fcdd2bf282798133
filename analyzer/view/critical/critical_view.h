/* SPDX-License-Identifier: MIT */
/* What pwrtrace critical prints: each function writes an answer (const struct critical_answer *).
 */
#ifndef PWRTRACE_CRITICAL_VIEW_H
#define PWRTRACE_CRITICAL_VIEW_H

#include <stdio.h>

#include "analyzer/critical/critical.h"

void critical_put_text(FILE *out, const void *answer);
void critical_put_json(FILE *out, const void *answer);
void critical_put_csv(FILE *out, const void *answer);

#endif
