/* SPDX-License-Identifier: MIT */
/* The regression's matrix, against overlaps that are worked out by hand. */
#include "analyzer/regress/design/design.h"

#include <math.h>

#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define ROUNDED 1e-6 /* of an entry, which is a float */

static void assert_part(const struct response_shape *shape, const struct power_reading *reading,
	double begin_ms, double end_ms, double expected, double tolerance)
{
	struct response response;

	response_of_shape(&response, shape);
	assert_true(fabs(design_part(&response, reading, begin_ms * MS, end_ms * MS) - expected) <=
		    tolerance);
}

/* A window of 10 ms that ends 2 ms before the reading: from 88 to 98 ms. */
static void a_box_sees_the_overlap_with_its_window(void **state)
{
	const struct response_shape box = {2 * MS, 10 * MS, 0};
	const struct power_reading reading = {.time_ns = 100 * MS, .since_ns = 100 * MS};
	static const struct {
		double begin_ms, end_ms, part;
	} cases[] = {
		{90, 94, 0.4},  /* 4 of 10 ms */
		{85, 90, 0.2},  /* from 88 to 90 */
		{97, 110, 0.1}, /* from 97 to 98 */
		{60, 120, 1},
		{80, 88, 0},
		{98, 99, 0},
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_part(
			&box, &reading, cases[i].begin_ms, cases[i].end_ms, cases[i].part, 1e-12);
}

/* H(t) = 1 - exp(-t / τ) with τ = 10 ms.  What began 20 ln 2 ms and ended 10 ln 2 ms before the
 * reading is seen with exp(-ln 2) - exp(-2 ln 2) = 1/2 - 1/4; what runs until the reading since
 * 10 ln 2 ms, with 1/2.  The cut after seven time constants makes each 1 / (1 - e^-7) = 1.0009
 * times as much. */
static void a_filter_sees_what_it_has_not_forgotten(void **state)
{
	const struct response_shape filter = {0, 0, 10 * MS};
	const struct power_reading reading = {.time_ns = 100 * MS, .since_ns = 100 * MS};
	double half_ms = 10 * log(2), whole = 1 - exp(-RESPONSE_TAILS);

	(void)state;
	assert_part(&filter, &reading, 100 - 2 * half_ms, 100 - half_ms, 0.25 / whole, 1e-4);
	assert_part(&filter, &reading, 100 - half_ms, 100, 0.5 / whole, 1e-4);
	assert_part(&filter, &reading, 100, 110, 0, 0);
}

/* The mean over 90 to 100 ms of what a sensor says that answers at once, but for a microsecond. */
static void a_counter_sees_its_interval(void **state)
{
	const struct response_shape none = {0, 0, 0};
	const struct power_reading reading = {.time_ns = 100 * MS, .since_ns = 90 * MS};

	(void)state;
	assert_part(&none, &reading, 92, 97, 0.5, 1e-3);
	assert_part(&none, &reading, 85, 91, 0.1, 1e-3);
	assert_part(&none, &reading, 80, 120, 1, 1e-9);
}

/* The same of a counter that a mean over 4 ms goes into.  Of what ran from 88 to 92 ms this mean is
 * 2/4 at 90 ms, rises to 1 at 92 ms and falls to 0 at 96 ms: the areas (2/4 + 1) / 2 · 2 ms = 1.5
 * ms and 1/2 · 4 ms = 2 ms are 0.35 of the 10 ms. */
static void a_counter_of_means_sees_a_trapezium(void **state)
{
	const struct response_shape box = {0, 4 * MS, 0};
	const struct power_reading reading = {.time_ns = 100 * MS, .since_ns = 90 * MS};

	(void)state;
	assert_part(&box, &reading, 88, 92, 0.35, 1e-9);
}

static double entry_of(const struct design *design, guint row, uint32_t column)
{
	double part = 0;

	for (gsize i = design->first[row]; i < design->first[row + 1]; i++) {
		const struct design_entry *entry =
			&g_array_index(design->entries, struct design_entry, i);

		part += entry->column == column ? entry->part : 0;
	}
	return part;
}

static void assert_entry(const struct design *design, guint row, uint32_t column, double expected)
{
	assert_true(
		fabs(entry_of(design, row, column) - expected) <= ROUNDED * (1 + fabs(expected)));
}

/*
 * Windows of 10 ms up to 10, 20 and 30 ms.  The kernel "a" runs from 2 to 5 and from 8 to 12 ms,
 *"b" on another stream from 4 to 24 ms:
 *
 *	a: (3 + 2) / 10, 2 / 10, 0    b: 6 / 10, 10 / 10, 4 / 10
 *
 * An influence that adds 100 W to the first execution of "a", and takes 50 W from "b", has
 * 0.3 · 100 - 0.6 · 50 = 0 W, -50 W and -0.4 · 50 = -20 W.
 */
static void a_class_adds_up_what_its_executions_are_seen_for(void **state)
{
	static const struct response_shape box = {0, 10 * MS, 0};
	static const double parts[3][3] = {{0.5, 0.6, 0}, {0.2, 1, -50}, {0, 0.4, -20}};
	static const struct power_reading readings[] = {
		{.time_ns = 10 * MS, .since_ns = 10 * MS, .power_w = 1},
		{.time_ns = 20 * MS, .since_ns = 20 * MS, .power_w = 1},
		{.time_ns = 30 * MS, .since_ns = 30 * MS, .power_w = 1},
	};
	static const float values_w[] = {100, -50, 0};
	const struct influences influences = {.count = 1,
		.list = {{.first = 0, .end = 3, .value_w = mapped_array_new(sizeof(float))}}};
	struct classes *classes;
	struct response response;
	struct design *design;
	struct one_gpu gpu;

	(void)state;
	one_gpu_begin(&gpu, 10 * MS, 40 * MS, 2);
	one_gpu_runs(&gpu, 0, 2 * MS, 5 * MS);
	one_gpu_runs(&gpu, 1, 4 * MS, 24 * MS);
	one_gpu_runs(&gpu, 0, 8 * MS, 12 * MS);
	one_gpu_set_source(&gpu);
	for (guint i = 0; i < 3; i++)
		assert_true(mapped_array_append(influences.list[0].value_w, &values_w[i]));
	classes = classes_of(&gpu.model, &gpu.source);
	response_of_shape(&response, &box);
	design = design_make(&gpu.model, classes, &response, readings, 3, &influences);
	assert_int_equal(design->own, 2);
	assert_int_equal(design->columns, 3);
	for (guint row = 0; row < 3; row++)
		for (uint32_t column = 0; column < 3; column++)
			assert_entry(design, row, column, parts[row][column]);
	design_free(design);
	mapped_array_free(influences.list[0].value_w);
	classes_free(classes);
	one_gpu_end(&gpu);
}

/* Rows are made in pieces: "a" runs from 3 to 8 of each window of 10 ms, and "b" from 1 to 9 s. */
static void what_runs_across_pieces_is_in_all_rows(void **state)
{
	enum { ROWS = 1000 };
	static const struct response_shape box = {0, 10 * MS, 0};
	const struct influences influences = {.count = 0};
	struct power_reading *readings = g_new0(struct power_reading, ROWS);
	struct classes *classes;
	struct response response;
	struct design *design;
	struct one_gpu gpu;

	(void)state;
	one_gpu_begin(&gpu, 10 * MS, (ROWS + 1) * 10 * MS, 2);
	for (guint row = 0; row < ROWS; row++) {
		double begin_ns = row * 10 * MS;

		if (row == 100)
			one_gpu_runs(&gpu, 1, begin_ns, 900 * 10 * MS);
		one_gpu_runs(&gpu, 0, begin_ns + 3 * MS, begin_ns + 8 * MS);
		readings[row].time_ns = readings[row].since_ns = begin_ns + 10 * MS;
	}
	one_gpu_set_source(&gpu);
	classes = classes_of(&gpu.model, &gpu.source);
	response_of_shape(&response, &box);
	design = design_make(&gpu.model, classes, &response, readings, ROWS, &influences);
	assert_int_equal(design->rows, ROWS);
	for (guint row = 0; row < ROWS; row++) {
		assert_entry(design, row, 0, 0.5);
		assert_entry(design, row, 1, row >= 100 && row < 900);
	}
	assert_int_equal(design->entries->len, design->first[ROWS]);
	design_free(design);
	classes_free(classes);
	g_free(readings);
	one_gpu_end(&gpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_box_sees_the_overlap_with_its_window),
		cmocka_unit_test(a_filter_sees_what_it_has_not_forgotten),
		cmocka_unit_test(a_counter_sees_its_interval),
		cmocka_unit_test(a_counter_of_means_sees_a_trapezium),
		cmocka_unit_test(a_class_adds_up_what_its_executions_are_seen_for),
		cmocka_unit_test(what_runs_across_pieces_is_in_all_rows),
	};

	return cmocka_run_group_tests_name("design", tests, NULL, NULL);
}
