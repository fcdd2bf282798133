/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"
#include "analyzer/view/efficiency/efficiency_view.h"

struct efficiency_totals efficiency_totals_of(const struct efficiency_result *result)
{
	double total_j = 0, time_s = 0, tokens = 0;
	bool partly_measured = false;

	for (guint i = 0; i < result->runs->len; i++) {
		const struct efficiency_run *run = efficiency_run_at(result, i);

		total_j += run->total_j;
		time_s += run->time_s;
		tokens += run->tokens;
		partly_measured |= run->partly_measured;
	}
	return (struct efficiency_totals){
		total_j, tokens / total_j, total_j / time_s, partly_measured};
}

/* "25.2 J", "150 mJ/token"; "unknown". */
static void put_value(FILE *out, const char *before, double value, const char *unit)
{
	char cell[CELL_MAX];

	cell_scaled(cell, value, unit);
	fprintf(out, "%s%s", before, cell);
}

/* As TensorRT-LLM prints it; bound: "" where the value is exact. */
static void put_line(FILE *out, const char *name, const char *bound, double value)
{
	if (isfinite(value))
		fprintf(out, "%s: %s%.4f\n", name, bound, value);
	else
		fprintf(out, "%s: unknown\n", name);
}

static void put_phase(FILE *out, const struct efficiency_phase *phase)
{
	const char *before =
		phase->partly_measured && isfinite(phase->energy_j) ? "  at least " : "  ";

	fputs(phase->name, out);
	put_value(out, before, phase->energy_j, "J");
	if (isfinite(phase->ci95_j) && phase->energy_j > 0 && !phase->partly_measured)
		fprintf(out, " ± %.1f %%", 100 * phase->ci95_j / phase->energy_j);
	put_value(out, " in ", phase->time_s, "s");
	if (phase->amount > 0) {
		put_value(out, before, phase->energy_j / phase->amount, "J");
		fprintf(out, " for each of %.10g %s%s", phase->amount,
			strcmp(phase->name, "prefill") == 0  ? "input "
			: strcmp(phase->name, "decode") == 0 ? "output "
							     : "",
			phase->unit);
		fputs(phase->amount == 1 ? "" : "s", out);
	}
	fputc('\n', out);
}

static void put_request(FILE *out, const struct efficiency_request *request)
{
	fputs("request ", out);
	text_put(out, request->name);
	put_value(out, "  ", request->energy_j, "J");
	put_value(out, "  TTFT ", request->ttft_s, "s");
	put_value(out, "  TPOT ", request->tpot_s, "s");
	fputc('\n', out);
}

static void put_model(
	FILE *out, const struct efficiency_result *result, const struct efficiency_model *model)
{
	text_put(out, model->model);
	fputs("  ", out);
	text_put(out, model->gpu);
	fputs("  batch ", out);
	text_put(out, model->batch);
	put_value(out, "  ", model->j_per_request, "J");
	put_value(out, "/request = ", model->j_per_token, "J");
	if (isfinite(model->output))
		fprintf(out, "/token × %.4g", model->output);
	else
		fputs("/token × unknown", out);
	put_value(out, "  TPOT ", model->tpot_s, "s");
	if (model->cheapest && !isnan(result->deadline_s))
		put_value(out, "  cheapest within ", result->deadline_s, "s");
	else if (model->cheapest && result->models->len > 1)
		fputs("  cheapest", out);
	fputc('\n', out);
}

void efficiency_put_text(FILE *out, const void *data)
{
	const struct efficiency_result *result = data;
	const struct efficiency_run *run = efficiency_run_at(result, 0);
	struct efficiency_totals totals = efficiency_totals_of(result);

	if (run->ledger->estimated)
		fputs(run->ledger->all_estimated
				? "No sensor measured power: every joule is an estimate\n"
				: "No sensor measured some of the power: some joules are "
				  "estimates\n",
			out);
	put_line(
		out, "Total Energy (J)", totals.partly_measured ? "at least " : "", totals.total_j);
	put_line(out, "Output Tokens per Joule (tokens/J)",
		totals.partly_measured ? "at most " : "", totals.tokens_per_j);
	put_line(out, "Average GPU Power (W)", "", totals.power_w);
	for (guint i = 0; result->runs->len == 1 && i < run->phases->len; i++)
		put_phase(out, &g_array_index(run->phases, struct efficiency_phase, i));
	for (guint i = 0; result->runs->len == 1 && i < run->requests->len; i++)
		put_request(out, &g_array_index(run->requests, struct efficiency_request, i));
	for (guint i = 0; result->models && i < result->models->len; i++)
		put_model(out, result, &g_array_index(result->models, struct efficiency_model, i));
}
