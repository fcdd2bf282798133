/* SPDX-License-Identifier: MIT */
/*
 * What the test programs share.  Each of them starts a known amount of work and says on stdout how
 * much it was, so that a test can compare that with a trace.  stdout is the same with and without
 * pwrtrace.  A failing call ends the program with one line on stderr and status 1.
 */
#ifndef COMMON_H
#define COMMON_H

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

/* The kinds of work as a trace tells them apart: KERNEL is kernel_exec, SYNC sync, GRAPH
 * graph_launch, the others are the `kind` of memory_exec. */
enum kind { KERNEL, READ, WRITE, COPY, FILL, MAP, UNMAP, MIGRATE, FREE, SYNC, GRAPH, KINDS };

/* How much this process has started successfully. */
static _Atomic unsigned long started[KINDS];

__attribute__((format(printf, 1, 2), noreturn)) static inline void fail(const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(1);
}

/* One line: "kernels=N reads=N writes=N ...". */
static inline void print_started(void)
{
	static const char *const names[KINDS] = {
		[KERNEL] = "kernels",
		[READ] = "reads",
		[WRITE] = "writes",
		[COPY] = "copies",
		[FILL] = "fills",
		[MAP] = "maps",
		[UNMAP] = "unmaps",
		[MIGRATE] = "migrates",
		[FREE] = "frees",
		[SYNC] = "syncs",
		[GRAPH] = "graphs",
	};

	for (int i = 0; i < KINDS; i++)
		printf("%s=%lu%c", names[i], started[i], i + 1 < KINDS ? ' ' : '\n');
	fflush(stdout);
}

/* Returns the whole number in text; what it is not one of ends the program with status 2. */
static inline unsigned long number(const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end == text || *end) {
		fprintf(stderr, "%s: %s: not a number\n", program_invocation_short_name, text);
		exit(2);
	}
	return value;
}

#endif
