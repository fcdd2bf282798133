/* SPDX-License-Identifier: MIT */
#include "analyzer/attribute/method.h"

#include <string.h>

const struct method *const methods[METHODS + 1] = {
#define METHOD(name) &method_##name,
#include "analyzer/attribute/methods.def"
#undef METHOD
	NULL};

const struct method *method_find(const char *name)
{
	for (size_t i = 0; methods[i]; i++)
		if (strcmp(methods[i]->name, name) == 0)
			return methods[i];
	return NULL;
}

GArray *method_curve(const struct method *method, const struct source *source)
{
	return method->curve ? method->curve(source) : g_array_ref(source->curve);
}
