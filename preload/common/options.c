/* SPDX-License-Identifier: MIT */
#include "preload/common/options.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 64
#define FIRST_ROW 256 /* what getopt_long returns for the first row; above all letters */
#define HELP_COLUMN 23
#define COLUMNS 80

void option_flag(const struct option_row *row, const char *value)
{
	(void)value;
	*(bool *)row->into = true;
}

void option_text(const struct option_row *row, const char *value)
{
	*(const char **)row->into = value;
}

void option_number(const struct option_row *row, const char *value)
{
	*(int *)row->into = atoi(value);
}

void option_choice(const struct option_row *row, const char *value)
{
	(void)value;
	*(int *)row->into = row->choice;
}

static int kind_of_argument(const struct option_row *row)
{
	return !row->argument          ? no_argument
	       : *row->argument == '[' ? optional_argument
				       : required_argument;
}

static const struct option_row *row_of(const struct option_row *rows, size_t count, int found)
{
	if (found >= FIRST_ROW)
		return &rows[found - FIRST_ROW];
	for (size_t i = 0; i < count; i++)
		if (found == rows[i].letter)
			return &rows[i];
	return NULL;
}

int options_parse(
	const struct option_row *rows, size_t count, int argc, char **argv, const char **wrong)
{
	struct option known[ROWS_MAX + 1] = {0};
	char letters[2 * ROWS_MAX + 2] = "+";
	int found;

	for (size_t i = 0; i < count && i < ROWS_MAX; i++) {
		int kind = kind_of_argument(&rows[i]);
		char letter[] = {rows[i].letter, kind == no_argument ? 0 : ':', 0};

		known[i] = (struct option){rows[i].name, kind, NULL, FIRST_ROW + (int)i};
		strcat(letters, letter);
	}
	opterr = 0;
	while ((found = getopt_long(argc, argv, letters, known, NULL)) != -1) {
		const struct option_row *row = row_of(rows, count, found);

		if (!row) {
			*wrong = argv[optind - 1];
			return -1;
		}
		row->take(row, optarg);
	}
	return optind;
}

/* Writes the text from column on, a line's end before each word that would not fit. */
static void print_wrapped(const char *text, int column, FILE *out)
{
	while (*text) {
		int length = (int)strcspn(text, " ");

		if (column > HELP_COLUMN && column + 1 + length > COLUMNS) {
			fprintf(out, "\n%*s", HELP_COLUMN, "");
			column = HELP_COLUMN;
		} else if (column > HELP_COLUMN) {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", length, text);
		column += length;
		text += length;
		text += *text == ' ';
	}
	fputc('\n', out);
}

void options_print(const struct option_row *rows, size_t count, FILE *out)
{
	for (size_t i = 0; i < count; i++) {
		const struct option_row *row = &rows[i];
		const char *argument = row->argument ? row->argument : "";
		int width;

		if (!row->help)
			continue;
		width = row->letter
				? fprintf(out, "  -%c, --%s%s", row->letter, row->name, argument)
				: fprintf(out, "      --%s%s", row->name, argument);
		if (width < HELP_COLUMN)
			width += fprintf(out, "%*s", HELP_COLUMN - width, "");
		print_wrapped(row->help, width, out);
	}
}
