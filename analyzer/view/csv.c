/* SPDX-License-Identifier: MIT */
/* Comma-separated values as in RFC 4180; what is not known is an empty field. */
#include <math.h>
#include <string.h>

#include "analyzer/print/cell.h"
#include "analyzer/view/content/format.h"
#include "analyzer/view/content/shown_rows.h"
#include "analyzer/view/content/sums.h"

static void write_text(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void write_joules(FILE *out, bool known, uint64_t energy_nj)
{
	char joules[CELL_MAX];

	fprintf(out, ",%s", known ? cell_exact_joules(joules, energy_nj) : "");
}

/* Negative or not finite: not known. */
static void write_real(FILE *out, double value, int decimals)
{
	fputc(',', out);
	if (isfinite(value) && value >= 0)
		fprintf(out, "%.*f", decimals, value);
}

/* energy_j to inclusive_j */
static void write_energy(FILE *out, const struct ledger *ledger, const struct ledger_row *row)
{
	struct ledger_sums own = sums_own(row), all = sums_shown(row);
	char joules[CELL_MAX];

	if (!row->energy_known) {
		fputs(",,,,,", out);
		write_joules(out, all.energy_known, all.energy_nj);
		return;
	}
	fprintf(out, "%s", cell_exact_joules(joules, row->energy_nj));
	write_real(out, sums_ci95(&own), 9);
	write_real(out, sums_power(&own), 6);
	write_joules(out, row->static_known, row->static_nj);
	write_joules(out, row->static_known, row->energy_nj - row->static_nj);
	write_real(out, sums_share(ledger, &own), 6);
	write_joules(out, all.energy_known, all.energy_nj);
}

/* depth to iteration_spread_j */
static void write_node(FILE *out, const struct ledger *ledger, const struct ledger_row *row)
{
	const struct ledger_node *node = row->node;
	const struct ledger_sums *all = &node->all;
	const double steps_j[] = {node->steps.first_j, node->steps.steady_j, node->steps.spread_j};

	fprintf(out, ",%u", node->depth);
	write_real(out, ledger_time_known(row) ? (double)node->busy_ns / 1e9 : -1, 9);
	fprintf(out, ",%" G_GUINT64_FORMAT, all->executions);
	write_real(out, sums_time_known(all) ? (double)all->busy_ns / 1e9 : -1, 9);
	write_real(out, sums_ci95(all), 9);
	write_real(out, sums_power(all), 6);
	write_joules(out, all->static_known, all->static_nj);
	write_joules(out, all->static_known, all->energy_nj - all->static_nj);
	write_real(out, sums_share(ledger, all), 6);
	write_joules(out, node->idle_known, node->idle_nj);
	write_joules(out, all->idle_known, all->idle_nj);
	for (size_t i = 0; i < G_N_ELEMENTS(steps_j); i++)
		write_real(out, node->steps.known ? steps_j[i] : -1, 9);
}

static void write_row(FILE *out, const struct ledger *ledger, const struct ledger_row *row,
	const struct view_options *options)
{
	struct ledger_sums all = sums_shown(row);
	const char *texts[] = {
		ledger->by, row->name, row->short_name, row->shape, row->device, row->api};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		write_text(out, texts[i]);
		fputc(',', out);
	}
	fprintf(out, "%" G_GUINT64_FORMAT, row->executions);
	write_real(out, ledger_time_known(row) ? (double)row->time_ns / 1e9 : -1, 9);
	fputc(',', out);
	write_energy(out, ledger, row);
	fprintf(out, ",%s,%s,%s", row->group ? row->group : "", row->kind ? row->kind : "",
		row->modelled ? "true" : "false");
	if (row->node)
		write_node(out, ledger, row);
	if (options->work.amount > 0)
		write_real(out,
			all.energy_known ? (double)all.energy_nj / 1e9 / options->work.amount : -1,
			12);
	write_real(out, ledger_time_known(row) ? (double)row->unmeasured_ns / 1e9 : -1, 9);
	fputs("\r\n", out);
}

static void write_csv(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	GPtrArray *rows = shown_rows(ledger, options);

	fputs("by,name,short_name,shape,device,api,executions,time_s,energy_j,ci95_j,power_w,"
	      "static_j,dynamic_j,share,inclusive_j,group,kind,modelled",
		out);
	if (sums_in_tree(ledger))
		fputs(",depth,busy_s,inclusive_executions,inclusive_busy_s,inclusive_ci95_j,"
		      "inclusive_power_w,inclusive_static_j,inclusive_dynamic_j,inclusive_share,"
		      "idle_j,inclusive_idle_j,iteration_first_j,iteration_steady_j,"
		      "iteration_spread_j",
			out);
	fputs(options->work.amount > 0 ? ",j_per_unit" : "", out);
	fputs(",unmeasured_s\r\n", out);
	for (guint i = 0; i < rows->len; i++)
		write_row(out, ledger, g_ptr_array_index(rows, i), options);
	g_ptr_array_free(rows, TRUE);
}

const struct format format_csv = {"csv", "comma-separated values, for spreadsheets", write_csv};
