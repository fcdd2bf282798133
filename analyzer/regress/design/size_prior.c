/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/design/size_prior.h"

#include <math.h>
#include <string.h>

enum kind {
#define SIZE_KIND(kind, factor, by_threads) kind,
#include "analyzer/regress/design/size_prior.def"
};

static const struct size_kind {
	double factor;
	bool by_threads;
} kinds[] = {
#define SIZE_KIND(kind, factor, by_threads) [kind] = {factor, by_threads},
#include "analyzer/regress/design/size_prior.def"
};

static const struct {
	enum kind kind;
	const char *text;
} names[] = {
#define SIZE_NAME(kind, text) {kind, text},
#include "analyzer/regress/design/size_prior.def"
};

static const struct size_device {
	const char *name;
	double threads, launch_ns, rise_ns, of_units, of_threads, spread, floor;
} devices[] = {
#define SIZE_DEVICE(...) {__VA_ARGS__},
#include "analyzer/regress/design/size_prior.def"
};

static const struct size_device *device_of(const struct model_gpu *gpu)
{
	for (size_t i = 0; gpu && i < G_N_ELEMENTS(devices); i++)
		if (gpu->compute_units != PWRTRACE_UNKNOWN_U32 && gpu->compute_units &&
			strstr(gpu->name, devices[i].name))
			return &devices[i];
	return NULL;
}

static const struct size_kind *kind_of(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcasestr(name, names[i].text))
			return &kinds[names[i].kind];
	return &kinds[OTHER];
}

/* What a kernel draws beside one that fills the device: by the part of the compute units that have
 * a work-group, and of kinds for which threads count, the part of their threads that exist. */
static double busy_part(const struct kernel_size *size, const struct size_kind *kind,
	const struct model_gpu *gpu, const struct size_device *device)
{
	double groups = 1, threads = 1, filled, existing;

	for (int i = 0; i < 3; i++) {
		groups *= ceil((double)size->global[i] / MAX(size->local[i], 1));
		threads *= MAX(size->local[i], 1);
	}
	filled = MIN(MAX(groups, 1) / gpu->compute_units, 1);
	existing = MIN(MAX(groups, 1) * threads / gpu->compute_units / device->threads, 1);
	return pow(filled, device->of_units) *
	       (kind->by_threads ? pow(existing / filled, device->of_threads) : 1);
}

struct expectation size_prior_of(const struct model_gpu *gpu, const struct kernel_size *size)
{
	const struct size_device *device = device_of(gpu);
	struct expectation expected = {0, 0};
	const struct size_kind *kind;
	double length_ns = size->length_ns;

	if (!device)
		return expected;
	kind = kind_of(size->name);
	expected.mean = device->launch_ns / MAX(length_ns, device->launch_ns) +
			kind->factor * busy_part(size, kind, gpu, device) * length_ns /
				(length_ns + device->rise_ns);
	expected.deviation = device->spread * hypot(expected.mean, device->floor);
	return expected;
}

static struct expectation of_class(const struct model *model, const struct kernel_class *class)
{
	const struct model_kernel *kernel = model_kernel_of(model, class->origin);

	if (!kernel || !class->executions || class->rare)
		return (struct expectation){0, 0};
	return size_prior_of(model_gpu_at(model, class->origin),
		&(struct kernel_size){kernel->name, kernel->global, kernel->local,
			class->time_ns / (double)class->executions});
}

struct expectation *size_priors_of(const struct model *model, const struct classes *classes)
{
	struct expectation *sizes = g_new0(struct expectation, (gsize)classes->columns.count + 1);

	for (guint i = 0; i < classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(classes->list, struct kernel_class, i);

		sizes[class->column] = of_class(model, class);
	}
	expectations_scale(sizes, classes);
	return sizes;
}
