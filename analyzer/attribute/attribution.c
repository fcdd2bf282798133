/* SPDX-License-Identifier: MIT */
#include "analyzer/attribute/attribution.h"

#include "analyzer/attribute/rake.h"
#include "analyzer/attribute/spread.h"
#include "analyzer/model/spans.h"

static const struct source *source_at(const struct attribution *attribution, guint i)
{
	return &g_array_index(attribution->sources, struct source, i);
}

/* ---- the energy of one source, split ---- */

/* A source whose energy is being divided: by fitted powers (rake), or evenly over a power curve
 * (spread and curve).  What is not in use is NULL. */
struct source_split {
	struct rake *rake;
	struct spread *spread;
	GArray *curve;
};

/* Begins to divide the energy of source i.  balance, or energies, are added to; the other is NULL.
 */
static struct source_split begin_split(const struct attribution *attribution, guint i,
	struct balance *balance, struct energies *energies)
{
	const struct model *model = attribution->model;
	const struct source *source = source_at(attribution, i);
	struct fit *fit = fit_of_source(attribution->fits, source);
	struct source_split split = {0};

	if (fit) {
		split.rake = rake_new(model, source, fit, balance, energies);
		return split;
	}
	split.curve = method_curve(attribution->method, source);
	split.spread = spread_new(model, source, split.curve,
		&(struct spread_sinks){.balance = balance, .energies = energies});
	return split;
}

/* Continues until all energy is divided that was drawn before a time. */
static void split_until(struct source_split *split, uint64_t until_ns)
{
	if (split->rake)
		rake_until(split->rake, until_ns);
	else
		spread_until(split->spread, until_ns);
}

static void end_split(struct source_split *split)
{
	if (split->rake) {
		rake_free(split->rake);
		return;
	}
	spread_free(split->spread);
	g_array_unref(split->curve);
}

/* ---- all sources ---- */

/* Returns, by source, whether powers can be fitted; the caller frees it. */
static bool *find_possible_fits(struct attribution *attribution)
{
	bool *possible = g_new0(bool, attribution->sources->len + 1);

	for (guint i = 0; i < attribution->sources->len; i++) {
		possible[i] = fit_possible(attribution->model, source_at(attribution, i));
		attribution->can_fit |= possible[i];
	}
	return possible;
}

/* Fits powers to a source, and tests them.  Returns NULL where the method fits none, or cannot. */
static struct fit *make_fit(struct attribution *attribution, const struct source *source,
	const struct fit_memory *memory)
{
	const struct method *method = attribution->method;
	struct fit *fit = method->fit ? method->fit(attribution->model, source, memory) : NULL;

	if (!fit)
		return NULL;
	g_ptr_array_add(attribution->fits, fit);
	g_ptr_array_add(attribution->heldouts, heldout_test(attribution->model, method, fit));
	return fit;
}

static void attribute(
	struct attribution *attribution, guint i, bool possible, const struct fit_memory *memory)
{
	const struct model *model = attribution->model;
	const struct source *source = source_at(attribution, i);
	struct fit *fit = fit_of_source(attribution->fits, source);
	struct source_split split;

	if (!fit && possible)
		fit = make_fit(attribution, source, memory);
	split = begin_split(attribution, i, &attribution->balances[i], NULL);
	split_until(&split, UINT64_MAX);
	end_split(&split);
	if (fit)
		spans_unite(fit->raked);
	if (!source->curve->len)
		return;
	attribution->estimated |= source->estimated;
	for (guint gpu = 0; source->top_level && gpu < model->gpus->len; gpu++)
		attribution->measured[gpu] |= source->covers[gpu];
}

static void free_fit(gpointer fit)
{
	fit_free(fit);
}

static void free_heldout(gpointer heldout)
{
	heldout_free(heldout);
}

struct attribution *attribution_of_sources(
	const struct model *model, const struct attribution_options *options, GArray *sources)
{
	struct attribution *attribution = g_new0(struct attribution, 1);
	bool *possible;

	attribution->model = model;
	attribution->sources = sources;
	attribution->balances = g_new0(struct balance, sources->len + 1);
	attribution->measured = g_new0(bool, model->gpus->len + 1);
	attribution->fits = g_ptr_array_new_with_free_func(free_fit);
	attribution->heldouts = g_ptr_array_new_with_free_func(free_heldout);
	possible = find_possible_fits(attribution);
	attribution->method = options->method        ? options->method
			      : attribution->can_fit ? &method_regress
						     : &method_overlap;
	for (guint i = 0; i < sources->len; i++)
		attribute(attribution, i, possible[i], options->memory);
	for (guint i = 0; i < attribution->fits->len; i++)
		fit_make_groups(g_ptr_array_index(attribution->fits, i));
	g_free(possible);
	return attribution;
}

struct attribution *attribution_new(
	const struct model *model, const struct attribution_options *options)
{
	struct attribution *attribution =
		attribution_of_sources(model, options, sources_of(model, options->domain));

	attribution->domain = options->domain;
	return attribution;
}

void attribution_free(struct attribution *attribution)
{
	g_ptr_array_free(attribution->fits, TRUE);
	g_ptr_array_free(attribution->heldouts, TRUE);
	sources_free(attribution->sources);
	g_free(attribution->balances);
	g_free(attribution->measured);
	g_free(attribution);
}

const struct heldout *attribution_heldout(
	const struct attribution *attribution, const struct fit *fit)
{
	for (guint i = 0; i < attribution->fits->len; i++)
		if (g_ptr_array_index(attribution->fits, i) == fit)
			return g_ptr_array_index(attribution->heldouts, i);
	return NULL;
}

/* ---- executions ---- */

void attribution_visit(
	const struct attribution *attribution, attribution_visitor *visitor, void *data)
{
	const struct model *model = attribution->model;
	struct source_split *splits = g_new(struct source_split, attribution->sources->len + 1);
	struct energies energies;
	guint count = 0;

	energies_begin(&energies);
	/* Other sources measure parts of what top-level ones do. */
	for (guint i = 0; i < attribution->sources->len; i++)
		if (source_at(attribution, i)->top_level)
			splits[count++] = begin_split(attribution, i, NULL, &energies);
	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		struct energy energy;

		for (guint k = 0; k < count; k++)
			split_until(&splits[k], execution->end_ns);
		energy = energies_take(&energies);
		visitor(data, &(struct execution_energy){
				      execution, energy.energy_nj, energy.static_part});
	}
	for (guint i = 0; i < count; i++)
		end_split(&splits[i]);
	energies_end(&energies);
	g_free(splits);
}
