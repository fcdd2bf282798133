/* SPDX-License-Identifier: MIT */
/* The arguments of a launch: memory that they may point to must be known, so that it is saved. */
#include <string.h>

#include "preload/engine/replay/program_state.h"
#include "preload/engine/replay/reach.h"

/* How CUDA and HIP mark the parts of a buffer of arguments. */
#define BUFFER_POINTER ((void *)1)
#define BUFFER_SIZE ((void *)2)

const char *replay_why_not_argument(const struct replay_api *api, const void *value, size_t bytes)
{
	uintptr_t address;

	for (size_t i = 0; i + sizeof(address) <= bytes; i += sizeof(address)) {
		memcpy(&address, (const char *)value + i, sizeof(address));
		if (address && !replay_knows_memory(address))
			api->find(address);
	}
	reach_add_words(value, bytes);
	/* The memory that was found may be managed memory. */
	return replay_obstacle();
}

const char *replay_why_not_buffer(const struct replay_api *api, void *const *extra)
{
	const void *buffer = NULL;
	size_t bytes = 0;

	for (; *extra == BUFFER_POINTER || *extra == BUFFER_SIZE; extra += 2) {
		if (*extra == BUFFER_POINTER)
			buffer = extra[1];
		else
			bytes = *(const size_t *)extra[1];
	}
	return buffer ? replay_why_not_argument(api, buffer, bytes) : NULL;
}
