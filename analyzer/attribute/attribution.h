/* SPDX-License-Identifier: MIT */
/*
 * What a method makes of a model: whose the energy is that each source measured.  The model stays
 * as it is, so that it can be attributed by several methods side by side.
 *
 * An attribution keeps the balance of each source and the fits.  The energies of executions, of
 * which there are millions, it does not keep: they are made as executions are visited, in the order
 * of time.
 */
#ifndef PWRTRACE_ATTRIBUTION_H
#define PWRTRACE_ATTRIBUTION_H

#include "analyzer/attribute/balance.h"
#include "analyzer/attribute/heldout.h"

struct attribution {
	const struct model *model;
	const struct method *method;
	const char *domain;       /* whose energy it is; NULL: that of whole devices */
	GArray *sources;          /* struct source */
	struct balance *balances; /* by source */
	GPtrArray *fits;     /* struct fit *: what powers were found, where the method has any */
	GPtrArray *heldouts; /* struct heldout *: what a test of each fit says */
	bool *measured;      /* by device (as in model->gpus): its power was, or was estimated */
	bool estimated;      /* some of the energy is an estimate */
	bool can_fit;        /* some source has readings enough for powers to be found */
};

/* Attributes the energy of a domain, as that of sources_of, by a method; NULL: by regress where
 * some sensor says enough for it, else by overlap.  The model and the domain must outlive it. */
struct attribution *attribution_new(
	const struct model *model, const struct method *method, const char *domain);

/* The same of sources (struct source) that are given, which it takes over. */
struct attribution *attribution_of_sources(
	const struct model *model, const struct method *method, GArray *sources);

void attribution_free(struct attribution *attribution);

/* The test of one of its fits. */
const struct heldout *attribution_heldout(
	const struct attribution *attribution, const struct fit *fit);

/* An execution and its energy. */
struct execution_energy {
	const struct model_execution *execution;
	uint64_t energy_nj;
	/* The part of it, 0 to 1, that the device would have drawn in any case; NaN where no powers
	 * were fitted that explain all of the energy. */
	float static_part;
};

typedef void attribution_visitor(void *data, const struct execution_energy *attributed);

/* Calls for each execution of the model, in the order in which they began. */
void attribution_visit(
	const struct attribution *attribution, attribution_visitor *visitor, void *data);

#endif
