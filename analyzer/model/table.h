/* SPDX-License-Identifier: MIT */
/*
 * Definitions by id.  Ids are counted from 1 within a process, but a damaged trace may say any: a
 * table grows by pages, so that a wild id costs a page and not all that is below it.
 */
#ifndef PWRTRACE_TABLE_H
#define PWRTRACE_TABLE_H

#include <glib.h>
#include <stdint.h>

#define TABLE_PAGE 256
#define TABLE_LIMIT (1u << 24) /* ids are less */

struct table {
	gsize element_bytes;
	GPtrArray *pages; /* NULL where nothing was made */
};

struct table *table_new(gsize element_bytes);
void table_free(struct table *table);

/* The element, made of zeroes where it is new; NULL where no table has such an id. */
void *table_slot(struct table *table, uint32_t id);

/* The ids of elements are less. */
uint32_t table_end(const struct table *table);

/* The element, to be read, which may be one that was never made and is all zeroes; or NULL. */
static inline const void *table_find(const struct table *table, uint32_t id)
{
	const char *page = id / TABLE_PAGE < table->pages->len
				   ? g_ptr_array_index(table->pages, id / TABLE_PAGE)
				   : NULL;

	return page ? page + id % TABLE_PAGE * table->element_bytes : NULL;
}

#endif
