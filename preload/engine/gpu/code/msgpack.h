/* SPDX-License-Identifier: MIT */
/*
 * Reading MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md) in place.
 *
 * Nothing is allocated, whatever counts the bytes claim, and no byte behind the end is read.  Any
 * thread.
 */
#ifndef PWRTRACE_MSGPACK_H
#define PWRTRACE_MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum msgpack_kind {
	MSGPACK_OTHER, /* nil, a boolean, a signed number, a float, bytes, an extension */
	MSGPACK_NUMBER,
	MSGPACK_TEXT,
	MSGPACK_ARRAY,
	MSGPACK_MAP,
};

struct msgpack {
	const uint8_t *at, *end; /* the bytes that were not read yet */
};

struct msgpack_value {
	enum msgpack_kind kind;
	uint64_t number;  /* the value, or the count of bytes, elements or pairs */
	const char *text; /* in the bytes that are read, without a NUL */
};

/* Reads a value; the elements of an array or map are read by further calls.  Returns false if the
 * bytes are damaged or at their end. */
bool msgpack_read(struct msgpack *from, struct msgpack_value *value);

/* Skips a value with all its elements.  Returns likewise. */
bool msgpack_skip(struct msgpack *from);

#endif
