/* SPDX-License-Identifier: MIT */
/*
 * Attribution: divides the energy that each source measured among executions, by a method.  The
 * model is not changed, so that several methods can be compared.
 *
 * An attribution keeps the balance of each source, and the fits.  It does not keep the energies of
 * executions, of which there are millions: attribution_visit() computes them in the order of time.
 */
#ifndef PWRTRACE_ATTRIBUTION_H
#define PWRTRACE_ATTRIBUTION_H

#include "analyzer/attribute/balance.h"
#include "analyzer/attribute/heldout.h"

struct attribution {
	const struct model *model;
	const struct method *method;
	const char *domain;       /* the domain that was asked for; NULL: whole devices */
	GArray *sources;          /* struct source */
	struct balance *balances; /* by source */
	GPtrArray *fits;          /* struct fit *: the fitted powers, where the method fits any */
	GPtrArray *heldouts;      /* struct heldout *: the held-out test of each fit */
	bool *measured; /* by index in model->gpus: its power was measured, or estimated */
	bool estimated; /* some of the energy is an estimate */
	bool can_fit;   /* some source has enough readings for a fit */
};

/* How to attribute. */
struct attribution_options {
	/* NULL: regress where some source has enough readings for a fit, else overlap. */
	const struct method *method;
	const char *domain;              /* as in sources_of */
	const struct fit_memory *memory; /* what other recordings tell; NULL: nothing */
};

/* Attributes the energy of a domain by a method.  The model and what the options point to must
 * outlive the result, which the caller frees with attribution_free. */
struct attribution *attribution_new(
	const struct model *model, const struct attribution_options *options);

/* The same with given sources (struct source), which the attribution then owns. */
struct attribution *attribution_of_sources(
	const struct model *model, const struct attribution_options *options, GArray *sources);

void attribution_free(struct attribution *attribution);

/* The held-out test of one of its fits. */
const struct heldout *attribution_heldout(
	const struct attribution *attribution, const struct fit *fit);

/* An execution and its energy. */
struct execution_energy {
	const struct model_execution *execution;
	uint64_t energy_nj;
	/* The fraction of it that is static power; NaN where some of the energy was not divided by
	 * fitted powers. */
	float static_part;
};

typedef void attribution_visitor(void *data, const struct execution_energy *attributed);

/* Calls visitor(data, ...) for each execution of the model, in the order in which they began. */
void attribution_visit(
	const struct attribution *attribution, attribution_visitor *visitor, void *data);

#endif
