/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/measured.h"

#include "analyzer/attr/fit.h"
#include "analyzer/model/curve.h"

/* Times are arrays of spans (struct model_span), disjoint and in their order. */
struct measured {
	guint gpus;
	GArray **times; /* by gpu */
};

static const struct model_span *span_at(const GArray *times, guint i)
{
	return &g_array_index(times, struct model_span, i);
}

static int by_begin(gconstpointer a, gconstpointer b)
{
	const struct model_span *x = a, *y = b;

	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* Puts spans of any kind in order and together. */
static void unite(GArray *spans)
{
	struct model_span *all = (void *)spans->data;
	guint count = 0;

	g_array_sort(spans, by_begin);
	for (guint i = 0; i < spans->len; i++) {
		if (count && all[i].begin_ns <= all[count - 1].end_ns)
			all[count - 1].end_ns = MAX(all[count - 1].end_ns, all[i].end_ns);
		else
			all[count++] = all[i];
	}
	g_array_set_size(spans, count);
}

/* Leaves of times what is in the others, too. */
static void intersect(GArray *times, const GArray *others)
{
	GArray *both = g_array_new(FALSE, FALSE, sizeof(struct model_span));

	for (guint i = 0, k = 0; i < times->len && k < others->len;) {
		const struct model_span *x = span_at(times, i), *y = span_at(others, k);
		struct model_span span = {MAX(x->begin_ns, y->begin_ns), MIN(x->end_ns, y->end_ns)};

		if (span.begin_ns < span.end_ns)
			g_array_append_val(both, span);
		if (x->end_ns < y->end_ns)
			i++;
		else
			k++;
	}
	g_array_set_size(times, 0);
	g_array_append_vals(times, both->data, both->len);
	g_array_free(both, TRUE);
}

static void add_curve(GArray *spans, const struct source *source, const GPtrArray *fits)
{
	bool divides = fit_of_source(fits, source);

	for (guint i = 0; i < source->curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(source->curve, struct curve_interval, i);
		struct model_span span = {interval->begin_ns, interval->end_ns};

		if (!interval->blurred || divides)
			g_array_append_val(spans, span);
	}
}

static bool counts(const struct source *source, guint gpu)
{
	return source->top_level && source->covers[gpu] && source->curve->len;
}

/* When the domain of a source is known: other recordings and other sensors have it too, and
 * estimates fill holes. */
static GArray *times_of_domain(
	const GArray *sources, const struct source *domain, guint gpu, const GPtrArray *fits)
{
	GArray *spans = g_array_new(FALSE, FALSE, sizeof(struct model_span));

	for (guint i = 0; i < sources->len; i++) {
		const struct source *source = &g_array_index(sources, struct source, i);

		if (counts(source, gpu) && (source->estimated || domain->estimated ||
						   source_measures_same(source, domain)))
			add_curve(spans, source, fits);
	}
	unite(spans);
	return spans;
}

/* Within a recording, all domains that it has. */
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
		intersect(all, domain);
		g_array_free(domain, TRUE);
		any = true;
	}
	if (any)
		g_array_append_vals(times, all->data, all->len);
	g_array_free(all, TRUE);
}

struct measured *measured_new(
	const struct model *model, const GArray *sources, const GPtrArray *fits)
{
	struct measured *measured = g_new(struct measured, 1);

	measured->gpus = model->gpus->len;
	measured->times = g_new(GArray *, measured->gpus + 1);
	for (guint gpu = 0; gpu < measured->gpus; gpu++) {
		GArray *times = g_array_new(FALSE, FALSE, sizeof(struct model_span));

		for (guint i = 0; i < model->recordings->len; i++)
			add_recording(times, sources,
				&g_array_index(model->recordings, struct model_recording, i), gpu,
				fits);
		unite(times);
		measured->times[gpu] = times;
	}
	return measured;
}

void measured_free(struct measured *measured)
{
	for (guint gpu = 0; gpu < measured->gpus; gpu++)
		g_array_free(measured->times[gpu], TRUE);
	g_free(measured->times);
	g_free(measured);
}

/* The first span that ends after a time. */
static guint first_after(const GArray *times, uint64_t time_ns)
{
	guint low = 0, high = times->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (span_at(times, middle)->end_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t measured_of(const struct measured *measured, const struct model *model,
	const struct model_execution *execution)
{
	uint32_t gpu = model_gpu_of(model, execution);
	uint64_t sum_ns = 0;
	const GArray *times;

	if (gpu == MODEL_NONE)
		return 0;
	times = measured->times[gpu];
	for (guint i = first_after(times, execution->begin_ns);
		i < times->len && span_at(times, i)->begin_ns < execution->end_ns; i++)
		sum_ns += MIN(span_at(times, i)->end_ns, execution->end_ns) -
			  MAX(span_at(times, i)->begin_ns, execution->begin_ns);
	return sum_ns;
}
