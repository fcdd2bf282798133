/* SPDX-License-Identifier: MIT */
#include "preload/power/nvml/nvml_api.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	size_t offset;
	bool needed;
} functions[] = {
#define NEEDED(ret, name, params) {#name, offsetof(struct nvml_api, name), true},
#define MAYBE(ret, name, params) {#name, offsetof(struct nvml_api, name), false},
	NVML_FUNCTIONS(NEEDED, MAYBE)
#undef NEEDED
#undef MAYBE
};

/* Returns the name of a needed function that the library lacks, or NULL. */
static const char *look_up(struct nvml_api *api)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *function = dlsym(api->library, functions[i].name);

		if (!function && functions[i].needed)
			return functions[i].name;
		memcpy((char *)api + functions[i].offset, &function, sizeof(function));
	}
	return NULL;
}

int nvml_api_open(struct nvml_api *api, char *why, size_t size)
{
	const char *missing;
	nvml_return result;

	api->library = dlopen(NVML_LIBRARY, RTLD_LOCAL | RTLD_LAZY);
	if (!api->library) {
		snprintf(why, size, "%s; it comes with NVIDIA's driver", dlerror());
		return -1;
	}
	missing = look_up(api);
	if (missing) {
		snprintf(why, size, NVML_LIBRARY " has no %s; install a newer driver", missing);
		dlclose(api->library);
		return -1;
	}
	result = api->nvmlInit_v2();
	if (result != NVML_SUCCESS) {
		snprintf(why, size, "%s; nvidia-smi may tell more", api->nvmlErrorString(result));
		dlclose(api->library);
		return -1;
	}
	return 0;
}

void nvml_api_close(struct nvml_api *api)
{
	api->nvmlShutdown();
	dlclose(api->library);
}
