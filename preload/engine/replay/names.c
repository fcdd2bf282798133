/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/names.h"

#include <string.h>

#include "preload/common/conf.h"

bool name_is_chosen(const char *name)
{
	const char *list = conf.replay_kernels;

	if (!*list)
		return true;
	for (const char *word = list; *word; word += strspn(word, ",")) {
		size_t length = strcspn(word, ",");

		if (length && memmem(name, strlen(name), word, length))
			return true;
		word += length;
	}
	return false;
}

bool name_is_collective(const char *name)
{
	static const char *const words[] = {"nccl", "rccl", "mscclpp", "msccl", "nvshmem"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(name, words[i]))
			return true;
	return false;
}
