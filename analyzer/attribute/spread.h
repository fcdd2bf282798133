/* SPDX-License-Identifier: MIT */
/*
 * Attribution without fitted powers: the energy of an interval is spread evenly over its time, and
 * that of each moment is split equally among the executions that run; where none runs it is idle.
 */
#ifndef PWRTRACE_SPREAD_H
#define PWRTRACE_SPREAD_H

#include "analyzer/attribute/balance.h"
#include "analyzer/attribute/energies.h"
#include "analyzer/model/curve.h"
#include "analyzer/model/source.h"

struct spread;

/* Where results go; each may be NULL. */
struct spread_sinks {
	struct balance *balance;   /* is added to */
	struct energies *energies; /* is added to */
};

/* Begins to divide the energy of a source by a curve (method_curve).  The model, the source and the
 * curve must outlive the spread; free with spread_free. */
struct spread *spread_new(const struct model *model, const struct source *source,
	const GArray *curve, const struct spread_sinks *sinks);

/* Divides all intervals that begin before a time, which must not decrease from call to call. */
void spread_until(struct spread *spread, uint64_t until_ns);
void spread_free(struct spread *spread);

#endif
