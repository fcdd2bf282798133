/* SPDX-License-Identifier: MIT */
#include "preload/shim/layer/name.h"

#include <stdint.h>
#include <string.h>

static const char ellipsis[] = "\xe2\x80\xa6";

static size_t mark_cut(char *buffer, size_t size)
{
	size_t length = size - sizeof(ellipsis);

	while (length && ((unsigned char)buffer[length] & 0xc0) == 0x80)
		length--;
	memcpy(buffer + length, ellipsis, sizeof(ellipsis));
	return length + sizeof(ellipsis) - 1;
}

size_t name_append(char *buffer, size_t length, size_t size, const char *text)
{
	size_t more = strnlen(text, size - length);

	memcpy(buffer + length, text, more);
	if (length + more == size)
		return mark_cut(buffer, size);
	buffer[length + more] = 0;
	return length + more;
}

/* Returns how many bytes it took. */
static size_t put_utf8(char *to, uint32_t c)
{
	static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
	size_t more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

	for (size_t i = more; i; i--, c >>= 6)
		to[i] = (char)(0x80 | (c & 0x3f));
	to[0] = (char)(first[more] | c);
	return more + 1;
}

const char *name_of_wide(char *buffer, size_t size, const wchar_t *text)
{
	size_t length = 0;

	if (!text)
		return NULL;
	for (; *text; text++) {
		uint32_t c = (uint32_t)*text;

		if (length + 4 >= size) {
			memset(buffer + length, ' ', size - length);
			mark_cut(buffer, size);
			return buffer;
		}
		length += put_utf8(buffer + length, c < 0x110000 ? c : 0xfffd);
	}
	buffer[length] = 0;
	return buffer;
}
