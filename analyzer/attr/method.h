/* SPDX-License-Identifier: MIT */
/* Attribution methods: one file each and one row in method.c. */
#ifndef PWRTRACE_METHOD_H
#define PWRTRACE_METHOD_H

#include "analyzer/attr/ledger.h"
#include "analyzer/model/source.h"

struct method {
	const char *name;
	const char *help;
	/* Splits the energy of a source into the balance, and, where the source is top-level, adds
	 * each execution's part to its energy_nj. */
	void (*attribute)(
		struct model *model, const struct source *source, struct ledger_balance *balance);
};

extern const struct method *const methods[]; /* ended by NULL */
const struct method *method_find(const char *name);

extern const struct method method_overlap;

#endif
