/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_CODE_SOURCE_H
#define PWRTRACE_CODE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

/* Where code objects lie: in memory, or NULL: in the file behind fd. */
struct code_source {
	const char *memory;
	int fd;
	uint64_t begin, size; /* the part that counts */
};

/* Copies bytes of the source.  Returns false where it does not have as many. */
bool code_fetch(const struct code_source *source, uint64_t offset, void *to, uint64_t bytes);

#endif
