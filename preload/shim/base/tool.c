/* SPDX-License-Identifier: MIT */
#include "preload/shim/base/tool.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

const char *tool_path(void)
{
	/* Kept from the constructor on: dladdr waits while another thread's dlopen runs others. */
	static const char *kept;
	const char *path = __atomic_load_n(&kept, __ATOMIC_RELAXED);
	Dl_info self;

	if (!path) {
		path = dladdr((void *)tool_path, &self) ? self.dli_fname : "";
		__atomic_store_n(&kept, path, __ATOMIC_RELAXED);
	}
	return path;
}

void tool_offer(const char *variable)
{
	if (*tool_path())
		setenv(variable, tool_path(), 0);
}

const char *tool_other(const char *variable)
{
	const char *named = getenv(variable);

	return named && strcmp(named, tool_path()) != 0 ? named : NULL;
}
