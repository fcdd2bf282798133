/* SPDX-License-Identifier: MIT */
#include "analyzer/view/formats.h"

#include <string.h>

const struct format *const formats[] = {
#define FORMAT(name) &format_##name,
#include "analyzer/view/content/formats.def"
#undef FORMAT
	NULL};

const struct format *format_find(const char *name)
{
	for (size_t i = 0; formats[i]; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}
