/* SPDX-License-Identifier: MIT */
#include "analyzer/cmd/command.h"

#include <getopt.h>
#include <glib.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/cmd/usage.h"
#include "analyzer/print/message.h"
#include "analyzer/print/quantity.h"

/* What getopt_long returns for the first option; more than any letter. */
#define FIRST_OPTION 256

int command_misused(const struct command *command, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	message_error("%s; see pwrtrace %s --help", text, command->name);
	g_free(text);
	return COMMAND_BAD_USAGE;
}

/* ---- takers ---- */

int command_take_text(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	(void)command;
	(void)option;
	*(const char **)place = argument;
	return 0;
}

int command_take_flag(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	(void)command;
	(void)option;
	(void)argument;
	*(bool *)place = true;
	return 0;
}

int command_take_value(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	(void)command;
	(void)argument;
	*(int *)place = option->value;
	return 0;
}

int command_take_count(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	char *end;
	unsigned long count = strtoul(argument, &end, 10);

	*(size_t *)place = count;
	if (g_ascii_isdigit(*argument) && !*end && count >= option->least &&
		(!option->most || count <= option->most))
		return 0;
	if (!option->most && !option->least)
		return command_misused(
			command, "--%s takes a number, not \"%s\"", option->name, argument);
	if (!option->most)
		return command_misused(command, "--%s takes a number of %lu or more, not \"%s\"",
			option->name, option->least, argument);
	return command_misused(command, "--%s takes a number from %lu to %lu, not \"%s\"",
		option->name, option->least, option->most, argument);
}

int command_take_number(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	size_t count;

	*(const char **)place = argument;
	return command_take_count(command, option, &count, argument);
}

/* Returns NaN where the option does not take it. */
static double quantity_of(const struct command_option *option, const char *argument)
{
	double number = quantity_parse(argument, option->unit);

	return number > 0 || (number >= 0 && !option->above_zero) ? number : NAN;
}

static int refuse_quantity(
	const struct command *command, const struct command_option *option, const char *argument)
{
	return command_misused(command, "--%s takes a %s%s, like %s, not \"%s\"", option->name,
		quantity_name(option->unit), option->above_zero ? " above 0" : "", option->example,
		argument);
}

int command_take_quantity(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	double *number = place;

	*number = quantity_of(option, argument);
	return isfinite(*number) ? 0 : refuse_quantity(command, option, argument);
}

int command_take_quantities(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	GArray **numbers = place;
	char **parts = g_strsplit(argument, ",", -1);
	int status = *parts ? 0 : refuse_quantity(command, option, argument);

	if (*numbers)
		g_array_unref(*numbers);
	*numbers = g_array_new(FALSE, FALSE, sizeof(double));
	for (char **part = parts; !status && *part; part++) {
		double number = quantity_of(option, g_strstrip(*part));

		g_array_append_val(*numbers, number);
		if (!isfinite(number))
			status = refuse_quantity(command, option, *part);
	}
	g_strfreev(parts);
	return status;
}

/* ---- options that every command takes ---- */

/* -q and -v: the last one counts. */
int command_take_verbose(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	(void)command;
	(void)argument;
	*(bool *)place = option->value;
	message_quiet = !option->value;
	return 0;
}

bool command_color_default(FILE *out)
{
	const char *no_color = getenv("NO_COLOR");

	return isatty(fileno(out)) && !(no_color && *no_color);
}

const char *command_color_choice(size_t i)
{
	static const char *const values[] = {"auto", "always", "never", NULL};

	return values[i];
}

int command_take_color(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	(void)command;
	(void)option;
	if (strcmp(argument, "auto") != 0)
		*(bool *)place = strcmp(argument, "always") == 0;
	return 0;
}

static int take_version(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	puts("pwrtrace " PWRTRACE_VERSION);
	return command_take_flag(command, option, place, argument);
}

static command_take take_help;

static const struct command_option common_options[] = {
	COMMAND_COLOR(NULL),
	{"quiet", 'q', NULL, "say nothing but errors", .take = command_take_verbose,
		.offset = offsetof(struct command_options, verbose), .value = false},
	COMMAND_VERBOSE("undo an earlier -q"),
	{"help", 0, NULL, "this text", .take = take_help,
		.offset = offsetof(struct command_options, done)},
	{"version", 0, NULL, "the version", .take = take_version,
		.offset = offsetof(struct command_options, done)},
};

/* ---- all options of a command ---- */

