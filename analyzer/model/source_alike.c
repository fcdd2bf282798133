/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "analyzer/model/curve.h"
#include "analyzer/model/source.h"

#define PERIODS_DIFFER 0.05 /* the largest relative difference of the periods of alike sensors */

/* The name of the first device that a source measures; "": it measures none. */
static const char *model_name(const struct model *model, const struct source *source)
{
	for (guint i = 0; i < model->gpus->len; i++)
		if (source->covers[i])
			return g_array_index(model->gpus, struct model_gpu, i).name;
	return "";
}

static bool is_alike(
	const struct model *model, const struct source *source, const struct source *other)
{
	const struct model_sensor *a = source->sensor, *b = other->sensor;

	return !source->estimated && !other->estimated && other->curve->len && !other->fills &&
	       !source_measures_same(source, other) && *model_name(model, source) &&
	       strcmp(model_name(model, source), model_name(model, other)) == 0 &&
	       strcmp(a->source, b->source) == 0 && strcmp(a->domain, b->domain) == 0 &&
	       strcmp(a->quantity, b->quantity) == 0 && strcmp(a->driver, b->driver) == 0;
}

void sources_find_alike(const struct model *model, GArray *sources)
{
	double *periods_ns = g_new(double, sources->len + 1);

	for (guint i = 0; i < sources->len; i++)
		periods_ns[i] =
			(double)curve_period_ns(g_array_index(sources, struct source, i).sensor);
	for (guint i = 0; i < sources->len; i++) {
		struct source *source = &g_array_index(sources, struct source, i);

		source->alike = g_ptr_array_new();
		for (guint k = 0; k < sources->len; k++) {
			struct source *other = &g_array_index(sources, struct source, k);

			if (is_alike(model, source, other) &&
				fabs(periods_ns[i] - periods_ns[k]) <=
					PERIODS_DIFFER * periods_ns[i])
				g_ptr_array_add(source->alike, other);
		}
	}
	g_free(periods_ns);
}
