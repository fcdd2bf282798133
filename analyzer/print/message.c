/* SPDX-License-Identifier: MIT */
#include "analyzer/print/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/print/text.h"
#include "pwrtrace/units.h"

/* How long all is done without a word, and how often the line is written anew. */
#define SILENT_NS PWRTRACE_NS_PER_S
#define AGAIN_NS (100 * PWRTRACE_NS_PER_MS)

bool message_quiet;

static int progress_columns; /* of the line that is shown; 0: none is */

static void say(const char *format, va_list args)
{
	message_progress_end();
	fputs("pwrtrace: ", stderr);
	text_put_line_of(stderr, format, args);
}

void message_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

void message_warn(const char *format, ...)
{
	va_list args;

	if (message_quiet)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * PWRTRACE_NS_PER_S + (uint64_t)now.tv_nsec;
}

void message_progress(const char *what, uint64_t done, uint64_t total)
{
	static uint64_t next_ns; /* when a line may be written; 0: nothing was begun */
	uint64_t now = now_ns();
	int columns;

	if (!next_ns)
		next_ns = now + SILENT_NS;
	if (now < next_ns || message_quiet || !isatty(STDERR_FILENO))
		return;
	next_ns = now + AGAIN_NS;
	columns = fprintf(stderr, "\rpwrtrace: %s", what);
	if (total)
		columns += fprintf(stderr, " %3.0f %%", 100.0 * (double)done / (double)total);
	fprintf(stderr, "%*s", progress_columns > columns ? progress_columns - columns : 0, "");
	fflush(stderr);
	progress_columns = columns;
}

void message_progress_end(void)
{
	if (progress_columns)
		fprintf(stderr, "\r%*s\r", progress_columns - 1, "");
	progress_columns = 0;
}
