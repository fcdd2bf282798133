/* SPDX-License-Identifier: MIT */
/* The UUID of a GPU as its vendor's tools show it. */
#ifndef PWRTRACE_UUID_H
#define PWRTRACE_UUID_H

#include <stdio.h>
#include <string.h>

#define UUID_BYTES 16
#define UUID_TEXT_BYTES 48 /* with its NUL, and room */

/* Writes "GPU-" and the bytes in hexadecimal digits, in five groups. */
static inline void uuid_write(char text[UUID_TEXT_BYTES], const void *uuid)
{
	const unsigned char *bytes = uuid;
	char *end = stpcpy(text, "GPU-");

	for (int i = 0; i < UUID_BYTES; i++)
		end += sprintf(
			end, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
}

#endif
