/* SPDX-License-Identifier: MIT */
/* Comma-separated values as in RFC 4180; what is not known is an empty field. */
#include <string.h>

#include "analyzer/view/view.h"

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

/* energy_j to inclusive_j */
static void write_energy(FILE *out, const struct ledger *ledger, const struct ledger_row *row)
{
	char joules[VIEW_JOULES_MAX];

	if (!row->energy_known) {
		fputs(",,,,,,", out);
		return;
	}
	fprintf(out, "%s,", view_joules(joules, row->energy_nj));
	if (view_ci95(row) >= 0)
		fprintf(out, "%.9f", view_ci95(row));
	fputc(',', out);
	if (view_power(row) >= 0)
		fprintf(out, "%.6f", view_power(row));
	fputc(',', out);
	if (row->static_known)
		fputs(view_joules(joules, row->static_nj), out);
	fputc(',', out);
	if (row->static_known)
		fputs(view_joules(joules, row->energy_nj - row->static_nj), out);
	fputc(',', out);
	if (view_share(ledger, row) >= 0)
		fprintf(out, "%.6f", view_share(ledger, row));
	fprintf(out, ",%s", view_joules(joules, row->inclusive_nj));
}

static void write_row(FILE *out, const struct ledger *ledger, const struct ledger_row *row)
{
	const char *texts[] = {
		ledger->by, row->name, row->short_name, row->shape, row->device, row->api};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		write_text(out, texts[i]);
		fputc(',', out);
	}
	fprintf(out, "%" G_GUINT64_FORMAT ",", row->executions);
	if (ledger_time_known(row))
		fprintf(out, "%.9f", (double)row->time_ns / 1e9);
	fputc(',', out);
	write_energy(out, ledger, row);
	fprintf(out, ",%s,%s,%s\r\n", row->group ? row->group : "", row->kind ? row->kind : "",
		row->modelled ? "true" : "false");
}

static void write_csv(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	GPtrArray *rows = view_rows(ledger, options);

	fputs("by,name,short_name,shape,device,api,executions,time_s,energy_j,ci95_j,power_w,"
	      "static_j,dynamic_j,share,inclusive_j,group,kind,modelled\r\n",
		out);
	for (guint i = 0; i < rows->len; i++)
		write_row(out, ledger, g_ptr_array_index(rows, i));
	g_ptr_array_free(rows, TRUE);
}

const struct view view_csv = {"csv", "comma-separated values, for spreadsheets", write_csv};
