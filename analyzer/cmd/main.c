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

/* For the shell's completion, a line each: the commands' names, or the values of an option of one.
 */
static int complete(const char *name, const char *option)
{
	const struct command *command = name ? command_find(name) : NULL;
	const struct command_choice *choice =
		command && option ? command_find_choice(command, option) : NULL;

	for (size_t i = 0; !name && commands[i]; i++)
		puts(commands[i]->name);
	for (size_t i = 0; choice && choice->value(i); i++)
		puts(choice->value(i));
	return COMMAND_FINE;
}

static int help(const char *name)
{
	char page[64];

	if (!name || !command_find(name)) {
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
	opterr = 0; /* the commands say what is wrong in one line */
	command = command_find(argv[1]);
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
