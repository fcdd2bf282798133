/* SPDX-License-Identifier: MIT */
/* The text report's section on what counters tell. */
#ifndef PWRTRACE_TEXT_UTILIZATION_H
#define PWRTRACE_TEXT_UTILIZATION_H

#include "analyzer/view/content/options.h"
#include "analyzer/view/text/text_name.h"

/* Says how busy each row kept the parts of the device; nothing where they were not counted. */
void text_put_utilization(FILE *out, const struct ledger *ledger, const struct text_names *names,
	const struct view_options *options);

#endif
