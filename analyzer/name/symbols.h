/* SPDX-License-Identifier: MIT */
/*
 * What functions addresses are in, from the files that the program had loaded, on this machine: by
 * DWARF with inlined functions, else by the symbol table, else module and address.  Debug files are
 * found by build-id and debuglink where Debian and others put them (/usr/lib/debug, .debug).
 */
#ifndef PWRTRACE_SYMBOLS_H
#define PWRTRACE_SYMBOLS_H

#include <glib.h>
#include <stdint.h>

struct symbol {
	const char *function; /* demangled, without parameters; or "solve+0x1c", "libx.so+0x2f10" */
	const char *module;   /* the file's name without directories; "" where there is none */
	const char *file;     /* the source where the address is; "" where that is not known */
	unsigned line;        /* 0: not known */
};

struct symbols;

/* texts: where the names are kept, one string for all equal ones; it outlives symbols. */
struct symbols *symbols_new(GStringChunk *texts);
void symbols_free(struct symbols *symbols);

/* The functions that an address of a file is in (struct symbol), by the file's own addresses: the
 * innermost inlined one first, the one that is code of its own last; never empty.  build_id: of the
 * file that ran, in hexadecimal digits, or "" where that is not known.  path: NULL where the
 * address was in no file.  The array lives as long as symbols.  Says once per file that it is
 * missing, or is not the one that ran. */
const GArray *symbols_find(
	struct symbols *symbols, const char *path, const char *build_id, uint64_t address);

#endif
