/* SPDX-License-Identifier: MIT */
#include "analyzer/model/spans.h"

#include "analyzer/numeric/bisect.h"

static const struct model_span *span_at(const GArray *spans, guint i)
{
	return &g_array_index(spans, struct model_span, i);
}

static int by_begin(gconstpointer a, gconstpointer b)
{
	const struct model_span *x = a, *y = b;

	return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

void spans_unite(GArray *spans)
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

void spans_intersect(GArray *spans, const GArray *others)
{
	GArray *both = g_array_new(FALSE, FALSE, sizeof(struct model_span));

	for (guint i = 0, k = 0; i < spans->len && k < others->len;) {
		const struct model_span *x = span_at(spans, i), *y = span_at(others, k);
		struct model_span span = {MAX(x->begin_ns, y->begin_ns), MIN(x->end_ns, y->end_ns)};

		if (span.begin_ns < span.end_ns)
			g_array_append_val(both, span);
		if (x->end_ns < y->end_ns)
			i++;
		else
			k++;
	}
	g_array_set_size(spans, 0);
	g_array_append_vals(spans, both->data, both->len);
	g_array_free(both, TRUE);
}

/* The first span that ends after a time. */
static guint first_after(const GArray *spans, uint64_t time_ns)
{
	return BISECT(i, 0, spans->len, span_at(spans, i)->end_ns > time_ns);
}

void spans_subtract(GArray *spans, const GArray *others)
{
	GArray *rest = g_array_new(FALSE, FALSE, sizeof(struct model_span));

	for (guint i = 0; i < spans->len; i++) {
		struct model_span span = *span_at(spans, i);

		for (guint k = first_after(others, span.begin_ns);
			k < others->len && span_at(others, k)->begin_ns < span.end_ns; k++) {
			const struct model_span before = {
				span.begin_ns, span_at(others, k)->begin_ns};

			if (before.begin_ns < before.end_ns)
				g_array_append_val(rest, before);
			span.begin_ns = MIN(span_at(others, k)->end_ns, span.end_ns);
		}
		if (span.begin_ns < span.end_ns)
			g_array_append_val(rest, span);
	}
	g_array_set_size(spans, 0);
	g_array_append_vals(spans, rest->data, rest->len);
	g_array_free(rest, TRUE);
}

uint64_t spans_length_ns(const GArray *spans)
{
	return spans_within(spans, 0, UINT64_MAX);
}

uint64_t spans_within(const GArray *spans, uint64_t begin_ns, uint64_t end_ns)
{
	uint64_t sum_ns = 0;

	for (guint i = first_after(spans, begin_ns);
		i < spans->len && span_at(spans, i)->begin_ns < end_ns; i++)
		sum_ns += MIN(span_at(spans, i)->end_ns, end_ns) -
			  MAX(span_at(spans, i)->begin_ns, begin_ns);
	return sum_ns;
}
