/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_TESTS_KIND_CALLED_H
#define PWRTRACE_TESTS_KIND_CALLED_H

#include <string.h>

#include "analyzer/regress/design/influence.h"

/* The kind of influence that has this name, which must be one of influence_kinds. */
static inline const struct influence_kind *kind_called(const char *name)
{
	const struct influence_kind *kind = influence_kinds;

	while (strcmp(kind->name, name) != 0)
		kind++;
	return kind;
}

#endif
