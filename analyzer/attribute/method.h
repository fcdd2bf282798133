/* SPDX-License-Identifier: MIT */
/* Attribution methods: one file each and one row in method.c. */
#ifndef PWRTRACE_METHOD_H
#define PWRTRACE_METHOD_H

#include "analyzer/ledger/ledger.h"
#include "analyzer/model/source.h"

struct method {
	const char *name;
	const char *help;
	/* Splits the energy of a source into the balance, and, where the source is top-level, adds
	 * each execution's part to its energy_nj.  One that fits a model to the readings appends
	 * it to fits (struct fit *). */
	void (*attribute)(struct model *model, const struct source *source,
		struct ledger_balance *balance, GPtrArray *fits);
};

extern const struct method *const methods[]; /* ended by NULL */
const struct method *method_find(const char *name);

/* The method for what was measured: regress, where a sensor says enough for it; else overlap. */
const struct method *method_default(const struct model *model, const GArray *sources);

extern const struct method method_regress;
extern const struct method method_overlap;
extern const struct method method_linear;
extern const struct method method_hold;

/* What overlap does, with another curve of the same source. */
void overlap_spread(struct model *model, const struct source *source, const GArray *curve,
	struct ledger_balance *balance);

#endif
