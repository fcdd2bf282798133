/* SPDX-License-Identifier: MIT */
/* A row for each phase, request and model, and one for the whole; what a row has none of is empty.
 */
#include <math.h>

#include "analyzer/print/csv.h"
#include "analyzer/view/efficiency/efficiency_view.h"

struct row {
	const char *by, *name, *gpu, *batch, *unit, *partly_measured;
	double amount, input, output, energy_j, ci95_j, time_s, j_per_unit, units_per_j, power_w,
		ttft_s, tpot_s;
};

#define COLUMN(type, member)                                                                       \
	{                                                                                          \
#member, type, offsetof(struct row, member)                                        \
	}

static const struct csv_column columns[] = {
	COLUMN(CSV_TEXT, by),
	COLUMN(CSV_TEXT, name),
	COLUMN(CSV_TEXT, gpu),
	COLUMN(CSV_TEXT, batch),
	COLUMN(CSV_TEXT, unit),
	COLUMN(CSV_NUMBER, amount),
	COLUMN(CSV_NUMBER, input),
	COLUMN(CSV_NUMBER, output),
	COLUMN(CSV_NUMBER, energy_j),
	COLUMN(CSV_NUMBER, ci95_j),
	COLUMN(CSV_NUMBER, time_s),
	COLUMN(CSV_NUMBER, j_per_unit),
	COLUMN(CSV_NUMBER, units_per_j),
	COLUMN(CSV_NUMBER, power_w),
	COLUMN(CSV_NUMBER, ttft_s),
	COLUMN(CSV_NUMBER, tpot_s),
	COLUMN(CSV_TEXT, partly_measured),
	{NULL, CSV_TEXT, 0},
};

/* A row of which nothing is known yet. */
static struct row row_new(const char *by, const char *name)
{
	return (struct row){.by = by,
		.name = name,
		.amount = NAN,
		.input = NAN,
		.output = NAN,
		.energy_j = NAN,
		.ci95_j = NAN,
		.time_s = NAN,
		.j_per_unit = NAN,
		.units_per_j = NAN,
		.power_w = NAN,
		.ttft_s = NAN,
		.tpot_s = NAN};
}

static const char *truth(bool is_true)
{
	return is_true ? "true" : "false";
}

static void put_total(FILE *out, const struct efficiency_result *result)
{
	struct efficiency_totals totals = efficiency_totals_of(result);
	struct row row = row_new("total", "");

	row.unit = "token";
	row.energy_j = totals.total_j;
	row.units_per_j = totals.tokens_per_j;
	row.power_w = totals.power_w;
	row.partly_measured = truth(totals.partly_measured);
	csv_put_row(out, columns, &row);
}

static void put_phase(FILE *out, const struct efficiency_phase *phase)
{
	struct row row = row_new("phase", phase->name);

	row.unit = phase->unit;
	row.amount = phase->amount;
	row.energy_j = phase->energy_j;
	row.ci95_j = phase->ci95_j;
	row.time_s = phase->time_s;
	row.j_per_unit = phase->energy_j / phase->amount;
	row.partly_measured = truth(phase->partly_measured);
	csv_put_row(out, columns, &row);
}

static void put_request(FILE *out, const struct efficiency_request *request)
{
	struct row row = row_new("request", request->name);

	row.input = request->input;
	row.output = request->output;
	row.energy_j = request->energy_j;
	row.ttft_s = request->ttft_s;
	row.tpot_s = request->tpot_s;
	csv_put_row(out, columns, &row);
}

static void put_model(FILE *out, const struct efficiency_model *model)
{
	struct row row = row_new("model", model->model);

	row.gpu = model->gpu;
	row.batch = model->batch;
	row.unit = "token";
	row.output = model->output;
	row.energy_j = model->j_per_request;
	row.j_per_unit = model->j_per_token;
	row.tpot_s = model->tpot_s;
	csv_put_row(out, columns, &row);
}

void efficiency_put_csv(FILE *out, const void *data)
{
	const struct efficiency_result *result = data;
	const struct efficiency_run *run = efficiency_run_at(result, 0);

	csv_put_headings(out, columns);
	put_total(out, result);
	for (guint i = 0; result->runs->len == 1 && i < run->phases->len; i++)
		put_phase(out, &g_array_index(run->phases, struct efficiency_phase, i));
	for (guint i = 0; result->runs->len == 1 && i < run->requests->len; i++)
		put_request(out, &g_array_index(run->requests, struct efficiency_request, i));
	for (guint i = 0; result->models && i < result->models->len; i++)
		put_model(out, &g_array_index(result->models, struct efficiency_model, i));
}
