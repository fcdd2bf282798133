/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "analyzer/print/csv.h"
#include "analyzer/view/critical/critical_view.h"

struct row {
	const char *name;
	double critical_s, slack_s, critical_j, energy_j;
};

#define COLUMN(type, member)                                                                       \
	{                                                                                          \
#member, type, offsetof(struct row, member)                                        \
	}

static const struct csv_column columns[] = {
	COLUMN(CSV_TEXT, name),
	COLUMN(CSV_NUMBER, critical_s),
	COLUMN(CSV_NUMBER, slack_s),
	COLUMN(CSV_NUMBER, critical_j),
	COLUMN(CSV_NUMBER, energy_j),
	{NULL, CSV_TEXT, 0},
};

void critical_put_csv(FILE *out, const void *result)
{
	const struct critical_answer *answer = result;

	csv_put_headings(out, columns);
	for (guint i = 0; i < answer->rows->len; i++) {
		const struct critical_row *row =
			&g_array_index(answer->rows, struct critical_row, i);

		csv_put_row(out, columns,
			&(struct row){row->name, (double)row->critical_ns / 1e9,
				(double)row->slack_ns / 1e9,
				row->energy_known ? (double)row->critical_nj / 1e9 : NAN,
				row->energy_known ? (double)row->energy_nj / 1e9 : NAN});
	}
}
