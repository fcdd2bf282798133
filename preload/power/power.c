/* SPDX-License-Identifier: MIT */
#include "preload/power/core/power.h"

#include <string.h>

const struct power_source *const power_sources[] = {
	&power_rapl,
	&power_nvml,
	&power_amd,
	&power_intel,
	&power_replay,
	&power_exec,
	&power_fifo,
	&power_model,
	NULL,
};

const struct power_source *power_find(const char *name, size_t length)
{
	for (const struct power_source *const *source = power_sources; *source; source++)
		if (strlen((*source)->name) == length &&
			strncmp((*source)->name, name, length) == 0)
			return *source;
	return NULL;
}
