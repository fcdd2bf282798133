/* SPDX-License-Identifier: MIT */
/*
 * A sparse array of definitions by id.  Ids are counted from 1 within a process, but a damaged
 * trace may have any: memory is allocated in pages, so that a wrong id costs a page, and not all
 * below it.
 */
#ifndef PWRTRACE_TABLE_H
#define PWRTRACE_TABLE_H

#include <glib.h>
#include <stdint.h>

#define TABLE_PAGE 256
#define TABLE_LIMIT (1u << 24) /* ids are less */

struct table {
	gsize element_bytes;
	GPtrArray *pages; /* of TABLE_PAGE elements each; NULL: not allocated */
};

struct table *table_new(gsize element_bytes);
void table_free(struct table *table);

/* The element of an id, for writing; it is all zeroes where it is new.  NULL where the id is not
 * below TABLE_LIMIT. */
void *table_slot(struct table *table, uint32_t id);

/* A bound of ids: all elements have ids below it. */
uint32_t table_end(const struct table *table);

/* The element of an id, for reading; NULL, or all zeroes, where it was never written. */
static inline const void *table_find(const struct table *table, uint32_t id)
{
	const char *page = id / TABLE_PAGE < table->pages->len
				   ? g_ptr_array_index(table->pages, id / TABLE_PAGE)
				   : NULL;

	return page ? page + id % TABLE_PAGE * table->element_bytes : NULL;
}

#endif
