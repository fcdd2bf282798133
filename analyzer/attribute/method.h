/* SPDX-License-Identifier: MIT */
/* Attribution methods: each a row of methods.def. */
#ifndef PWRTRACE_METHOD_H
#define PWRTRACE_METHOD_H

#include "analyzer/regress/fit.h"

struct method {
	const char *name;
	const char *help;

	/* Returns the power curve of a source by which to spread its energy evenly over what runs:
	 * disjoint intervals (struct curve_interval) in order, with the same sum of energy as the
	 * source's own curve.  The caller frees the array.  NULL: the source's own curve. */
	GArray *(*curve)(const struct source *source);

	/* Fits powers of classes, by which the energy of a source is divided instead.  Returns NULL
	 * where that is not possible; free with fit_free.  NULL: the method fits no powers. */
	struct fit *(*fit)(const struct model *model, const struct source *source,
		const struct fit_memory *memory);
};

enum {
#define METHOD(name) METHOD_INDEX_##name,
#include "analyzer/attribute/methods.def"
#undef METHOD
	METHODS /* how many there are */
};

extern const struct method *const methods[METHODS + 1]; /* ended by NULL */

/* The method of a name, or NULL. */
const struct method *method_find(const char *name);

/* The power curve of a source by a method.  The caller frees it with g_array_unref. */
GArray *method_curve(const struct method *method, const struct source *source);

#define METHOD(name) extern const struct method method_##name;
#include "analyzer/attribute/methods.def"
#undef METHOD

#endif
