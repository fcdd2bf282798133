/* SPDX-License-Identifier: MIT */
/* What pwrtrace report --domains prints: each function writes a struct domains_shown. */
#ifndef PWRTRACE_DOMAINS_VIEW_H
#define PWRTRACE_DOMAINS_VIEW_H

#include <stdio.h>

#include "analyzer/domains/domains.h"
#include "analyzer/view/content/options.h"

struct domains_shown {
	const struct domains *domains; /* one at least */
	const struct view_options *options;
	bool relative; /* text has powers as parts of the largest of their domain */
};

void domains_put_text(FILE *out, const void *shown);
void domains_put_json(FILE *out, const void *shown);
void domains_put_csv(FILE *out, const void *shown);

/* The rows to show (guint), in their order; the caller frees the array. */
GArray *domains_rows(const struct domains_shown *shown);

#endif
