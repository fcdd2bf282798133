/* SPDX-License-Identifier: MIT */
/*
 * Energy without powers: an interval's energy is spread evenly over its time, and what falls on a
 * moment is split equally among the executions that run then; with none running it is idle.
 */
#ifndef PWRTRACE_SPREAD_H
#define PWRTRACE_SPREAD_H

#include "analyzer/attribute/balance.h"
#include "analyzer/attribute/energies.h"
#include "analyzer/model/curve.h"
#include "analyzer/model/source.h"

struct spread;

/* Who is told what: each may be NULL. */
struct spread_sinks {
	struct balance *balance;   /* added to */
	struct energies *energies; /* of executions, added to */
	/* What an execution (its index in the model), or the idle device (MODEL_NONE), got of the
	 * energy of an interval in length_ns. */
	void (*share)(void *data, const struct curve_interval *interval, uint32_t execution,
		uint64_t energy_nj, uint64_t length_ns);
	void *data;
};

/* curve: that of the source, or another one of the same energy (method.h); it is borrowed. */
struct spread *spread_new(const struct model *model, const struct source *source,
	const GArray *curve, const struct spread_sinks *sinks);

/* Goes on to all intervals that begin before a time, which must not decrease. */
void spread_until(struct spread *spread, uint64_t until_ns);
void spread_free(struct spread *spread);

#endif
