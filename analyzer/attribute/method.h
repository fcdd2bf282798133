/* SPDX-License-Identifier: MIT */
/* Attribution methods: each a row of methods.def. */
#ifndef PWRTRACE_METHOD_H
#define PWRTRACE_METHOD_H

#include "analyzer/regress/fit.h"

struct method {
	const char *name;
	const char *help;

	/* When the energy of a source was drawn: intervals (struct curve_interval) in order and
	 * apart, with the energy of the source's curve in all.  What is drawn at a moment is
	 * split equally among what runs then.  The caller frees the array.  NULL: as the source's
	 * curve says. */
	GArray *(*curve)(const struct source *source);

	/* Finds powers of classes by which the energy of a source is split instead.  Returns NULL
	 * where there are none to be found; fit_free it.  NULL: the method has no powers. */
	struct fit *(*fit)(const struct model *model, const struct source *source);
};

extern const struct method *const methods[]; /* ended by NULL */
const struct method *method_find(const char *name);

/* The curve of a source by the method; g_array_unref it. */
GArray *method_curve(const struct method *method, const struct source *source);

#define METHOD(name) extern const struct method method_##name;
#include "analyzer/attribute/methods.def"
#undef METHOD

#endif
