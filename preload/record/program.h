/* SPDX-License-Identifier: MIT */
/* The program that is recorded: found, checked, started at a gate, and its end. */
#ifndef PWRTRACE_RECORD_PROGRAM_H
#define PWRTRACE_RECORD_PROGRAM_H

#include <stddef.h>
#include <sys/types.h>

/* Exit statuses of the shell and of pwrtrace itself. */
enum { EXIT_CANNOT_RECORD = 125, EXIT_CANNOT_EXECUTE = 126, EXIT_NOT_FOUND = 127 };

/* Looks for command as the shell does and checks that a preloaded library will be part of it:
 * static and setuid programs drop it.  Returns 0, or one of the statuses above with one line in
 * why. */
int program_check(const char *command, char *why, size_t why_size);

struct program {
	pid_t pid;
	int gate_fd;
};

/* Forks the process that will become the program: it has its pid, its environment (assignments
 * "NAME=VALUE", NULL-terminated; "NAME" alone removes) and waits to be let go.  Returns 0 or -1
 * with errno. */
int program_hold(struct program *program, char *const *argv, char *const *assignments);

/* Lets it go. */
void program_start(struct program *program);

/* Ends it before it began. */
void program_cancel(struct program *program);

/* Waits for its end.  Returns the exit status for the shell, 128 + signal included. */
int program_wait(const struct program *program);

#endif
