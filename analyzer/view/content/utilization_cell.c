/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/utilization_cell.h"

#include "analyzer/view/content/shown_rows.h"
#include "pwrtrace/parts.h"

#define KNOWN 0.5 /* with a wider interval, of all that a part can do, nothing is known */
#define FINE 0.0095

const char *const utilization_headings[] = {
#define PART(word, domain, heading, ...) [PWRTRACE_PART_##word] = heading,
#include "pwrtrace/parts.def"
#undef PART
};

GPtrArray *utilization_rows(const struct ledger *ledger, const struct view_options *options)
{
	GPtrArray *rows = shown_rows(ledger, options);

	for (guint i = rows->len; i > 0; i--)
		if (!((const struct ledger_row *)g_ptr_array_index(rows, i - 1))->utilization)
			g_ptr_array_remove_index(rows, i - 1);
	return rows;
}

bool utilization_known(const struct ledger_utilization *of_part)
{
	return of_part->ci95 < KNOWN;
}

void utilization_cell(char cell[CELL_MAX], const struct ledger_utilization *of_part)
{
	if (utilization_known(of_part))
		snprintf(cell, CELL_MAX, "%.0f ±%.*f", of_part->share * 100, of_part->ci95 < FINE,
			of_part->ci95 * 100);
	else
		snprintf(cell, CELL_MAX, "unknown");
}
