/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_CODE_SOURCE_H
#define PWRTRACE_CODE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

/* Where code objects are: in memory, or in the file fd if memory is NULL. */
struct code_source {
	const char *memory;
	int fd;
	uint64_t begin, size; /* the part of it that is read */
};

/* Copies bytes from offset of the source.  Returns false if it is too short.  Any thread. */
bool code_fetch(const struct code_source *source, uint64_t offset, void *to, uint64_t bytes);

#endif
