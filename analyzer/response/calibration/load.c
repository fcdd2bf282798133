/* SPDX-License-Identifier: MIT */
#include "analyzer/response/calibration/load.h"

#include "analyzer/numeric/bisect.h"

#define SPAN(spans, i) g_array_index(spans, struct load_span, i)

struct load *load_new(uint64_t origin_ns)
{
	struct load *load = g_new0(struct load, 1);

	load->origin_ns = origin_ns;
	load->on = g_array_new(FALSE, FALSE, sizeof(struct load_span));
	load->others = g_array_new(FALSE, FALSE, sizeof(struct load_span));
	return load;
}

void load_free(struct load *load)
{
	g_array_free(load->on, TRUE);
	g_array_free(load->others, TRUE);
	g_free(load);
}

double load_seconds(const struct load *load, uint64_t time_ns)
{
	return (double)(int64_t)(time_ns - load->origin_ns) / 1e9;
}

void load_add(struct load *load, bool on, uint64_t begin_ns, uint64_t end_ns)
{
	struct load_span span = {load_seconds(load, begin_ns), load_seconds(load, end_ns)};

	g_array_append_val(on ? load->on : load->others, span);
}

static int by_begin(gconstpointer a, gconstpointer b)
{
	const struct load_span *x = a, *y = b;

	return x->begin_s < y->begin_s ? -1 : x->begin_s > y->begin_s;
}

static void join(GArray *spans, double join_s)
{
	guint kept = 0;

	g_array_sort(spans, by_begin);
	for (guint i = 1; i < spans->len; i++) {
		struct load_span *last = &SPAN(spans, kept), span = SPAN(spans, i);

		if (span.begin_s <= last->end_s + join_s)
			last->end_s = MAX(last->end_s, span.end_s);
		else
			SPAN(spans, ++kept) = span;
	}
	if (spans->len)
		g_array_set_size(spans, kept + 1);
}

void load_finish(struct load *load, double join_s)
{
	join(load->on, join_s);
	join(load->others, join_s);
}

int load_last_before(const GArray *spans, double time_s)
{
	return (int)BISECT(i, 0, spans->len, SPAN(spans, i).begin_s >= time_s) - 1;
}

bool load_is_spoiled(const struct load *load, double begin_s, double end_s)
{
	int last = load_last_before(load->others, end_s);

	return last >= 0 && SPAN(load->others, last).end_s > begin_s;
}
