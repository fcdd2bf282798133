/* SPDX-License-Identifier: MIT */
/* Which readings an estimator uses, and what they stand for. */
#include "analyzer/response/reading.h"

#include <math.h>

#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define END_MS 10000

/* Times in ms and values, up to a time that is negative. */
static GArray *usable(struct one_gpu *gpu, bool counter, const double (*readings)[2],
	struct readings_left_out *left_out)
{
	one_gpu_begin(gpu, 100 * MS, END_MS * MS, 1);
	if (counter)
		gpu->sensor.quantity = "energy";
	for (; (*readings)[0] >= 0; readings++)
		one_gpu_reads(gpu, (*readings)[0] * MS, (*readings)[1]);
	one_gpu_set_source(gpu);
	return readings_of(&gpu->source, left_out);
}

static void assert_reading(const GArray *readings, guint i, double since_ms, double time_ms,
	double length_ms, double w)
{
	const struct power_reading *reading = &g_array_index(readings, struct power_reading, i);

	assert_true(fabs(reading->since_ns - since_ms * MS) < 1);
	assert_true(fabs(reading->time_ns - time_ms * MS) < 1);
	assert_true(fabs(reading->length_ns - length_ms * MS) < 1);
	assert_true(fabs(reading->power_w - w) < 1e-9);
}

static void finish(struct one_gpu *gpu, GArray *readings)
{
	g_array_free(readings, TRUE);
	one_gpu_end(gpu);
}

/* Each stands for the time since the one before, so that the first stands for none; over a hole,
 * for a period.  What lies beyond the recording, whose end is at 10 s, is not used. */
static void a_gauge_stands_for_the_time_before(void **state)
{
	static const double read[][2] = {{100, 50}, {200, 60}, {290, 70}, {1000, 80}, {1100, 90},
		{1200, 91}, {END_MS + 1, 92}, {-1, 0}};
	struct readings_left_out left_out;
	struct one_gpu gpu;
	GArray *readings = usable(&gpu, false, read, &left_out);

	(void)state;
	assert_int_equal(readings->len, 5);
	assert_reading(readings, 0, 200, 200, 100, 60);
	assert_reading(readings, 1, 290, 290, 90, 70);
	assert_reading(readings, 2, 1000, 1000, 100, 80);
	assert_reading(readings, 3, 1100, 1100, 100, 90);
	assert_reading(readings, 4, 1200, 1200, 100, 91);
	assert_int_equal(left_out.stalled + left_out.backwards, 0);
	finish(&gpu, readings);
}

/* In µJ, of which one_gpu_reads takes thousands: 5, 6 and 18 J in 100, 100 and 200 ms are 50, 60
 * and 90 W.  What is gained over a hole was drawn nobody knows when, and a fall is counted. */
static void a_counter_says_its_mean_rate(void **state)
{
	static const double read[][2] = {{100, 0}, {200, 5e3}, {300, 11e3}, {500, 29e3},
		{1500, 100e3}, {1600, 105e3}, {1700, 1e3}, {1800, 7e3}, {-1, 0}};
	struct readings_left_out left_out;
	struct one_gpu gpu;
	GArray *readings = usable(&gpu, true, read, &left_out);

	(void)state;
	assert_int_equal(readings->len, 5);
	assert_reading(readings, 0, 100, 200, 100, 50);
	assert_reading(readings, 1, 200, 300, 100, 60);
	assert_reading(readings, 2, 300, 500, 200, 90);
	assert_reading(readings, 3, 1500, 1600, 100, 50);
	assert_reading(readings, 4, 1700, 1800, 100, 60);
	assert_int_equal(left_out.backwards, 1);
	finish(&gpu, readings);
}

/* Forty that differ, and so many that are equal, from 41 on. */
static guint stalled_of(guint equal, double step_w)
{
	double read[80][2] = {{0}};
	struct readings_left_out left_out;
	struct one_gpu gpu;
	guint count = 40 + equal;

	for (guint i = 0; i < count; i++) {
		read[i][0] = 100. * (i + 1);
		read[i][1] = 100 + step_w * MIN(i, 40);
	}
	read[count][0] = -1;
	finish(&gpu, usable(&gpu, false, read, &left_out));
	return left_out.stalled;
}

/* The first of ten equal ones may be true; nine in a row come by chance, and a sensor that says the
 * same all the time measures what does not change. */
static void a_sensor_that_stands_still_is_not_believed(void **state)
{
	(void)state;
	assert_int_equal(stalled_of(10, 1), 9);
	assert_int_equal(stalled_of(20, 1), 19);
	assert_int_equal(stalled_of(3, 1), 0);
	assert_int_equal(stalled_of(20, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_gauge_stands_for_the_time_before),
		cmocka_unit_test(a_counter_says_its_mean_rate),
		cmocka_unit_test(a_sensor_that_stands_still_is_not_believed),
	};

	return cmocka_run_group_tests_name("reading", tests, NULL, NULL);
}
