/* SPDX-License-Identifier: MIT */
#include "analyzer/cmd/command.h"

#include <glib.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/print/message.h"

const struct command *const commands[] = {
	&command_record, &command_report, &command_graphs, &command_info, &command_sensors, NULL};

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

int command_misused(const struct command *command, const char *format, ...)
{
	va_list args;

	fputs("pwrtrace: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "; see pwrtrace %s --help\n", command->name);
	return COMMAND_BAD_USAGE;
}

int command_misused_option(const struct command *command, char *const *argv)
{
	return command_misused(command, "wrong usage at \"%s\"", argv[optind - 1]);
}

/* ---- choices ---- */

static bool has_value(const struct command_choice *choice, const char *value)
{
	for (size_t i = 0; choice->value(i); i++)
		if (strcmp(choice->value(i), value) == 0)
			return true;
	return false;
}

int command_check_choice(
	const struct command *command, const struct command_choice *choice, const char *value)
{
	GString *values;

	if (has_value(choice, value))
		return 0;
	values = g_string_new(NULL);
	for (size_t i = 0; choice->value(i); i++)
		g_string_append_printf(values, "%s%s",
			!i                     ? ""
			: choice->value(i + 1) ? ", "
					       : " or ",
			choice->value(i));
	command_misused(command, "--%s takes %s, not \"%s\"", choice->option, values->str, value);
	g_string_free(values, TRUE);
	return COMMAND_BAD_USAGE;
}

static const char *color_value(size_t i)
{
	static const char *const values[] = {"auto", "always", "never", NULL};

	return values[i];
}

static const struct command_choice color = {"color", color_value};

const struct command_choice *command_find_choice(const struct command *command, const char *option)
{
	if (strncmp(option, "--", 2) != 0)
		return NULL;
	option += 2;
	for (const struct command_choice *choice = command->choices; choice && choice->option;
		choice++)
		if (strcmp(choice->option, option) == 0)
			return choice;
	return strcmp(color.option, option) == 0 ? &color : NULL;
}

/* ---- options ---- */

bool command_color_default(FILE *out)
{
	const char *no_color = getenv("NO_COLOR");

	return isatty(fileno(out)) && !(no_color && *no_color);
}

bool command_common_option(
	const struct command *command, struct command_options *options, int option)
{
	switch (option) {
	case 'q':
	case 'v':
		message_quiet = option == 'q';
		options->verbose = option == 'v';
		return true;
	case COMMAND_OPTION_HELP:
		fputs(command->usage, stdout);
		options->done = true;
		return true;
	case COMMAND_OPTION_VERSION:
		puts("pwrtrace " PWRTRACE_VERSION);
		options->done = true;
		return true;
	case COMMAND_OPTION_COLOR:
		if (strcmp(optarg, "auto") != 0)
			options->color = strcmp(optarg, "always") == 0;
		return has_value(&color, optarg);
	default:
		return false;
	}
}
