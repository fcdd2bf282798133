/* SPDX-License-Identifier: MIT */
/*
 * Code objects as AMD's compiler writes them, with two kernels each: _Z5saxpyfPKfPfi.kd, which
 * calls the host, and _Z4spinILi200EEvPf.kd.  What does not fit into the bytes fails the test.
 */
#ifndef PWRTRACE_TESTS_CODE_OBJECTS_H
#define PWRTRACE_TESTS_CODE_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
	uint8_t at[16 * 1024];
	size_t count;
};

void put(struct bytes *bytes, const void *data, size_t count);
void put_byte(struct bytes *bytes, unsigned value);

/* An object whose metadata stand in a note of that owner and type, after one of another's. */
void put_object(struct bytes *bytes, const char *owner, unsigned type);
void put_object_of(
	struct bytes *bytes, const char *owner, unsigned type, const struct bytes *metadata);

/* In place of what bytes hold: that object, with the variables once and twice, and with what looks
 * like one.  symbols: whether it has a table of them. */
#define SECTION_OF_VARIABLES 1
void put_object_with_variables(struct bytes *bytes, bool symbols);

/* A bundle: an entry for the host, which is empty, and an object for each target. */
void put_bundle(struct bytes *bytes, const char *const *targets, unsigned count);

/* A host's file with two bundles in .hip_fatbin, of one target each, at every 4096 bytes of it. */
void put_host(struct bytes *bytes, const char *const *targets);

#endif
