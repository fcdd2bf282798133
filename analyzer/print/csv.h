/* SPDX-License-Identifier: MIT */
/* Comma-separated values as in RFC 4180; what is not known is an empty field. */
#ifndef PWRTRACE_CSV_H
#define PWRTRACE_CSV_H

#include <stddef.h>
#include <stdio.h>

/* What a member of a row is: const char * (NULL: not known), double (not finite: not known), or
 * uint64_t. */
enum csv_type { CSV_TEXT, CSV_NUMBER, CSV_COUNT };

/* A column of a table whose rows are structs of one type. */
struct csv_column {
	const char *heading;
	enum csv_type type;
	size_t offset; /* of the member */
};

/* Writes the headings of columns, ended by a NULL heading. */
void csv_put_headings(FILE *out, const struct csv_column *columns);

/* Writes a row of the table. */
void csv_put_row(FILE *out, const struct csv_column *columns, const void *row);

/* Writes a text, in quotes where it needs them. */
void csv_put_text(FILE *out, const char *text);

#endif
