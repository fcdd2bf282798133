/* SPDX-License-Identifier: MIT */
/* The text report's section on clocks. */
#ifndef PWRTRACE_TEXT_CLOCKS_H
#define PWRTRACE_TEXT_CLOCKS_H

#include "analyzer/view/content/options.h"
#include "analyzer/view/text/text_name.h"

/* Says at what clock each row ran and how much of its time it was throttled; nothing where the
 * trace has no clocks. */
void text_put_clocks(FILE *out, const struct ledger *ledger, const struct text_names *names,
	const struct view_options *options);

#endif
