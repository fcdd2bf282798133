/* SPDX-License-Identifier: MIT */
#include "analyzer/cmd/command.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/message.h"

const struct command *const commands[] = {
	&command_record, &command_report, &command_graphs, &command_info, NULL};

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
		message_quiet = true;
		return true;
	case 'v':
		message_quiet = false;
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
		if (strcmp(optarg, "always") == 0 || strcmp(optarg, "never") == 0)
			options->color = *optarg == 'a';
		else if (strcmp(optarg, "auto") != 0)
			return false;
		return true;
	default:
		return false;
	}
}
