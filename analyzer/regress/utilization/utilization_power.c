/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/utilization/utilization_power.h"

#include <math.h>
#include <string.h>

static const struct utilization_device {
	const char *name;
	double full_w[PWRTRACE_PARTS];
	double spread;
} devices[] = {
#define UTILIZATION_DEVICE(name, compute, issue, tensor, cache, read, write, spread)               \
	{name, {compute, issue, tensor, cache, read, write}, spread},
#include "analyzer/regress/utilization/utilization_power.def"
#undef UTILIZATION_DEVICE
};

static const struct utilization_device *device_of(
	const struct model *model, const struct classes *classes)
{
	const struct kernel_class *first = &g_array_index(classes->list, struct kernel_class, 0);
	const struct model_gpu *gpu =
		classes->list->len ? model_gpu_at(model, first->origin) : NULL;

	for (size_t i = 0; gpu && i < G_N_ELEMENTS(devices); i++)
		if (strstr(gpu->name, devices[i].name))
			return &devices[i];
	return NULL;
}

#define FLOOR_W 10 /* what the parts that are counted do not tell, standard deviation */

static struct expectation power_of(const struct utilization_device *device,
	const struct utilization *utilization, uint32_t column)
{
	struct expectation power = {0, 0};
	struct utilization_sum sum = {.time_ns = {0}};
	double variance = 0, one_ns = 1;

	utilization_add(utilization, &column, &one_ns, 1, &sum);
	for (int part = 0; part < PWRTRACE_PARTS; part++) {
		const struct utilization_share share = utilization_share_of(&sum, part);

		power.mean += device->full_w[part] * share.mean;
		variance += pow(device->full_w[part] * share.deviation, 2);
	}
	power.deviation = sqrt(pow(device->spread * power.mean, 2) + variance + FLOOR_W * FLOOR_W);
	return power;
}

struct expectation *utilization_powers_of(const struct model *model, const struct classes *classes,
	const struct utilization *utilization)
{
	const struct utilization_device *device = device_of(model, classes);
	struct expectation *expected;
	bool any = false;

	for (int part = 0; utilization && part < PWRTRACE_PARTS; part++)
		if (!utilization->share[part])
			return NULL;
	if (!device || !utilization)
		return NULL;
	expected = g_new0(struct expectation, (gsize)classes->columns.count + 1);
	for (guint i = 0; i < classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(classes->list, struct kernel_class, i);

		if (!class->rare)
			expected[class->column] = power_of(device, utilization, class->column);
		any |= expected[class->column].mean > 0;
	}
	expectations_scale(expected, classes);
	if (any)
		return expected;
	g_free(expected);
	return NULL;
}
