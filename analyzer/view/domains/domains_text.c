/* SPDX-License-Identifier: MIT */
#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"
#include "analyzer/view/domains/domains_view.h"
#include "analyzer/view/text/text_name.h"

#define POWER_WIDTH 10
#define PART_WIDTH 9
#define ENERGY_WIDTH 10
#define DOMAIN_WIDTH (POWER_WIDTH + PART_WIDTH + ENERGY_WIDTH)

static void put_scaled(FILE *out, double value, const char *unit, int width)
{
	char cell[CELL_MAX];

	cell_scaled(cell, value, unit);
	cell_put(out, cell, width);
}

static void put_part(FILE *out, double part, int width)
{
	char cell[CELL_MAX];

	cell_percent(cell, part >= 0 ? part : -1);
	cell_put(out, cell, width);
}

static void put_header(FILE *out, const struct domains *domains, bool color)
{
	for (guint i = 0; i < domains->list->len; i++) {
		const char *name = domain_at(domains, i)->name;

		cell_put(out, "", DOMAIN_WIDTH - text_width(name));
		text_put(out, name);
	}
	fprintf(out, "\n%s", color ? "\033[4m" : "");
	for (guint i = 0; i < domains->list->len; i++) {
		cell_put(out, "POWER", POWER_WIDTH);
		cell_put(out, "±95 %", PART_WIDTH);
		cell_put(out, "ENERGY", ENERGY_WIDTH);
	}
	fprintf(out, "  %s%s\n", domain_at(domains, 0)->ledger->by, color ? "\033[0m" : "");
}

static void put_cells(FILE *out, const struct domain *domain, guint row, bool relative)
{
	double power_w = domain_w(domain, row);

	if (relative)
		put_part(out, power_w / domain->largest_w, POWER_WIDTH);
	else
		put_scaled(out, power_w, "W", POWER_WIDTH);
	put_part(out, domain_ci95_j(domain, row) / domain_j(domain, row), PART_WIDTH);
	put_scaled(out, domain_j(domain, row), "J", ENERGY_WIDTH);
}

static void put_pair(FILE *out, const struct domains_shown *shown, const struct text_names *names,
	const struct domain_pair *pair)
{
	const struct domains *domains = shown->domains;

	for (guint i = 0; i < domains->list->len; i++)
		put_scaled(out, domain_together_w(domain_at(domains, i), pair), "W", DOMAIN_WIDTH);
	fputs("  ", out);
	text_put_name(out, names, domain_row(domain_at(domains, 0), pair->a));
	fputs(" + ", out);
	text_put_name(out, names, domain_row(domain_at(domains, 0), pair->b));
	fputc('\n', out);
}

static void put_pairs(FILE *out, const struct domains_shown *shown, const struct text_names *names)
{
	const struct domains *domains = shown->domains;
	const struct domain *whole = domain_at(domains, 0);
	char limit[CELL_MAX];

	cell_scaled(limit, whole->limit_w, "W");
	if (domains->list->len < 2)
		return;
	fprintf(out, "%s%s%s",
		domains->pairs->len
			? "\nComplementary: they stress different parts, and at once would draw "
			  "less than "
			: "\nNo two kernels stress different parts and at once would draw less "
			  "than ",
		limit, whole->limit_recorded ? ", the limit\n" : ", the most that one drew\n");
	for (guint i = 0; i < domains->pairs->len; i++)
		put_pair(out, shown, names, &g_array_index(domains->pairs, struct domain_pair, i));
}

void domains_put_text(FILE *out, const void *data)
{
	const struct domains_shown *shown = data;
	const struct domains *domains = shown->domains;
	const struct ledger *ledger = domain_at(domains, 0)->ledger;
	struct text_names *names = text_names_new(ledger);
	GArray *rows = domains_rows(shown);

	put_header(out, domains, shown->options->color);
	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);

		for (guint k = 0; k < domains->list->len; k++)
			put_cells(out, domain_at(domains, k), row, shown->relative);
		fputs("  ", out);
		text_put_name(out, names, domain_row(domain_at(domains, 0), row));
		fputc('\n', out);
	}
	put_pairs(out, shown, names);
	fputs("\nOther parts of a GPU, as XCD, IOD and HBM of AMD's, are measured by no sensor "
	      "that "
	      "is public.\n",
		out);
	text_put_names_end(out, names);
	g_array_free(rows, TRUE);
	text_names_free(names);
}
