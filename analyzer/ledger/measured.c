/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/measured.h"

#include "analyzer/model/curve.h"
#include "analyzer/model/spans.h"
#include "analyzer/regress/fit.h"

struct measured_times {
	guint gpus;
	GArray **times; /* struct model_span (spans.h), by index in model->gpus */
};

static bool counts(const struct source *source, guint gpu)
{
	return source->top_level && source->covers[gpu] && source->curve->len;
}

/* When the power of a source's domain is known, by any source of that domain; estimates count for
 * all domains. */
static GArray *times_of_domain(
	const GArray *sources, const struct source *domain, guint gpu, const GPtrArray *fits)
{
	GArray *spans = g_array_new(FALSE, FALSE, sizeof(struct model_span));

	for (guint i = 0; i < sources->len; i++) {
		const struct source *source = &g_array_index(sources, struct source, i);

		if (counts(source, gpu) && (source->estimated || domain->estimated ||
						   source_measures_same(source, domain)))
			curve_add_spans(source->curve, fit_of_source(fits, source), spans);
	}
	spans_unite(spans);
	return spans;
}

/* Adds the times of a recording at which all domains that it measured are known. */
static void add_recording(GArray *times, const GArray *sources,
	const struct model_recording *recording, guint gpu, const GPtrArray *fits)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct model_span));
	bool any = false;

	g_array_append_val(all, recording->span);
	for (guint i = 0; i < sources->len; i++) {
		const struct source *source = &g_array_index(sources, struct source, i);
		GArray *domain;

		if (source->recording != recording || !counts(source, gpu))
			continue;
		domain = times_of_domain(sources, source, gpu, fits);
		spans_intersect(all, domain);
		g_array_free(domain, TRUE);
		any = true;
	}
	if (any)
		g_array_append_vals(times, all->data, all->len);
	g_array_free(all, TRUE);
}

struct measured_times *measured_new(
	const struct model *model, const GArray *sources, const GPtrArray *fits)
{
	struct measured_times *measured = g_new(struct measured_times, 1);

	measured->gpus = model->gpus->len;
	measured->times = g_new(GArray *, measured->gpus + 1);
	for (guint gpu = 0; gpu < measured->gpus; gpu++) {
		GArray *times = g_array_new(FALSE, FALSE, sizeof(struct model_span));

		for (guint i = 0; i < model->recordings->len; i++)
			add_recording(times, sources,
				&g_array_index(model->recordings, struct model_recording, i), gpu,
				fits);
		spans_unite(times);
		measured->times[gpu] = times;
	}
	return measured;
}

void measured_free(struct measured_times *measured)
{
	for (guint gpu = 0; gpu < measured->gpus; gpu++)
		g_array_free(measured->times[gpu], TRUE);
	g_free(measured->times);
	g_free(measured);
}

uint64_t measured_ns(const struct measured_times *measured, const struct model *model,
	const struct model_execution *execution)
{
	uint32_t gpu = model_gpu_of(model, execution);

	return gpu == MODEL_NONE
		       ? 0
		       : spans_within(measured->times[gpu], execution->begin_ns, execution->end_ns);
}
