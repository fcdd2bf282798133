/* SPDX-License-Identifier: MIT */
/* What pwrtrace power prints: each function writes a study (const struct power_study *). */
#ifndef PWRTRACE_POWER_VIEW_H
#define PWRTRACE_POWER_VIEW_H

#include <stdio.h>

#include "analyzer/power/study.h"

void power_put_text(FILE *out, const void *study);
void power_put_json(FILE *out, const void *study);
void power_put_csv(FILE *out, const void *study);

/* Whether the sum says more than the devices. */
static inline bool power_shows_sum(const struct power_study *study)
{
	return study->sum.device && study->records->len > 1;
}

#endif
