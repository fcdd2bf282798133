/* SPDX-License-Identifier: MIT */
/*
 * The symbols of a file with code, sorted by address.  dwfl_module_addrinfo() goes through all of
 * them for each address, which takes milliseconds in a library like PyTorch's.
 */
#ifndef PWRTRACE_SYMBOL_TABLE_H
#define PWRTRACE_SYMBOL_TABLE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

/* What a symbol stands for: the addresses from begin to before end. */
struct symbol_range {
	uint64_t begin, end;
	/* No size is told, as of a function in assembly; end is that of the section, or where the
	 * next symbol begins. */
	bool sizeless;
	unsigned char preference; /* of those at one address, the greatest counts */
	uint64_t reach;           /* the last end of this and all that begin before it */
	const char *name;         /* mangled; belongs to the module */
};

struct symbol_table;

/* Reads the symbols of a module, which must outlive the table; free with symbol_table_free. */
struct symbol_table *symbol_table_new(Dwfl_Module *module);
void symbol_table_free(struct symbol_table *table);

/* The symbol that an address lies in: that which begins last, and one with a size before one
 * without.  NULL: in none. */
const struct symbol_range *symbol_table_find(const struct symbol_table *table, uint64_t address);

#endif
