/* SPDX-License-Identifier: MIT */
#include "analyzer/load/readings.h"
#include "analyzer/model/curve.h"
#include "tests/unit/unit.h"

static const struct model_span whole = {0, 1000000};

static GArray *curve_from(const char *quantity, uint64_t period_ns, const struct model_span *span,
	const struct model_reading *readings, guint count)
{
	struct model_sensor sensor = {.quantity = quantity, .period_ns = period_ns};
	GArray *curve;

	sensor.readings = g_array_new(FALSE, FALSE, sizeof(*readings));
	g_array_append_vals(sensor.readings, readings, count);
	readings_tidy(&sensor);
	curve = curve_of(&sensor, span);
	g_array_free(sensor.readings, TRUE);
	return curve;
}

#define CURVE(quantity, period_ns, span, ...)                                                      \
	curve_from(quantity, period_ns, span, (const struct model_reading[]){__VA_ARGS__},         \
		sizeof((const struct model_reading[]){__VA_ARGS__}) /                              \
			sizeof(struct model_reading))

static void assert_curve_is(GArray *curve, const struct curve_interval *expected, guint count)
{
	assert_int_equal(curve->len, count);
	for (guint i = 0; i < count; i++) {
		const struct curve_interval *interval =
			&g_array_index(curve, struct curve_interval, i);

		assert_int_equal(interval->begin_ns, expected[i].begin_ns);
		assert_int_equal(interval->end_ns, expected[i].end_ns);
		assert_int_equal(interval->energy_nj, expected[i].energy_nj);
		assert_int_equal(interval->blurred, expected[i].blurred);
	}
}

#define ASSERT_CURVE(curve, ...)                                                                   \
	assert_curve_is(curve, (const struct curve_interval[]){__VA_ARGS__},                       \
		sizeof((const struct curve_interval[]){__VA_ARGS__}) /                             \
			sizeof(struct curve_interval))

static void a_sample_stands_for_the_time_before_it(void **state)
{
	/* 2 mW for 1000 ns are 2 nJ; out of order; a hole after 3000. */
	GArray *curve = CURVE("power", PWRTRACE_UNKNOWN_U64, &whole, {2000, 4}, {1000, 2},
		{3000, 6}, {9000, 8}, {10000, 10});

	(void)state;
	/* Of the first, nobody knows since when it stands but by the usual distance. */
	ASSERT_CURVE(curve, {0, 1000, 2, false}, {1000, 2000, 4, false}, {2000, 3000, 6, false},
		{8000, 9000, 8, false}, {9000, 10000, 10, false});
	g_array_free(curve, TRUE);
}

static void a_counter_knows_the_energy_of_holes_but_not_when(void **state)
{
	GArray *curve = CURVE("energy", PWRTRACE_UNKNOWN_U64, &whole, {1000, 5}, {2000, 7},
		{3000, 8}, {9000, 18}, {10000, 19});

	(void)state;
	ASSERT_CURVE(curve, {1000, 2000, 2000, false}, {2000, 3000, 1000, false},
		{3000, 9000, 10000, true}, {9000, 10000, 1000, false});
	g_array_free(curve, TRUE);
}

static void a_counter_that_begins_anew_leaves_a_hole(void **state)
{
	GArray *curve = CURVE("energy", PWRTRACE_UNKNOWN_U64, &whole, {1000, 100}, {2000, 110},
		{3000, 1}, {4000, 4});

	(void)state;
	ASSERT_CURVE(curve, {1000, 2000, 10000, false}, {3000, 4000, 3000, false});
	g_array_free(curve, TRUE);
}

static void readings_within_a_tick_of_a_counter_tell_nothing(void **state)
{
	GArray *curve = CURVE("energy", 1000, &whole, {1000, 0}, {1100, 20}, {2000, 20}, {3000, 40},
		{4000, 60}, {5000, 80}, {5300, 80}, {5400, 100});
	GArray *two = CURVE("energy", 1000, &whole, {1000, 0}, {1100, 20});

	(void)state;
	ASSERT_CURVE(curve, {1000, 2000, 20000, false}, {2000, 3000, 20000, false},
		{3000, 4000, 20000, false}, {4000, 5400, 40000, false});
	ASSERT_CURVE(two, {1000, 1100, 20000, false});
	g_array_free(curve, TRUE);
	g_array_free(two, TRUE);
}

static void a_counter_is_not_believed_what_it_takes_back(void **state)
{
	static const struct curve_interval bridged[] = {
		{1000, 2000, 10000, false}, {2000, 4000, 25000, false}, {4000, 5000, 10000, false}};
	GArray *dip = CURVE("energy", 1000, &whole, {1000, 5000000}, {2000, 5000010}, {3000, 0},
		{4000, 5000035}, {5000, 5000045});
	GArray *spike = CURVE("energy", 1000, &whole, {1000, 50}, {2000, 60}, {3000, 5000000},
		{4000, 85}, {5000, 95});
	GArray *anew = CURVE("energy", 1000, &whole, {1000, 20}, {2000, 30}, {3000, 1}, {4000, 11},
		{5000, 21}, {6000, 31});

	(void)state;
	assert_curve_is(dip, bridged, G_N_ELEMENTS(bridged));
	assert_curve_is(spike, bridged, G_N_ELEMENTS(bridged));
	ASSERT_CURVE(anew, {1000, 2000, 10000, false}, {3000, 4000, 10000, false},
		{4000, 5000, 10000, false}, {5000, 6000, 10000, false});
	g_array_free(dip, TRUE);
	g_array_free(spike, TRUE);
	g_array_free(anew, TRUE);
}

