/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "analyzer/ledger/row_name.h"
#include "analyzer/ledger/rows.h"
#include "analyzer/view/html/html_charts.h"

/* More lanes cannot be seen; those with the most energy are. */
#define LANES_MAX 48

/* A column that is filled from its beginning. */
struct column_of {
	const char *id, *form;
	size_t size;
	GArray *values;
};

enum { BEGIN, LENGTH, LABEL, POWER, COUNT, COLUMNS };

static int by_energy(gconstpointer a, gconstpointer b)
{
	const struct html_lane *x = *(const struct html_lane *const *)a;
	const struct html_lane *y = *(const struct html_lane *const *)b;

	return x->energy_nj < y->energy_nj ? 1 : x->energy_nj > y->energy_nj ? -1 : 0;
}

static const struct model_origin *origin_of(const struct model *model, const struct html_lane *lane)
{
	return &g_array_index(model->origins->list, struct model_origin, lane->origin);
}

static int by_device(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct model_origin *x = origin_of(data, *(const struct html_lane *const *)a);
	const struct model_origin *y = origin_of(data, *(const struct html_lane *const *)b);

	if (x->gpu != y->gpu)
		return x->gpu < y->gpu ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return x->stream < y->stream ? -1 : 1;
}

/* The lanes to draw, by device, process and stream. */
static GPtrArray *lanes_drawn(const struct html_gathering *gathering)
{
	GPtrArray *lanes = g_ptr_array_new();

	for (guint i = 0; i < gathering->lanes->len; i++) {
		struct html_lane *lane = &g_array_index(gathering->lanes, struct html_lane, i);

		if (lane->blocks->len)
			g_ptr_array_add(lanes, lane);
	}
	g_ptr_array_sort(lanes, by_energy);
	if (lanes->len > LANES_MAX)
		g_ptr_array_set_size(lanes, LANES_MAX);
	g_ptr_array_sort_with_data(lanes, by_device, (gpointer)gathering->ledger->model);
	return lanes;
}

static json_t *describe(const struct model *model, const struct html_lane *lane)
{
	const struct model_origin *origin = origin_of(model, lane);
	const struct model_gpu *gpu = model_gpu_at(model, origin);
	struct ledger_row row = {.device = gpu ? gpu->name : ""};
	json_t *json = json_object();

	row_name_stream(model, origin, &row);
	json_object_set_new(json, "name", html_json_name(row.name));
	json_object_set_new(json, "short", json_string(row.short_name));
	json_object_set_new(json, "device", html_json_name(gpu ? gpu->name : ""));
	json_object_set_new(json, "ordinal", json_integer(gpu ? (json_int_t)origin->gpu : -1));
	json_object_set_new(json, "blocks", json_integer(lane->blocks->len));
	rows_clear(&row);
	return json;
}

/* Begins are steps from the one before, which compress better. */
static void add_blocks(
	GArray *const columns[COLUMNS], const struct html_lane *lane, uint64_t unit_ns)
{
	uint32_t before = 0;

	for (guint i = 0; i < lane->blocks->len; i++) {
		const struct html_block *block = &g_array_index(lane->blocks, struct html_block, i);
		uint32_t begin = (uint32_t)(block->begin_ns / unit_ns);
		uint32_t step = begin - before;
		uint32_t length = (uint32_t)((block->end_ns - block->begin_ns) / unit_ns);
		uint16_t label = (uint16_t)MIN(block->label, UINT16_MAX);
		uint64_t time_ns = MAX(block->end_ns - block->begin_ns, 1);
		/* Fewer digits compress better. */
		float power_w =
			(float)(round(10 * (double)block->energy_nj / (double)time_ns) / 10);

		before = begin;
		g_array_append_val(columns[BEGIN], step);
		g_array_append_val(columns[LENGTH], length);
		g_array_append_val(columns[LABEL], label);
		g_array_append_val(columns[POWER], power_w);
		g_array_append_val(columns[COUNT], block->executions);
	}
}

json_t *html_charts_lanes(const struct html_page *page)
{
	static const struct {
		const char *id, *form;
		guint size;
	} forms[COLUMNS] = {[BEGIN] = {"block-begin", "Uint32", 4},
		[LENGTH] = {"block-length", "Uint32", 4},
		[LABEL] = {"block-label", "Uint16", 2},
		[POWER] = {"block-w", "Float32", 4},
		[COUNT] = {"block-executions", "Uint32", 4}};
	const struct html_gathering *gathering = page->gathering;
	uint64_t unit_ns = 1 + gathering->span_ns / UINT32_MAX;
	GPtrArray *lanes = lanes_drawn(gathering);
	json_t *list = json_array();
	GArray *columns[COLUMNS];

	for (guint i = 0; i < COLUMNS; i++)
		columns[i] = g_array_new(FALSE, FALSE, forms[i].size);
	for (guint i = 0; i < lanes->len; i++) {
		const struct html_lane *lane = g_ptr_array_index(lanes, i);

		json_array_append_new(list, describe(page->ledger->model, lane));
		add_blocks(columns, lane, unit_ns);
	}
	for (guint i = 0; i < COLUMNS; i++) {
		html_put_data(page->out, forms[i].id, forms[i].form, columns[i]->data,
			(size_t)columns[i]->len * forms[i].size);
		g_array_free(columns[i], TRUE);
	}
	g_ptr_array_free(lanes, TRUE);
	return json_pack("{s:o, s:f, s:b, s:i}", "list", list, "unit_s", (double)unit_ns / 1e9,
		"joined", gathering->joined_ns > 0, "of", (int)gathering->lanes->len);
}
