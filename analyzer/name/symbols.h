/* SPDX-License-Identifier: MIT */
/*
 * Function names of code addresses, from the files on this machine that the program had loaded: by
 * DWARF, with inlined functions; else by the symbol table; else as module and address.  Separate
 * debug files are found by build-id and debuglink in the usual places (/usr/lib/debug, .debug).
 */
#ifndef PWRTRACE_SYMBOLS_H
#define PWRTRACE_SYMBOLS_H

#include <glib.h>
#include <stdint.h>

struct symbol {
	const char *function; /* demangled, without parameters; or "solve+0x1c", "libx.so+0x2f10" */
	const char *module;   /* the file's name without directories; "": in no file */
	const char *file;     /* the source file; "": not known */
	unsigned line;        /* 0: not known */
};

struct symbols;

/* Names are kept in texts, which must outlive symbols; equal names are the same string. */
struct symbols *symbols_new(GStringChunk *texts);
void symbols_free(struct symbols *symbols);

/* The functions (struct symbol) at an address of a file: the innermost inlined one first, the
 * function that they are inlined into last; never empty.  path: the file, or NULL where the address
 * was in none.  build_id: of the file that ran, in hexadecimal digits, or "" where not known.
 * address: as the file itself counts.  The array belongs to symbols.  Files that are missing,
 * or are not those that ran, are warned of when symbols are freed. */
const GArray *symbols_find(
	struct symbols *symbols, const char *path, const char *build_id, uint64_t address);

#endif