static const struct command_option *find(const GPtrArray *options, const char *name)
{
	for (guint i = 0; i < options->len; i++) {
		const struct command_option *option = g_ptr_array_index(options, i);

		if (strcmp(option->name, name) == 0)
			return option;
	}
	return NULL;
}

/* Returns its own and those common ones that are not among them (const struct command_option *).
 * The caller frees the array. */
static GPtrArray *options_of(const struct command *command)
{
	GPtrArray *options = g_ptr_array_new();

	if (!command->synopsis)
		return options;
	for (size_t i = 0; command->options && command->options[i].name; i++)
		g_ptr_array_add(options, (gpointer)&command->options[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(common_options); i++)
		if (!find(options, common_options[i].name))
			g_ptr_array_add(options, (gpointer)&common_options[i]);
	return options;
}

static int take_help(const struct command *command, const struct command_option *option,
	void *place, const char *argument)
{
	GPtrArray *options = options_of(command);

	usage_put(stdout, command, options);
	g_ptr_array_free(options, TRUE);
	return command_take_flag(command, option, place, argument);
}

/* ---- choices ---- */

static bool is_choice(const struct command_option *option, const char *argument)
{
	for (size_t i = 0; option->choice(i); i++)
		if (strcmp(option->choice(i), argument) == 0)
			return true;
	return false;
}

static int refuse_choice(
	const struct command *command, const struct command_option *option, const char *argument)
{
	GString *choices = g_string_new(NULL);

	for (size_t i = 0; option->choice(i); i++)
		g_string_append_printf(choices, "%s%s",
			!i                      ? ""
			: option->choice(i + 1) ? ", "
						: " or ",
			option->choice(i));
	command_misused(command, "--%s takes %s, not \"%s\"", option->name, choices->str, argument);
	g_string_free(choices, TRUE);
	return COMMAND_BAD_USAGE;
}

void command_put_choices(const struct command *command, const char *option)
{
	GPtrArray *options = options_of(command);
	const struct command_option *found =
		g_str_has_prefix(option, "--") ? find(options, option + 2) : NULL;

	for (size_t i = 0; found && found->choice && found->choice(i); i++)
		puts(found->choice(i));
	g_ptr_array_free(options, TRUE);
}

/* ---- parsing ---- */

/* The option for which getopt_long has returned this; NULL: it has refused one. */
static const struct command_option *option_of(const GPtrArray *options, int returned)
{
	if (returned >= FIRST_OPTION)
		return g_ptr_array_index(options, (guint)(returned - FIRST_OPTION));
	for (guint i = 0; i < options->len; i++) {
		const struct command_option *option = g_ptr_array_index(options, i);

		if (option->letter == returned)
			return option;
	}
	return NULL;
}

/* Returns the rows that getopt_long takes (struct option), and appends its letters.  The caller
 * frees the array. */
static GArray *long_options(const GPtrArray *options, GString *letters)
{
	GArray *rows = g_array_new(TRUE, FALSE, sizeof(struct option));

	for (guint i = 0; i < options->len; i++) {
		const struct command_option *option = g_ptr_array_index(options, i);
		struct option row = {option->name,
			option->argument ? required_argument : no_argument, NULL,
			FIRST_OPTION + (int)i};

		g_array_append_val(rows, row);
		if (option->letter)
			g_string_append_printf(
				letters, "%c%s", option->letter, option->argument ? ":" : "");
	}
	return rows;
}

static int take(const struct command *command, const struct command_option *option, void *place)
{
	if (option->choice && !is_choice(option, optarg))
		return refuse_choice(command, option, optarg);
	return option->take(command, option, place, optarg);
}

int command_parse(const struct command *command, int argc, char **argv, void *filled)
{
	GPtrArray *options = options_of(command);
	GString *letters = g_string_new(NULL);
	GArray *rows = long_options(options, letters);
	struct command_options *common = filled;
	int returned, status = 0;

	opterr = 0; /* errors are printed here, in one line */
	while (!status && !common->done &&
		(returned = getopt_long(argc, argv, letters->str,
			 (const struct option *)(const void *)rows->data, NULL)) != -1) {
		const struct command_option *option = option_of(options, returned);

		status = option ? take(command, option, (char *)filled + option->offset)
				: command_misused(
					  command, "wrong usage at \"%s\"", argv[optind - 1]);
	}
	common->arguments = argv + optind;
	if (!status && !common->done && command->traces && !*common->arguments)
		status = command_misused(command, "no trace is named");
	g_array_free(rows, TRUE);
	g_string_free(letters, TRUE);
	g_ptr_array_free(options, TRUE);
	return status;
}
