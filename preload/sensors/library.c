/* SPDX-License-Identifier: MIT */
#include "preload/sensors/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "preload/sensors/load.h"

int library_open(const char *library, const char *const *names, size_t count, void *table,
	const char *what, char *why)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

	if (!handle) {
		snprintf(why, LOAD_WHY_MAX, "%s is not there; it comes with %s", library, what);
		return -1;
	}
	for (size_t i = 0; i < count; i++) {
		void *function = dlsym(handle, names[i]);

		memcpy((char *)table + i * sizeof(function), &function, sizeof(function));
		if (!function) {
			snprintf(why, LOAD_WHY_MAX, "%s has no %s; install a newer one", library,
				names[i]);
			dlclose(handle);
			return -1;
		}
	}
	return 0;
}
