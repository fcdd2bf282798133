/* SPDX-License-Identifier: MIT */
/*
 * A command of pwrtrace: a row of commands.def and a file of its own.  Its options are rows of one
 * table, which getopt_long, the usage text, the shells' completion and the check of what may be
 * chosen are made of.
 */
#ifndef PWRTRACE_COMMAND_H
#define PWRTRACE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Exit statuses. */
enum { COMMAND_FINE = 0, COMMAND_BAD_INPUT = 1, COMMAND_BAD_USAGE = 2 };

struct command;
struct command_option;

/* Puts an option's argument (NULL where it takes none) into place.  Returns 0, or the exit status
 * after saying what is wrong. */
typedef int command_take(const struct command *command, const struct command_option *option,
	void *place, const char *argument);

struct command_option {
	const char *name;     /* without its dashes */
	char letter;          /* the same option in short; 0: there is none */
	const char *argument; /* what the usage calls it; NULL: the option takes none */
	/* "%s" in it: what there is to choose from.  NULL: the usage does not list the option. */
	const char *help;
	command_take *take;
	size_t offset;                 /* of the place, in the struct that command_parse fills */
	const char *(*choice)(size_t); /* the i-th of what the argument may be, NULL after the
					* last; NULL: it may be anything */
	const char *first;             /* the usage's note on the first choice; or NULL */
	unsigned long least, most;     /* of numbers; most 0: without an end */
	int value;                     /* for command_take_value */
	const char *unit;    /* of quantities: an SI unit without a prefix; "" for a part of 1 */
	const char *example; /* of quantities: one that may be given, with its unit */
	bool above_zero;     /* of quantities: 0 is refused; negative ones always are */
};

/* What command_parse fills begins with these. */
struct command_options {
	bool color; /* set it to the default before: command_color_default */
	bool verbose;
	bool done;              /* --help or --version was answered */
	char *const *arguments; /* what is no option, ended by NULL */
};

struct command {
	const char *name;
	const char *help; /* one line */
	/* What may follow the name, one string for each way to call it, and what it does.  NULL of
	 * a program of its own, which has its own options and usage. */
	const char *const *synopsis;
	const char *about;
	const struct command_option *options; /* ended by a NULL name; or NULL */
	bool traces;                          /* its arguments are traces, one at least */
	/* argv[0] is the command's name.  Returns the exit status. */
	int (*run)(int argc, char **argv);
};

#define COMMAND(name) extern const struct command command_##name;
#include "analyzer/cmd/commands.def"
#undef COMMAND

/* Rows of options that every command takes, for a command that describes them in more detail. */
#define COMMAND_COLOR(text)                                                                        \
	{                                                                                          \
		"color", 0, "WHEN", text, command_take_color,                                      \
			offsetof(struct command_options, color), .choice = command_color_choice,   \
								 .first = "default"                \
	}
#define COMMAND_VERBOSE(text)                                                                      \
	{                                                                                          \
		"verbose", 'v', NULL, text, command_take_verbose,                                  \
			offsetof(struct command_options, verbose), .value = true                   \
	}
command_take command_take_color, command_take_verbose;
const char *command_color_choice(size_t i);

/* Fills options, which begins with a struct command_options, from what was given.  Returns 0, or
 * the exit status after saying what is wrong. */
int command_parse(const struct command *command, int argc, char **argv, void *options);

/* Takers: of const char *, bool, size_t from least to most, the same as const char *, and int,
 * which is set to the option's value. */
command_take command_take_text, command_take_flag, command_take_count, command_take_number,
	command_take_value;

/* Takers of numbers with units (quantity.h), in the option's unit: of double; and of GArray *, of
 * double, from a list with commas between them, which replaces what the place holds and is freed
 * with g_array_unref. */
command_take command_take_quantity, command_take_quantities;

/* Says what is wrong with the usage and where to look; returns COMMAND_BAD_USAGE. */
int command_misused(const struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Prints what the argument of an option (with its dashes) may be, a line each; nothing where it may
 * be anything. */
void command_put_choices(const struct command *command, const char *option);

/* Whether colour is wanted on out, by default: a terminal, and no NO_COLOR. */
bool command_color_default(FILE *out);

#endif
