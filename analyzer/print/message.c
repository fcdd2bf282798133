/* SPDX-License-Identifier: MIT */
#include "analyzer/print/message.h"

#include <stdarg.h>
#include <stdio.h>

bool message_quiet;

static void say(const char *format, va_list args)
{
	fputs("pwrtrace: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
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
