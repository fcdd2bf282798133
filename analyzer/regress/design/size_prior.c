/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/size_prior.h"

#include <math.h>
#include <string.h>

enum kind { PRODUCT, ONE_WAY, OTHER };

static const struct size_device {
	const char *name;
	double rise_ns, filled;
	double of_kind[OTHER + 1];
	double spread, floor;
} devices[] = {
#define SIZE_DEVICE(name, rise_ns, filled, product, one_way, spread, floor)                        \
	{name, rise_ns, filled, {product, one_way, 1}, spread, floor},
#define SIZE_NAME(kind, text)
#include "analyzer/regress/design/size_prior.def"
#undef SIZE_DEVICE
#undef SIZE_NAME
};

static const struct {
	enum kind kind;
	const char *text;
} names[] = {
#define SIZE_DEVICE(name, rise_ns, filled, product, one_way, spread, floor)
#define SIZE_NAME(kind, text) {kind, text},
#include "analyzer/regress/design/size_prior.def"
#undef SIZE_DEVICE
#undef SIZE_NAME
};

static const struct size_device *device_of(const struct model_gpu *gpu)
{
	for (size_t i = 0; gpu && i < G_N_ELEMENTS(devices); i++)
		if (gpu->compute_units != PWRTRACE_UNKNOWN_U32 && gpu->compute_units &&
			strstr(gpu->name, devices[i].name))
			return &devices[i];
	return NULL;
}

static enum kind kind_of(const struct model_kernel *kernel)
{
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcasestr(kernel->name, names[i].text))
			return names[i].kind;
	return OTHER;
}

/* The part of the compute units that have a work-group. */
static double filled_part(const struct model_kernel *kernel, const struct model_gpu *gpu)
{
	double groups = 1;

	for (int i = 0; i < 3; i++)
		groups *= ceil((double)kernel->global[i] / MAX(kernel->local[i], 1));
	return MIN(MAX(groups, 1) / gpu->compute_units, 1);
}

/* As a part of what a long kernel that fills the device draws. */
static struct expectation size_of(const struct model *model, const struct kernel_class *class)
{
	const struct model_kernel *kernel = model_kernel_of(model, class->origin);
	const struct model_gpu *gpu = model_gpu_at(model, class->origin);
	const struct size_device *device = device_of(gpu);
	struct expectation size = {0, 0};

	if (kernel && device && class->executions && !class->rare) {
		double length_ns = class->time_ns / (double)class->executions;

		size.mean = device->of_kind[kind_of(kernel)] *
			    pow(filled_part(kernel, gpu), device->filled) * length_ns /
			    (length_ns + device->rise_ns);
		size.deviation = device->spread * hypot(size.mean, device->floor);
	}
	return size;
}

struct expectation *size_priors_of(const struct model *model, const struct classes *classes)
{
	struct expectation *sizes = g_new0(struct expectation, (gsize)classes->columns.count + 1);

	for (guint i = 0; i < classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(classes->list, struct kernel_class, i);

		sizes[class->column] = size_of(model, class);
	}
	expectations_scale(sizes, classes);
	return sizes;
}
