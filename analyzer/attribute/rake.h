/* SPDX-License-Identifier: MIT */
/*
 * Raking: from fitted powers to energies.  An execution gets its dynamic power times its duration,
 * and static power is shared equally by what runs at a moment.  Within each cell (a block of time
 * of up to five seconds) these energies, and that of idle time, are scaled by one factor, so that
 * they add up to the measured energy, exactly in nanojoules.
 */
#ifndef PWRTRACE_RAKE_H
#define PWRTRACE_RAKE_H

#include "analyzer/attribute/balance.h"
#include "analyzer/attribute/energies.h"
#include "analyzer/regress/fit.h"

struct rake;

/* How long before the intervals of a source's curve the power was drawn that they tell, in the
 * mean; may be negative.  fit: of the same devices, or NULL. */
int64_t rake_delay_ns(const struct source *source, const struct fit *fit);

/* Begins to divide the energy of a source by the powers of a fit.  With a balance, adds to the
 * balance, to fit->raked and to the sums of the fit's classes; with energies, adds to the energies
 * of executions.  The other one is NULL.  All arguments must outlive the rake; free with rake_free.
 */
struct rake *rake_new(const struct model *model, const struct source *source, struct fit *fit,
	struct balance *balance, struct energies *energies);

/* Divides all cells that begin before a time, which must not decrease from call to call. */
void rake_until(struct rake *rake, uint64_t until_ns);
void rake_free(struct rake *rake);

#endif
