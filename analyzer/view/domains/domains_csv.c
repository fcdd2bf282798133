/* SPDX-License-Identifier: MIT */
/* A line for each row in each domain. */
#include "analyzer/print/csv.h"
#include "analyzer/view/domains/domains_view.h"

struct line {
	const char *by, *name, *shape, *domain;
	double power_w, ci95_w, energy_j, ci95_j, relative;
};

#define COLUMN(type, member)                                                                       \
	{                                                                                          \
#member, type, offsetof(struct line, member)                                       \
	}

static const struct csv_column columns[] = {
	COLUMN(CSV_TEXT, by),
	COLUMN(CSV_TEXT, name),
	COLUMN(CSV_TEXT, shape),
	COLUMN(CSV_TEXT, domain),
	COLUMN(CSV_NUMBER, power_w),
	COLUMN(CSV_NUMBER, ci95_w),
	COLUMN(CSV_NUMBER, energy_j),
	COLUMN(CSV_NUMBER, ci95_j),
	COLUMN(CSV_NUMBER, relative),
	{NULL, CSV_TEXT, 0},
};

void domains_put_csv(FILE *out, const void *data)
{
	const struct domains_shown *shown = data;
	GArray *rows = domains_rows(shown);

	csv_put_headings(out, columns);
	for (guint i = 0; i < rows->len; i++)
		for (guint k = 0; k < shown->domains->list->len; k++) {
			const struct domain *domain = domain_at(shown->domains, k);
			guint row = g_array_index(rows, guint, i);

			csv_put_row(out, columns,
				&(struct line){domain->ledger->by, domain_row(domain, row)->name,
					domain_row(domain, row)->shape, domain->name,
					domain_w(domain, row), domain_ci95_w(domain, row),
					domain_j(domain, row), domain_ci95_j(domain, row),
					domain_w(domain, row) / domain->largest_w});
		}
	g_array_free(rows, TRUE);
}
