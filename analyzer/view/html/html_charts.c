/* SPDX-License-Identifier: MIT */
#include "analyzer/view/html/html_charts.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/ledger/iterations.h"

/* Labels after these, which have least energy, are called "other" in charts. */
#define LABELS_MAX 1000

#define POINTS_MAX 20000 /* of the chart of iterations */

void html_put_charts(const struct html_page *page)
{
	fputs("<section id=\"time\" class=\"drawn\" hidden>\n<h2>Power over time</h2>\n<div "
	      "id=\"power\" class=\"chart\" role=\"img\" aria-label=\"power over "
	      "time\"></div>\n<div "
	      "id=\"lanes\" class=\"chart\" tabindex=\"0\" role=\"img\" aria-label=\"what each "
	      "stream ran over time\"></div>\n<p id=\"readout\" "
	      "role=\"status\"></p>\n</section>\n<section "
	      "id=\"flames\" class=\"drawn\" hidden>\n<h2>Energy by what launched it</h2>\n<div "
	      "id=\"flame\" class=\"chart\"></div>\n</section>\n",
		page->out);
}

/* The energy of each iteration, with what was drawn while nothing ran, of many the means of equally
 * many in a row; null: there are none. */
static json_t *iterations_of(const struct html_page *page)
{
	const struct iterations *iterations = page->ledger->iterations;
	guint step, points;
	float *energy_j;

	if (!iterations || !page->ledger->total.known)
		return json_null();
	step = 1 + iterations->list->len / POINTS_MAX;
	points = iterations->list->len / step;
	energy_j = g_new0(float, points + 1);
	for (guint i = 0; i < points * step; i++) {
		const struct iteration *iteration = iterations_at(iterations, i);

		energy_j[i / step] +=
			(float)((double)(iteration->energy_nj + iteration->idle_nj) / 1e9 / step);
	}
	html_put_data(page->out, "iteration-j", "Float32", energy_j, points * sizeof(float));
	g_free(energy_j);
	return json_pack("{s:i}", "step", (int)step);
}

static json_t *labels_of(const struct html_gathering *gathering)
{
	json_t *labels = json_array();

	for (guint i = 0; i < MIN(gathering->labels->len, LABELS_MAX); i++)
		json_array_append_new(
			labels, html_json_name(g_ptr_array_index(gathering->labels, i)));
	return labels;
}

void html_put_data_of_charts(const struct html_page *page)
{
	json_t *all = json_object();
	char *text;

	json_object_set_new(all, "seconds", json_real((double)page->gathering->span_ns / 1e9));
	json_object_set_new(all, "estimated", json_boolean(page->ledger->estimated));
	json_object_set_new(all, "labels", labels_of(page->gathering));
	json_object_set_new(all, "lanes", html_charts_lanes(page));
	json_object_set_new(all, "power", html_charts_power(page));
	json_object_set_new(all, "flames", html_charts_flames(page));
	json_object_set_new(all, "iterations", iterations_of(page));
	text = json_dumps(all, JSON_COMPACT);
	html_put_data(page->out, "charts", "JSON", text, strlen(text));
	free(text);
	json_decref(all);
}
