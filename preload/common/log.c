/* SPDX-License-Identifier: MIT */
#include "preload/common/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/common/conf.h"

static struct log_state {
	enum log_level level;
	bool quiet;
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
	int saved_errno = errno;

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

void log_line(enum log_level level, const char *format, ...)
{
	static const char prefix[] = "pwrtrace: ";
	char line[1024];
	int saved_errno = errno;
	va_list args;
	int length;

	if (state.quiet || level > state.level || !stderr_unchanged())
		return;
	memcpy(line, prefix, sizeof(prefix));
	va_start(args, format);
	length = vsnprintf(line + sizeof(prefix) - 1, sizeof(line) - sizeof(prefix), format, args);
	va_end(args);
	length += sizeof(prefix) - 1;
	if (length > (int)sizeof(line) - 1)
		length = sizeof(line) - 1;
	line[length++] = '\n';
	if (write(STDERR_FILENO, line, length) < 0) {
		/* Nobody is left to tell. */
	}
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
