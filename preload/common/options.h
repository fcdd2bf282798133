/* SPDX-License-Identifier: MIT */
/* The options of a program as rows of one table: what getopt_long takes, who reads each, and the
 * text of --help come of it. */
#ifndef PWRTRACE_OPTIONS_H
#define PWRTRACE_OPTIONS_H

#include <stddef.h>
#include <stdio.h>

struct option_row {
	const char *name;     /* "output" of --output */
	char letter;          /* 'o' of -o; 0: none */
	const char *argument; /* " DIR"; "[=WAY]" where it may be left out; NULL: it takes none */
	const char *help;     /* NULL: not for users, not in the text */

	/* Takes the option; value: NULL for one without. */
	void (*take)(const struct option_row *row, const char *value);

	/* For take, as it wants them. */
	void *into;
	int choice;
	const char *variable, *alone;
};

/* Of take: sets the bool, the const char *, the int that into points to. */
void option_flag(const struct option_row *row, const char *value);
void option_text(const struct option_row *row, const char *value);
void option_number(const struct option_row *row, const char *value);

/* Sets the int that into points to, to choice. */
void option_choice(const struct option_row *row, const char *value);

/* Takes the options of argv, up to the first argument that is none.  Returns that one's place in
 * argv, or -1 with *wrong, the argument that is no option of the rows or lacks its value. */
int options_parse(
	const struct option_row *rows, size_t count, int argc, char **argv, const char **wrong);

/* Writes a line or more for each row that has help, in 80 columns. */
void options_print(const struct option_row *rows, size_t count, FILE *out);

#endif
