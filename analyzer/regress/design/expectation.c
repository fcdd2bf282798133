/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/expectation.h"

void expectations_scale(struct expectation *expected, const struct classes *classes)
{
	double sum = 0, time_ns = 0;

	for (guint i = 0; i < classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(classes->list, struct kernel_class, i);

		sum += expected[class->column].mean * class->time_ns;
		time_ns += expected[class->column].mean > 0 ? class->time_ns : 0;
	}
	for (size_t i = 0; sum > 0 && i < classes->columns.count; i++) {
		expected[i].mean *= time_ns / sum;
		expected[i].deviation *= time_ns / sum;
	}
}