/* 1 MW, which is 1000 uJ in a ns; a counter may gain in a tick what it did not in a second. */
static void what_no_device_draws_is_not_known(void **state)
{
	GArray *power = CURVE("power", 1000, &whole, {1000, 2}, {2000, 1000000000},
		{3000, 300000000000000000}, {4000, 4}, {5000, 6}, {6000, 8});
	GArray *counter = CURVE("energy", 1000, &whole, {1000, 10}, {2000, 20},
		{3000, UINT64_MAX - 20}, {4000, UINT64_MAX - 10});
	GArray *ticks = CURVE("energy", 1000, &whole, {1000, 10}, {2000, 1000001000010 - 1},
		{3000, 2000002000010 - 1});

	(void)state;
	ASSERT_CURVE(power, {0, 1000, 2, false}, {3000, 4000, 4, false}, {4000, 5000, 6, false},
		{5000, 6000, 8, false});
	ASSERT_CURVE(counter, {1000, 2000, 10000, false}, {3000, 4000, 10000, false});
	ASSERT_CURVE(ticks, {1000, 2000, 1000000999999000, false});
	g_array_free(power, TRUE);
	g_array_free(counter, TRUE);
	g_array_free(ticks, TRUE);
}

/* Three readings of 0.9 MW, each for 2 h, are more than 2^64 nJ: of the last one nothing is known.
 */
static void a_curve_fits_64_bits(void **state)
{
	const struct model_span days = {0, 1000000 * PWRTRACE_NS_PER_S};
	const uint64_t h_ns = 3600 * PWRTRACE_NS_PER_S;
	GArray *curve = CURVE("power", 2 * h_ns, &days, {2 * h_ns, 900000000},
		{4 * h_ns, 900000000}, {6 * h_ns, 900000000});

	(void)state;
	ASSERT_CURVE(curve, {0, 2 * h_ns, 900000 * 2 * h_ns, false},
		{2 * h_ns, 4 * h_ns, 900000 * 2 * h_ns, false});
	g_array_free(curve, TRUE);
}

static void of_equal_stamps_the_last_counts(void **state)
{
	GArray *power = CURVE("power", PWRTRACE_UNKNOWN_U64, &whole, {1000, 9}, {1000, 2},
		{2000, 9}, {2000, 4}, {3000, 9}, {3000, 6});
	GArray *counter = CURVE("energy", PWRTRACE_UNKNOWN_U64, &whole, {1000, 1}, {1000, 5},
		{2000, 7}, {2000, 9}, {3000, 10}, {3000, 10});

	(void)state;
	ASSERT_CURVE(power, {0, 1000, 2, false}, {1000, 2000, 4, false}, {2000, 3000, 6, false});
	ASSERT_CURVE(counter, {1000, 2000, 4000, false}, {2000, 3000, 1000, false});
	g_array_free(power, TRUE);
	g_array_free(counter, TRUE);
}

static void curves_end_with_the_recording(void **state)
{
	const struct model_span span = {500, 1500};
	GArray *curve = CURVE("power", 1000, &span, {1000, 4}, {2000, 8}, {3000, 8});

	(void)state;
	ASSERT_CURVE(curve, {500, 1000, 2, false}, {1000, 1500, 4, false});
	g_array_free(curve, TRUE);
	curve = CURVE("power", 1000, &span, {1200, 10});
	ASSERT_CURVE(curve, {500, 1200, 7, false});
	g_array_free(curve, TRUE);
	curve = CURVE("energy", 1000, &span, {1200, 10});
	assert_int_equal(curve->len, 0);
	g_array_free(curve, TRUE);
}

static void what_another_measured_is_taken_out(void **state)
{
	GArray *curve = CURVE("power", 1000, &whole, {1000, 4}, {2000, 8}, {3000, 12});
	GArray *other = CURVE("power", 500, &whole, {1000, 1}, {1500, 1}, {3000, 1}, {3500, 1});

	(void)state;
	/* The other has 500..1500 and 2500..3500. */
	curve_subtract(curve, other);
	ASSERT_CURVE(curve, {0, 500, 2, false}, {1500, 2000, 4, false}, {2000, 2500, 6, false});
	g_array_free(curve, TRUE);
	g_array_free(other, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_stands_for_the_time_before_it),
		cmocka_unit_test(a_counter_knows_the_energy_of_holes_but_not_when),
		cmocka_unit_test(a_counter_that_begins_anew_leaves_a_hole),
		cmocka_unit_test(readings_within_a_tick_of_a_counter_tell_nothing),
		cmocka_unit_test(a_counter_is_not_believed_what_it_takes_back),
		cmocka_unit_test(what_no_device_draws_is_not_known),
		cmocka_unit_test(a_curve_fits_64_bits),
		cmocka_unit_test(of_equal_stamps_the_last_counts),
		cmocka_unit_test(curves_end_with_the_recording),
		cmocka_unit_test(what_another_measured_is_taken_out),
	};

	return cmocka_run_group_tests_name("curve", tests, NULL, NULL);
}
