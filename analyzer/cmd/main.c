/* SPDX-License-Identifier: MIT */
/* pwrtrace: finds the command and runs it. */
#include <glib.h>
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

static int refuse(const char *name)
{
	message_error("there is no command \"%s\"; see pwrtrace --help", name);
	return COMMAND_BAD_USAGE;
}

/* Whether man(1) finds a manual page. */
static bool is_installed(char *page)
{
	char *find_page[] = {"man", "-w", page, NULL};
	int status;

	return g_spawn_sync(NULL, find_page, NULL,
		       G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
			       G_SPAWN_STDERR_TO_DEV_NULL,
		       NULL, NULL, NULL, NULL, &status, NULL) &&
	       status == 0;
}

/* Shows the manual page of a command; what --help says, where that is not installed. */
static int help(char *name)
{
	const struct command *command = find(name);
	char *ask[] = {name, "--help", NULL}, page[64];

	if (!command)
		return refuse(name);
	snprintf(page, sizeof(page), "pwrtrace-%s", name);
	if (is_installed(page))
		execlp("man", "man", page, (char *)NULL);
	return command->run(2, ask);
}

static int run(int argc, char **argv)
{
	const struct command *command;
	bool is_help;

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
	is_help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0;
	if (is_help && argc > 2)
		return help(argv[2]);
	if (is_help) {
		put_usage(stdout);
		return COMMAND_FINE;
	}
	command = find(argv[1]);
	return command ? command->run(argc - 1, argv + 1) : refuse(argv[1]);
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
