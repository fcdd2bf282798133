/* SPDX-License-Identifier: MIT */
/* pwrtrace: finds the command and runs it. */
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/cmd/command.h"
#include "analyzer/numeric/solve.h"
#include "analyzer/print/message.h"
#include "analyzer/print/output.h"

/* Ended by NULL. */
static const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "analyzer/cmd/commands.def"
#undef COMMAND
	NULL};

static const struct command *find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static void put_usage(FILE *out)
{
	fputs("usage: pwrtrace COMMAND [OPTION]... [ARGUMENT]...\n"
	      "\n"
	      "Joules per kernel and per layer of any unmodified GPU program.\n"
	      "\n",
		out);
	for (size_t i = 0; commands[i]; i++)
		fprintf(out, "  %-8s  %s\n", commands[i]->name, commands[i]->help);
	fputs("\nEach has a manual page, pwrtrace-COMMAND(1), and --help.\n", out);
}

/* For the shell's completion, a line each: the commands' names, or what the argument of an option
 * of one may be. */
static int complete(const char *name, const char *option)
{
	const struct command *command = name ? find(name) : NULL;

	for (size_t i = 0; !name && commands[i]; i++)
		puts(commands[i]->name);
	if (command && option)
		command_put_choices(command, option);
	return COMMAND_FINE;
}

static int help(const char *name)
{
	char page[64];

	if (!name || !find(name)) {
		put_usage(stdout);
		return COMMAND_FINE;
	}
	snprintf(page, sizeof(page), "pwrtrace-%s", name);
	execlp("man", "man", page, (char *)NULL);
	message_error("man is not installed; try pwrtrace %s --help", name);
	return COMMAND_BAD_INPUT;
}

static int run(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2) {
		put_usage(stderr);
		return COMMAND_BAD_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("pwrtrace " PWRTRACE_VERSION);
		return COMMAND_FINE;
	}
	if (strcmp(argv[1], "--complete") == 0)
		return complete(argv[2], argv[2] ? argv[3] : NULL);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
		return help(argv[2]);
	command = find(argv[1]);
	if (!command) {
		message_error("there is no command \"%s\"; see pwrtrace --help", argv[1]);
		return COMMAND_BAD_USAGE;
	}
	return command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	int status;

	setlocale(LC_CTYPE, "");
	/* The linear algebra library asks for this before its first use, wherever that is. */
	solve_in_one_thread();
	status = run(argc, argv);
	return status == COMMAND_FINE && !output_finish() ? COMMAND_BAD_INPUT : status;
}
