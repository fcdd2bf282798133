/* SPDX-License-Identifier: MIT */
/* What pwrtrace compare prints. */
#ifndef PWRTRACE_COMPARE_VIEW_H
#define PWRTRACE_COMPARE_VIEW_H

#include <stdio.h>

#include "analyzer/compare/judge.h"

struct compare_result {
	const struct comparison *comparison;
	const struct comparison_row *subject; /* what the verdict is about */
	enum figure figure;                   /* and which of its figures */
	const char *differs;                  /* what is not as was asked for; NULL: nothing */
	bool color;
};

/* Write a result (struct compare_result). */
void compare_put_text(FILE *out, const void *result);
void compare_put_json(FILE *out, const void *result);
void compare_put_csv(FILE *out, const void *result);

#endif
