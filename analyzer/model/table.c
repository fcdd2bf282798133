/* SPDX-License-Identifier: MIT */
#include "analyzer/model/table.h"

struct table *table_new(gsize element_bytes)
{
	struct table *table = g_new(struct table, 1);

	table->element_bytes = element_bytes;
	table->pages = g_ptr_array_new_with_free_func(g_free);
	return table;
}

void table_free(struct table *table)
{
	g_ptr_array_free(table->pages, TRUE);
	g_free(table);
}

void *table_slot(struct table *table, uint32_t id)
{
	uint32_t page = id / TABLE_PAGE;

	if (id >= TABLE_LIMIT)
		return NULL;
	if (page >= table->pages->len)
		g_ptr_array_set_size(table->pages, (gint)page + 1);
	if (!g_ptr_array_index(table->pages, page))
		g_ptr_array_index(table->pages, page) =
			g_malloc0_n(TABLE_PAGE, table->element_bytes);
	return (void *)table_find(table, id);
}

uint32_t table_end(const struct table *table)
{
	return table->pages->len * TABLE_PAGE;
}
