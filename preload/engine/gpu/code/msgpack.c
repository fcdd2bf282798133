/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/code/msgpack.h"

#define NEVER_USED 0xc1

/* The format of values whose first byte is `first` or greater, up to the next row: a number of
 * `width` bytes follows, which is the value or its length. */
struct msgpack_format {
	uint8_t first;
	enum msgpack_kind kind;
	uint8_t width;
	uint8_t mask;  /* width 0: the number is in these bits of the first byte */
	uint8_t extra; /* further bytes to skip */
	bool bytes;    /* as many bytes as the number says follow */
};

static const struct msgpack_format formats[] = {
	{0x00, MSGPACK_NUMBER, 0, 0x7f, 0, false}, {0x80, MSGPACK_MAP, 0, 0x0f, 0, false},
	{0x90, MSGPACK_ARRAY, 0, 0x0f, 0, false}, {0xa0, MSGPACK_TEXT, 0, 0x1f, 0, true},
	{0xc0, MSGPACK_OTHER, 0, 0, 0, false}, /* nil, false, true */
	{0xc4, MSGPACK_OTHER, 1, 0, 0, true},  /* bytes */
	{0xc5, MSGPACK_OTHER, 2, 0, 0, true}, {0xc6, MSGPACK_OTHER, 4, 0, 0, true},
	{0xc7, MSGPACK_OTHER, 1, 0, 1, true}, /* extensions: a type, then bytes */
	{0xc8, MSGPACK_OTHER, 2, 0, 1, true}, {0xc9, MSGPACK_OTHER, 4, 0, 1, true},
	{0xca, MSGPACK_OTHER, 4, 0, 0, false}, /* floats */
	{0xcb, MSGPACK_OTHER, 8, 0, 0, false}, {0xcc, MSGPACK_NUMBER, 1, 0, 0, false},
	{0xcd, MSGPACK_NUMBER, 2, 0, 0, false}, {0xce, MSGPACK_NUMBER, 4, 0, 0, false},
	{0xcf, MSGPACK_NUMBER, 8, 0, 0, false},
	{0xd0, MSGPACK_OTHER, 1, 0, 0, false}, /* with a sign */
	{0xd1, MSGPACK_OTHER, 2, 0, 0, false}, {0xd2, MSGPACK_OTHER, 4, 0, 0, false},
	{0xd3, MSGPACK_OTHER, 8, 0, 0, false},
	{0xd4, MSGPACK_OTHER, 0, 0, 2, false}, /* extensions of fixed sizes */
	{0xd5, MSGPACK_OTHER, 0, 0, 3, false}, {0xd6, MSGPACK_OTHER, 0, 0, 5, false},
	{0xd7, MSGPACK_OTHER, 0, 0, 9, false}, {0xd8, MSGPACK_OTHER, 0, 0, 17, false},
	{0xd9, MSGPACK_TEXT, 1, 0, 0, true}, {0xda, MSGPACK_TEXT, 2, 0, 0, true},
	{0xdb, MSGPACK_TEXT, 4, 0, 0, true}, {0xdc, MSGPACK_ARRAY, 2, 0, 0, false},
	{0xdd, MSGPACK_ARRAY, 4, 0, 0, false}, {0xde, MSGPACK_MAP, 2, 0, 0, false},
	{0xdf, MSGPACK_MAP, 4, 0, 0, false}, {0xe0, MSGPACK_OTHER, 0, 0, 0, false}, /* negative */
};

static const struct msgpack_format *format_of(uint8_t first)
{
	size_t i = sizeof(formats) / sizeof(*formats) - 1;

	while (formats[i].first > first)
		i--;
	return &formats[i];
}

bool msgpack_read(struct msgpack *from, struct msgpack_value *value)
{
	const uint8_t *at = from->at;
	const struct msgpack_format *format;
	uint64_t left;

	if (at == from->end || *at == NEVER_USED)
		return false;
	format = format_of(*at);
	*value = (struct msgpack_value){.kind = format->kind, .number = *at & format->mask};
	left = (uint64_t)(from->end - ++at);
	if (left < (uint64_t)format->width + format->extra)
		return false;
	for (unsigned i = 0; i < format->width; i++)
		value->number = value->number << 8 | *at++;
	at += format->extra;
	left = (uint64_t)(from->end - at);
	/* Each element takes at least one byte. */
	if ((format->bytes || format->kind == MSGPACK_ARRAY || format->kind == MSGPACK_MAP) &&
		value->number > left)
		return false;
	if (format->bytes) {
		value->text = (const char *)at;
		at += value->number;
	}
	from->at = at;
	return true;
}

bool msgpack_skip(struct msgpack *from)
{
	/* Without recursion, because the bytes may claim any depth. */
	for (uint64_t left = 1; left; left--) {
		struct msgpack_value value;

		if (!msgpack_read(from, &value))
			return false;
		if (value.kind == MSGPACK_ARRAY)
			left += value.number;
		else if (value.kind == MSGPACK_MAP)
			left += 2 * value.number;
	}
	return true;
}
