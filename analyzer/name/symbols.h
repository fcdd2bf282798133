/* SPDX-License-Identifier: MIT */
/*
 * What functions addresses are in, from the files that the program had loaded, on this machine: by
 * DWARF with inlined functions, else by the symbol table, else module and address.  Debug files are
 * found by build-id and debuglink where Debian and others put them (/usr/lib/debug, .debug).
 */
#ifndef PWRTRACE_SYMBOLS_H
#define PWRTRACE_SYMBOLS_H

#include "analyzer/model/model.h"

struct symbol {
	const char *function; /* demangled, without parameters; or "solve+0x1c", "libx.so+0x2f10" */
	const char *module;   /* the file's name without directories; "" where there is none */
	const char *file;     /* the source where the address is; "" where that is not known */
	unsigned line;        /* 0: not known */
};

struct symbols;

struct symbols *symbols_new(void);
void symbols_free(struct symbols *symbols);

/* The functions that address, in the file's own addresses, is in (struct symbol): the innermost
 * inlined one first, the one that is code of its own last; never empty.  module: NULL where the
 * address was in no file.  The array and its texts live as long as symbols.  Says once per module
 * what is missing, or not the file that ran. */
const GArray *symbols_find(
	struct symbols *symbols, const struct model_module *module, uint64_t address);

/* Its own copy of a text, one for all equal texts. */
const char *symbols_text(struct symbols *symbols, const char *text);

#endif
