/* SPDX-License-Identifier: MIT */
/* Which executions draw the same power. */
#include "analyzer/regress/design/classes.h"

#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6

static const struct kernel_class *class_of(const struct classes *classes, guint kernel)
{
	for (guint i = 0; i < classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(classes->list, struct kernel_class, i);

		if (class->origin->kernel == kernel + 1)
			return class;
	}
	return NULL;
}

/*
 * Of 100 s in all, "a" has nearly all.  "b" ran four times for 0.1 s each, which is few and less
 * than a hundredth; "c" five times for that, "d" once for 2 s, more than a hundredth; "e" twenty
 * times for 0.1 ms each, less than a ten-thousandth.  None is rare: they are fewer than 300.
 */
static void what_hardly_ran_is_slight(void **state)
{
	static const struct {
		int executions;
		double length_ms;
		bool slight;
	} kernels[] = {{1, 97e3, false}, {4, 100, true}, {5, 100, false}, {1, 2000, false},
		{20, 0.1, true}};
	struct classes *classes;
	struct one_gpu gpu;
	double now_ms = 0;

	(void)state;
	one_gpu_begin(&gpu, 100 * MS, 110e3 * MS, G_N_ELEMENTS(kernels));
	for (guint i = 0; i < G_N_ELEMENTS(kernels); i++)
		for (int k = 0; k < kernels[i].executions; k++, now_ms += kernels[i].length_ms)
			one_gpu_runs(&gpu, i, now_ms * MS, (now_ms + kernels[i].length_ms) * MS);
	one_gpu_set_source(&gpu);
	classes = classes_of(&gpu.model, &gpu.source);
	assert_int_equal(classes->list->len, G_N_ELEMENTS(kernels));
	assert_int_equal(classes->columns.count, G_N_ELEMENTS(kernels));
	assert_int_equal(classes->rare, 0);
	for (guint i = 0; i < G_N_ELEMENTS(kernels); i++) {
		const struct kernel_class *class = class_of(classes, i);

		assert_int_equal(class->executions, kernels[i].executions);
		assert_true(class->slight == kernels[i].slight);
		assert_true(!class->rare);
	}
	classes_free(classes);
	one_gpu_end(&gpu);
}

/* Two kernels of one name, grid and block draw the same; with another grid, block or shared memory
 * they are a class of their own. */
static void a_class_is_a_name_and_a_shape(void **state)
{
	static const struct model_kernel shapes[] = {
		{.global = {64, 1, 1}, .local = {32, 1, 1}},
		{.global = {64, 1, 1}, .local = {32, 1, 1}},
		{.global = {128, 1, 1}, .local = {32, 1, 1}},
		{.global = {64, 1, 1}, .local = {64, 1, 1}},
		{.global = {64, 1, 1}, .local = {32, 1, 1}, .code = {.shared_bytes = 1024}},
	};
	struct classes *classes;
	struct one_gpu gpu;

	(void)state;
	one_gpu_begin(&gpu, 100 * MS, 10e3 * MS, G_N_ELEMENTS(shapes));
	for (guint i = 0; i < G_N_ELEMENTS(shapes); i++) {
		struct model_kernel *kernel = table_slot(
			g_array_index(gpu.model.processes, struct model_process, 0).kernels, i + 1);

		*kernel = shapes[i];
		kernel->defined = true;
		kernel->api = "cuda";
		kernel->name = "same";
		one_gpu_runs(&gpu, i, 100 * i * MS, 100 * (i + 1) * MS);
	}
	one_gpu_set_source(&gpu);
	classes = classes_of(&gpu.model, &gpu.source);
	assert_int_equal(classes->list->len, 4);
	assert_int_equal(g_array_index(classes->list, struct kernel_class, 0).executions, 2);
	classes_free(classes);
	one_gpu_end(&gpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_hardly_ran_is_slight),
		cmocka_unit_test(a_class_is_a_name_and_a_shape),
	};

	return cmocka_run_group_tests_name("classes", tests, NULL, NULL);
}
