/* SPDX-License-Identifier: MIT */
#include "analyzer/attribute/method.h"

#include <string.h>

#include "analyzer/regress/fit.h"

const struct method *const methods[] = {
	&method_regress, &method_overlap, &method_linear, &method_hold, NULL};

const struct method *method_find(const char *name)
{
	for (size_t i = 0; methods[i]; i++)
		if (strcmp(methods[i]->name, name) == 0)
			return methods[i];
	return NULL;
}

const struct method *method_default(const struct model *model, const GArray *sources)
{
	for (guint i = 0; i < sources->len; i++)
		if (fit_possible(model, &g_array_index(sources, struct source, i)))
			return &method_regress;
	return &method_overlap;
}
