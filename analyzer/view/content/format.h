/* SPDX-License-Identifier: MIT */
/* A format of reports: a row of formats.def and a file of its own. */
#ifndef PWRTRACE_FORMAT_H
#define PWRTRACE_FORMAT_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"
#include "analyzer/view/content/options.h"

struct format {
	const char *name;
	const char *help;
	void (*write)(FILE *out, const struct ledger *ledger, const struct view_options *options);
	/* In place of write, of a format that is a directory of files: writes them into one that is
	 * there.  Returns whether all was written. */
	bool (*write_directory)(const char *directory, const struct ledger *ledger,
		const struct view_options *options);
	/* It shows layers and call stacks too, whatever rows are: these must have been loaded. */
	bool whole;
};

#define FORMAT(name) extern const struct format format_##name;
#include "analyzer/view/content/formats.def"
#undef FORMAT

#endif
