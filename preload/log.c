/* SPDX-License-Identifier: MIT */
#include "preload/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/conf.h"

static enum log_level log_level = LOG_NOTICE;
static bool quiet;
static struct stat stderr_at_init;

void log_init(void)
{
	int saved_errno = errno;

	quiet = strcmp(conf.log, "quiet") == 0;
	log_level = strcmp(conf.log, "error") == 0   ? LOG_ERROR
		    : strcmp(conf.log, "debug") == 0 ? LOG_DEBUG
						     : LOG_NOTICE;
	if (fstat(STDERR_FILENO, &stderr_at_init))
		quiet = true;
	errno = saved_errno;
}

static bool stderr_unchanged(void)
{
	struct stat now;

	return fstat(STDERR_FILENO, &now) == 0 && now.st_dev == stderr_at_init.st_dev &&
	       now.st_ino == stderr_at_init.st_ino;
}

void log_line(enum log_level level, const char *format, ...)
{
	static const char prefix[] = "pwrtrace: ";
	char line[1024];
	int saved_errno = errno;
	va_list args;
	int length;

	if (quiet || level > log_level || !stderr_unchanged())
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
