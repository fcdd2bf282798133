/* SPDX-License-Identifier: MIT */
#include "preload/common/plain.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ESCAPE_MAX sizeof("\\xff")

/* How many bytes the character at the beginning of text has, or 0 where they are not UTF-8. */
static size_t character_bytes(const unsigned char *text, uint32_t *character)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t bytes = *text < 0x80   ? 1
		       : *text < 0xc0 ? 0
		       : *text < 0xe0 ? 2
		       : *text < 0xf0 ? 3
		       : *text < 0xf8 ? 4
				      : 0;

	*character = *text & (bytes > 1 ? 0x7fU >> bytes : 0xffU);
	for (size_t i = 1; i < bytes; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		*character = *character << 6 | (text[i] & 0x3f);
	}
	return *character < least[bytes] || *character > 0x10ffff || *character >> 11 == 0x1b
		       ? 0
		       : bytes;
}

static size_t escape(char escaped[ESCAPE_MAX], uint32_t character)
{
	if (character == '\n' || character == '\t')
		strcpy(escaped, character == '\n' ? "\\n" : "\\t");
	else
		snprintf(escaped, ESCAPE_MAX, "\\x%02x", character & 0xff);
	return strlen(escaped);
}

size_t plain_copy(char *to, size_t size, const char *text)
{
	size_t length = 0;

	while (*text) {
		uint32_t character;
		size_t bytes = character_bytes((const unsigned char *)text, &character);
		char escaped[ESCAPE_MAX];
		const char *from = text;
		size_t written = bytes;

		if (!bytes || character < ' ' || (character >= 0x7f && character < 0xa0)) {
			from = escaped;
			written = escape(escaped, bytes ? character : (unsigned char)*text);
		}
		if (length + written >= size)
			break;
		memcpy(to + length, from, written);
		length += written;
		text += bytes ? bytes : 1;
	}
	if (size)
		to[length] = 0;
	return length;
}
