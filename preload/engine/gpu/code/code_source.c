/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/code/code_source.h"

#include <string.h>
#include <unistd.h>

bool code_fetch(const struct code_source *source, uint64_t offset, void *to, uint64_t bytes)
{
	if (offset > source->size || bytes > source->size - offset)
		return false;
	offset += source->begin;
	if (!source->memory)
		return pread(source->fd, to, bytes, (off_t)offset) == (ssize_t)bytes;
	memcpy(to, source->memory + offset, bytes);
	return true;
}
