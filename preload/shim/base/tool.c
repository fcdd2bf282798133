/* SPDX-License-Identifier: MIT */
#include "preload/shim/base/tool.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

const char *tool_path(void)
{
	Dl_info self;

	return dladdr((void *)tool_path, &self) ? self.dli_fname : "";
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
