/* SPDX-License-Identifier: MIT */
#include "analyzer/power/moving.h"

#include <math.h>

#include "analyzer/power/buffer.h"
#include "tests/unit/unit.h"

#define MS UINT64_C(1000000)
#define W INT64_C(1000000)
#define BEGIN_NS (123 * MS) /* of each curve */

static const uint64_t lengths_ns[] = {MS / 10, 3 * MS / 10, MS, 10 * MS, 100 * MS, 1000 * MS};

/* 3 ms at 900 W and 7 ms at 200 W, for two seconds. */
static void add_wave(struct moving *moving, struct buffer *buffer)
{
	for (uint64_t begin_ns = BEGIN_NS; begin_ns < BEGIN_NS + 2000 * MS; begin_ns += 10 * MS) {
		moving_add(moving, begin_ns, begin_ns + 3 * MS, 900 * W, 0);
		moving_add(moving, begin_ns + 3 * MS, begin_ns + 10 * MS, 200 * W, 0);
		buffer_add(buffer, 3 * MS, 900 * W);
		buffer_add(buffer, 7 * MS, 200 * W);
	}
}

static void averages_a_wave(void **state)
{
	const double highest_w[] = {900, 900, 900, 410, 410, 410};
	const double lowest_w[] = {200, 200, 200, 410, 410, 410};
	const double ramp_w_per_s[] = {7e6, 7e5 / 0.3, 7e5, 0, 0, 0};
	struct moving *moving = moving_new(lengths_ns, G_N_ELEMENTS(lengths_ns));
	struct buffer buffer = {.total = {(__int128)410 * W * 2000 * MS, 2000 * MS}};

	(void)state;
	add_wave(moving, &buffer);
	moving_finish(moving);
	for (guint i = 0; i < G_N_ELEMENTS(lengths_ns); i++) {
		const struct moving_window *window = moving_at(moving, i);

		assert_float_equal(moving_w(window, &window->highest), highest_w[i], 1e-9);
		assert_float_equal(moving_w(window, &window->lowest), lowest_w[i], 1e-9);
		assert_float_equal(moving_ramp_w_per_s(window), ramp_w_per_s[i], 1e-6);
	}
	assert_float_equal(buffer_j(&buffer), 1.47, 1e-12);
	assert_true(moving_at(moving, 2)->highest.end_ns == BEGIN_NS + MS);
	moving_free(moving);
}

/* A window does not reach across a time that is not known, and one that is longer than what is
 * known has no average. */
static void leaves_out_what_is_not_known(void **state)
{
	const uint64_t lengths[] = {2 * MS, 4 * MS};
	struct moving *moving = moving_new(lengths, 2);

	(void)state;
	moving_add(moving, 0, MS, 900 * W, 0);
	moving_add(moving, 2 * MS, 3 * MS, 100 * W, 0);
	moving_add(moving, 3 * MS, 4 * MS, 300 * W, 0);
	moving_add(moving, 10 * MS, 11 * MS, 900 * W, 0);
	moving_finish(moving);
	assert_float_equal(moving_w(moving_at(moving, 0), &moving_at(moving, 0)->highest), 200, 0);
	assert_float_equal(moving_w(moving_at(moving, 0), &moving_at(moving, 0)->lowest), 200, 0);
	assert_true(isnan(moving_ramp_w_per_s(moving_at(moving, 0))));
	assert_true(isnan(moving_w(moving_at(moving, 1), &moving_at(moving, 1)->highest)));
	moving_free(moving);
}

/* The highest average is not known where that of a window is higher that is uncertain to more than
 * a tenth. */
static void an_extreme_that_is_uncertain_is_not_known(void **state)
{
	const uint64_t lengths[] = {2 * MS};
	struct moving *moving = moving_new(lengths, 1);
	const struct moving_window *window = moving_at(moving, 0);

	(void)state;
	moving_add(moving, 0, 2 * MS, 500 * W, 0);
	moving_add(moving, 2 * MS, 3 * MS, 900 * W, 900 * W);
	moving_add(moving, 3 * MS, 5 * MS, 600 * W, 60 * W);
	moving_add(moving, 5 * MS, 7 * MS, 700 * W, 71 * W);
	moving_finish(moving);
	assert_true(isnan(moving_w(window, &window->highest)));
	assert_true(moving_w(window, &window->lowest) == 500);
	assert_true(isnan(moving_ramp_w_per_s(window)));
	moving_free(moving);
}

/* The energy of the window that ends at end_ns, by looking at each ns of a curve. */
static int64_t energy_fj(const int64_t *power_uw, guint end_ns, guint length_ns)
{
	int64_t sum_fj = 0;

	for (guint i = end_ns - length_ns; i < end_ns; i++)
		sum_fj += power_uw[i];
	return sum_fj;
}

/* Random curves, whose averages are looked for at each ns. */
static void agrees_with_looking_everywhere(void **state)
{
	const uint64_t lengths[] = {1, 7, 50, 130};
	GRand *random = g_rand_new_with_seed(1);
	int64_t power_uw[400];

	(void)state;
	for (guint round = 0; round < 50; round++) {
		struct moving *moving = moving_new(lengths, 4);

		for (guint begin = 0, end; begin < 400; begin = end) {
			int64_t uw = g_rand_int_range(random, 0, 1000);
			guint length = (guint)g_rand_int_range(random, 1, 40);

			end = MIN(400u, begin + length);
			for (guint i = begin; i < end; i++)
				power_uw[i] = uw;
			moving_add(moving, begin, end, uw, 0);
		}
		moving_finish(moving);
		for (guint i = 0; i < 4; i++) {
			const struct moving_window *window = moving_at(moving, i);
			guint length = (guint)lengths[i];
			int64_t most = 0, least = INT64_MAX, ramp = INT64_MIN;

			for (guint end = length; end <= 400; end++) {
				int64_t now = energy_fj(power_uw, end, length);

				most = MAX(most, now);
				least = MIN(least, now);
				if (end >= 2 * length)
					ramp = MAX(ramp,
						now - energy_fj(power_uw, end - length, length));
			}
			assert_true(window->highest.energy_fj == most);
			assert_true(window->lowest.energy_fj == least);
			assert_true(window->ramp.energy_fj == ramp);
			assert_true(
				energy_fj(power_uw, (guint)window->highest.end_ns, length) == most);
		}
		moving_free(moving);
	}
	g_rand_free(random);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(averages_a_wave),
		cmocka_unit_test(leaves_out_what_is_not_known),
		cmocka_unit_test(an_extreme_that_is_uncertain_is_not_known),
		cmocka_unit_test(agrees_with_looking_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
