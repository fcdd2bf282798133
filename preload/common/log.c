/* SPDX-License-Identifier: MIT */
#include "preload/common/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/common/conf.h"
#include "preload/common/plain.h"
#include "pwrtrace/units.h"

static struct log_state {
	enum log_level level;
	bool quiet;
	bool erases; /* the terminal, if there is one, can erase a part of a line */
	struct stat stderr_at_init;
} state = {.quiet = true};

const struct log_state *log_state(void)
{
	return &state;
}

void log_take(const struct log_state *other)
{
	state = *other;
}

void log_init(void)
{
	const char *terminal = getenv("TERM");
	int saved_errno = errno;

	state.erases = terminal && strcmp(terminal, "dumb") != 0;
	state.quiet = strcmp(conf.log, "quiet") == 0;
	state.level = strcmp(conf.log, "error") == 0   ? LOG_ERROR
		      : strcmp(conf.log, "debug") == 0 ? LOG_DEBUG
						       : LOG_NOTICE;
	if (fstat(STDERR_FILENO, &state.stderr_at_init))
		state.quiet = true;
	errno = saved_errno;
}

static bool stderr_unchanged(void)
{
	struct stat now;

	return fstat(STDERR_FILENO, &now) == 0 && now.st_dev == state.stderr_at_init.st_dev &&
	       now.st_ino == state.stderr_at_init.st_ino;
}

static bool is_said(enum log_level level)
{
	return !state.quiet && level <= state.level && stderr_unchanged();
}

static void write_stderr(const char *bytes, int count)
{
	if (write(STDERR_FILENO, bytes, count) < 0) {
		/* Nobody is left to tell. */
	}
}

void log_line(enum log_level level, const char *format, ...)
{
	static const char prefix[] = "pwrtrace: ";
	char text[1024], line[sizeof(prefix) + sizeof(text)];
	int saved_errno = errno;
	va_list args;
	size_t length = sizeof(prefix) - 1;

	if (!is_said(level))
		return;
	log_progress_end();
	memcpy(line, prefix, sizeof(prefix));
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	length += plain_copy(line + length, sizeof(line) - length, text);
	line[length++] = '\n';
	write_stderr(line, (int)length);
	errno = saved_errno;
}

/* ---- progress, by the sequences of ECMA-48 and the VT100 ---- */

#define AGAIN_NS (PWRTRACE_NS_PER_S / 10)
#define ERASE "\033[K"        /* from the cursor to the end of the line */
#define BEGIN "\0337\033[?7l" /* keep the cursor, cut off what is too long for the line */
#define END "\033[?7h\0338"

static bool shown;

bool log_progress(const char *format, ...)
{
	static uint64_t next_ns;
	char text[256], plain[sizeof(text)], line[sizeof(text) + 64];
	int saved_errno = errno;
	bool is_terminal = is_said(LOG_NOTICE) && state.erases && isatty(STDERR_FILENO) &&
			   tcgetpgrp(STDERR_FILENO) == getpgrp();
	va_list args;

	if (is_terminal && (!shown || clock_now_ns() >= next_ns)) {
		va_start(args, format);
		vsnprintf(text, sizeof(text), format, args);
		va_end(args);
		plain_copy(plain, sizeof(plain), text);
		write_stderr(
			line, snprintf(line, sizeof(line), BEGIN ERASE "pwrtrace: %s" END, plain));
		shown = true;
		next_ns = clock_now_ns() + AGAIN_NS;
	}
	errno = saved_errno;
	return is_terminal;
}

void log_progress_end(void)
{
	int saved_errno = errno;

	if (shown && is_said(LOG_NOTICE))
		write_stderr(ERASE, sizeof(ERASE) - 1);
	shown = false;
	errno = saved_errno;
}

static void say_error(const char *line)
{
	log_error("%s", line);
}

void log_refused_settings(void)
{
	conf_say_refused(say_error);
}
