/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/medians.h"

#include "analyzer/numeric/order.h"

#define SAMPLE_MAX 2001 /* executions of a class: enough for a median */

double *medians_of(const struct model *model, const struct classes *classes, guint first, guint end)
{
	guint count = classes->list->len;
	double *medians = g_new0(double, count + 1);
	GArray **samples = g_new0(GArray *, count + 1);
	uint64_t *seen = g_new0(uint64_t, count + 1);

	for (guint i = 0; i < count; i++)
		samples[i] = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = first; i < end; i++) {
		const struct model_execution *execution = model_execution_at(model, i);
		uint32_t own = classes_find(classes, execution);
		double length_ns;
		uint64_t stride;

		if (own == CLASSES_NONE)
			continue;
		length_ns = classes_length_ns(classes, execution);
		stride = g_array_index(classes->list, struct kernel_class, own).executions /
				 SAMPLE_MAX +
			 1;
		if (seen[own]++ % stride == 0)
			g_array_append_val(samples[own], length_ns);
	}
	for (guint i = 0; i < count; i++) {
		g_array_sort(samples[i], order_doubles);
		if (samples[i]->len)
			medians[i] = g_array_index(samples[i], double, samples[i]->len / 2);
		g_array_free(samples[i], TRUE);
	}
	g_free(samples);
	g_free(seen);
	return medians;
}
