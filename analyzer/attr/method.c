/* SPDX-License-Identifier: MIT */
#include "analyzer/attr/method.h"

#include <string.h>

const struct method *const methods[] = {&method_overlap, NULL};

const struct method *method_find(const char *name)
{
	for (size_t i = 0; methods[i]; i++)
		if (strcmp(methods[i]->name, name) == 0)
			return methods[i];
	return NULL;
}
