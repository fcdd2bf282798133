/* SPDX-License-Identifier: MIT */
#include "analyzer/cmd/usage.h"

#include <string.h>

#define COLUMNS 80         /* of the narrowest terminal that is common */
#define HELP_COLUMN_MAX 23 /* of the options' help; a longer option has a line of its own */
#define CHOICES_MAX 10     /* of more, the first ones alone are listed */
#define CHOICES_FEW 7      /* how many are then listed */

/* Writes text from a column on, broken between words and then indented so far. */
static void put_wrapped(FILE *out, const char *text, int column, int indent)
{
	while (*text) {
		int spaces = (int)strspn(text, " "), length = (int)strcspn(text + spaces, " ");

		if (column + spaces + length > COLUMNS && column > indent) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
			spaces = 0;
		}
		text += strspn(text, " ");
		fprintf(out, "%*s%.*s", spaces, "", length, text);
		column += spaces + length;
		text += length;
	}
	fputc('\n', out);
}

/* "text (default), json, csv"; g_free it. */
static char *choices_of(const struct command_option *option)
{
	GString *choices = g_string_new(NULL);
	size_t count = 0;

	while (option->choice && option->choice(count))
		count++;
	for (size_t i = 0; i < (count > CHOICES_MAX ? CHOICES_FEW : count); i++) {
		g_string_append_printf(choices, "%s%s", i ? ", " : "", option->choice(i));
		if (i == 0 && option->first)
			g_string_append_printf(choices, " (%s)", option->first);
	}
	g_string_append(choices, count > CHOICES_MAX ? " ..." : "");
	return g_string_free(choices, FALSE);
}

/* "  -o, --output FILE"; g_free it. */
static char *label_of(const struct command_option *option)
{
	char letter[] = "    ";

	if (option->letter)
		memcpy(letter, (char[]){'-', option->letter, ','}, 3);
	return g_strdup_printf("  %s--%s%s%s", letter, option->name, option->argument ? " " : "",
		option->argument ? option->argument : "");
}

static int column_of_help(const GPtrArray *options)
{
	int column = 0;

	for (guint i = 0; i < options->len; i++) {
		const struct command_option *option = g_ptr_array_index(options, i);
		char *label = label_of(option);

		if (option->help)
			column = MAX(column, (int)strlen(label) + 2);
		g_free(label);
	}
	return MIN(column, HELP_COLUMN_MAX);
}

static void put_option(FILE *out, const struct command_option *option, int column)
{
	char *label = label_of(option), *choices = choices_of(option);
	char **around = g_strsplit(option->help, "%s", 2);
	char *help = g_strjoinv(choices, around);

	fputs(label, out);
	if ((int)strlen(label) + 2 > column)
		fprintf(out, "\n%*s", column, "");
	else
		fprintf(out, "%*s", column - (int)strlen(label), "");
	put_wrapped(out, help, column, column);
	g_free(help);
	g_strfreev(around);
	g_free(choices);
	g_free(label);
}

void usage_put(FILE *out, const struct command *command, const GPtrArray *options)
{
	int column = column_of_help(options);

	for (size_t i = 0; command->synopsis[i]; i++) {
		int begin = fprintf(out, "%s pwrtrace %s ", i ? "      " : "usage:", command->name);

		put_wrapped(out, command->synopsis[i], begin, begin);
	}
	fputc('\n', out);
	put_wrapped(out, command->about, 0, 0);
	fputc('\n', out);
	for (guint i = 0; i < options->len; i++) {
		const struct command_option *option = g_ptr_array_index(options, i);

		if (option->help)
			put_option(out, option, column);
	}
}
