/* SPDX-License-Identifier: MIT */
/* Commands of pwrtrace: one file each and one row in command.c. */
#ifndef PWRTRACE_COMMAND_H
#define PWRTRACE_COMMAND_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

/* Exit statuses. */
enum { COMMAND_FINE = 0, COMMAND_BAD_INPUT = 1, COMMAND_BAD_USAGE = 2 };

/* An option that takes one of some values: the i-th of them, NULL after the last. */
struct command_choice {
	const char *option;
	const char *(*value)(size_t i);
};

struct command {
	const char *name;
	const char *help; /* one line */
	const char *usage;
	const struct command_choice *choices; /* ended by a NULL option; or NULL */
	/* argv[0] is the command's name.  Returns the exit status. */
	int (*run)(int argc, char **argv);
};

extern const struct command *const commands[]; /* ended by NULL */
const struct command *command_find(const char *name);

/* Says what is wrong with the usage and where to look; returns COMMAND_BAD_USAGE. */
int command_misused(const struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The same for the option that getopt_long has just refused. */
int command_misused_option(const struct command *command, char *const *argv);

/* Returns 0 where the choice has such a value, else says which it has and returns
 * COMMAND_BAD_USAGE. */
int command_check_choice(
	const struct command *command, const struct command_choice *choice, const char *value);

/* The choice that an option (with its dashes) of the command is; NULL where it is none. */
const struct command_choice *command_find_choice(const struct command *command, const char *option);

/* The options that every command takes. */
struct command_options {
	bool color;
	bool verbose;
	bool done; /* --help or --version was answered */
};

#define COMMAND_SHORT_OPTIONS "qv"
enum { COMMAND_OPTION_HELP = 1000, COMMAND_OPTION_VERSION, COMMAND_OPTION_COLOR };
#define COMMAND_LONG_OPTIONS                                                                       \
	{"quiet", no_argument, NULL, 'q'}, {"verbose", no_argument, NULL, 'v'},                    \
		{"help", no_argument, NULL, COMMAND_OPTION_HELP},                                  \
		{"version", no_argument, NULL, COMMAND_OPTION_VERSION},                            \
	{                                                                                          \
		"color", required_argument, NULL, COMMAND_OPTION_COLOR                             \
	}

/* Takes an option that getopt_long returned.  Returns false where it is none of the common ones,
 * or has a wrong argument: the usage is then wrong. */
bool command_common_option(
	const struct command *command, struct command_options *options, int option);

/* Whether colour is wanted on out, by default: a terminal, and no NO_COLOR. */
bool command_color_default(FILE *out);

extern const struct command command_record;
extern const struct command command_report;
extern const struct command command_graphs;
extern const struct command command_info;
extern const struct command command_sensors;

#endif
