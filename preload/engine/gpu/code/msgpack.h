/* SPDX-License-Identifier: MIT */
/*
 * Reading MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md) where it lies.
 *
 * We are in someone else's process: nothing is allocated, whatever counts the bytes claim, and no
 * byte behind the end is read.
 */
#ifndef PWRTRACE_MSGPACK_H
#define PWRTRACE_MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum msgpack_kind {
	MSGPACK_OTHER, /* nil, a truth value, a negative number, a float, bytes */
	MSGPACK_NUMBER,
	MSGPACK_TEXT,
	MSGPACK_ARRAY,
	MSGPACK_MAP,
};

struct msgpack {
	const uint8_t *at, *end; /* what was not read yet */
};

struct msgpack_value {
	enum msgpack_kind kind;
	uint64_t number;  /* its value, or how many bytes, elements or pairs it has */
	const char *text; /* without a NUL */
};

/* Reads a value; an array's or map's are read by calls to come.  Returns false where it is damaged
 * or there is none. */
bool msgpack_read(struct msgpack *from, struct msgpack_value *value);

/* Passes over a value with all that is in it.  Returns as above. */
bool msgpack_skip(struct msgpack *from);

#endif
