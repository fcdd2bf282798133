/* SPDX-License-Identifier: MIT */
/*
 * Makes code objects as AMD's compiler writes them, with two kernels each: _Z5saxpyfPKfPfi.kd,
 * which calls the host, and _Z4spinILi200EEvPf.kd.  An object that does not fit into the given
 * bytes fails the test.
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

/* An object whose metadata are in a note of that owner and type, after a note of another owner. */
void put_object(struct bytes *bytes, const char *owner, unsigned type);
void put_object_of(
	struct bytes *bytes, const char *owner, unsigned type, const struct bytes *metadata);

/* Replaces the contents of bytes by such an object with the variables once and twice, and with a
 * symbol that only looks like one.  symbols: whether the object has a table of symbols. */
#define SECTION_OF_VARIABLES 1
void put_object_with_variables(struct bytes *bytes, bool symbols);

/* A bundle: an empty entry for the host, and an object for each target. */
void put_bundle(struct bytes *bytes, const char *const *targets, unsigned count);

/* A program of the host with two bundles in .hip_fatbin, of one target each, 4096 bytes apart. */
void put_host(struct bytes *bytes, const char *const *targets);

#endif
