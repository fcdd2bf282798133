/* SPDX-License-Identifier: MIT */
#include "analyzer/print/csv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void csv_put_text(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

void csv_put_headings(FILE *out, const struct csv_column *columns)
{
	for (size_t i = 0; columns[i].heading; i++)
		fprintf(out, "%s%s", i ? "," : "", columns[i].heading);
	fputs("\r\n", out);
}

static void put_value(FILE *out, enum csv_type type, const void *value)
{
	const char *text;
	double number;

	switch (type) {
	case CSV_TEXT:
		text = *(const char *const *)value;
		csv_put_text(out, text ? text : "");
		break;
	case CSV_NUMBER:
		number = *(const double *)value;
		if (isfinite(number))
			fprintf(out, "%.12g", number);
		break;
	case CSV_COUNT:
		fprintf(out, "%" PRIu64, *(const uint64_t *)value);
	}
}

void csv_put_row(FILE *out, const struct csv_column *columns, const void *row)
{
	for (size_t i = 0; columns[i].heading; i++) {
		fputs(i ? "," : "", out);
		put_value(out, columns[i].type, (const char *)row + columns[i].offset);
	}
	fputs("\r\n", out);
}
