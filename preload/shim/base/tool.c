/* SPDX-License-Identifier: MIT */
#include "preload/shim/base/tool.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/names.h"

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

bool tool_is_copy(const char *path)
{
	return strcmp(name_of_file(path), "libpwrtrace.so") == 0;
}

bool tool_is_second(void)
{
	const struct link_map *object = NULL;
	Dl_info self;

	if (!dladdr1((void *)tool_is_second, &self, (void **)&object, RTLD_DL_LINKMAP))
		return false;
	while ((object = object->l_prev))
		if (tool_is_copy(object->l_name))
			return true;
	return false;
}

void tool_offer(const char *variable)
{
	const char *named = getenv(variable);

	if (*tool_path())
		setenv(variable, tool_path(), named && tool_is_copy(named));
}

const char *tool_other(const char *variable)
{
	const char *named = getenv(variable);

	return named && strcmp(named, tool_path()) != 0 ? named : NULL;
}
