/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/shown_rows.h"
#include "analyzer/view/domains/domains_view.h"

GArray *domains_rows(const struct domains_shown *shown)
{
	const struct ledger *ledger = domain_at(shown->domains, 0)->ledger;
	const struct ledger_row *first = (const void *)ledger->rows->data;
	GPtrArray *rows = shown_rows(ledger, shown->options);
	GArray *indexes = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < rows->len; i++) {
		const struct ledger_row *row = g_ptr_array_index(rows, i);
		guint index = (guint)(row - first);

		g_array_append_val(indexes, index);
	}
	g_ptr_array_free(rows, TRUE);
	return indexes;
}
