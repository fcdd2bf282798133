/* SPDX-License-Identifier: MIT */
#include "preload/shim/base/namespace.h"

#include <stddef.h>

#include "preload/shim/base/real_dlsym.h"
#include "preload/shim/base/tool.h"

Lmid_t namespace_ours(void)
{
	void *self = *tool_path() ? dlopen(tool_path(), RTLD_LAZY | RTLD_NOLOAD) : NULL;
	Lmid_t ours = LM_ID_BASE;

	if (!self)
		return LM_ID_BASE;
	dlinfo(self, RTLD_DI_LMID, &ours);
	dlclose(self);
	return ours;
}

void *namespace_first(const char *name)
{
	void *first;

	if (namespace_ours() == LM_ID_BASE)
		return NULL;
	/* It stays. */
	first = dlmopen(LM_ID_BASE, tool_path(), RTLD_LAZY);
	return first ? real_dlsym(first, name) : NULL;
}
