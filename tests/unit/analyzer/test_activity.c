/* SPDX-License-Identifier: MIT */
#include "analyzer/response/activity.h"

#include "tests/unit/analyzer/one_gpu.h"

#define MS 1e6
#define PERIOD_NS (20 * MS)
#define WINDOW_NS (20 * MS)
#define TAIL_NS (4 * MS)
#define SWITCH_NS (95 * MS) /* kernel a runs before, kernel b after */
#define END_NS (1000 * MS)
#define ROWS 50

static const struct response_shape shape = {0, WINDOW_NS, TAIL_NS};

struct two_kernels {
	struct one_gpu one;
	struct columns columns;
	uint32_t of_origin[2];
	struct power_reading readings[ROWS];
};

static void set_up(struct two_kernels *two)
{
	one_gpu_begin(&two->one, PERIOD_NS, END_NS, 2);
	one_gpu_runs(&two->one, 0, 0, SWITCH_NS);
	one_gpu_runs(&two->one, 1, SWITCH_NS, END_NS);
	one_gpu_set_source(&two->one);
	for (guint i = 0; i < 2; i++)
		two->of_origin[one_gpu_execution(&two->one, i)->origin] = i;
	two->columns = (struct columns){.model = &two->one.model,
		.span = {0, (uint64_t)END_NS},
		.count = 2,
		.of_origin = two->of_origin,
		.longest_ns = END_NS};
	for (guint i = 0; i < ROWS; i++)
		two->readings[i] = (struct power_reading){
			.time_ns = (i + 1) * PERIOD_NS, .since_ns = (i + 1) * PERIOD_NS};
}

static struct activity *activity_of(const struct two_kernels *two, guint slots)
{
	static const uint32_t slot_of[] = {0, 1};
	static const double weight_of[] = {1, 0}; /* in one slot, that of kernel a */
	const struct activity_plan plan = {.slots = slots,
		.slot_of = slots == 2 ? slot_of : NULL,
		.weight_of = slots == 2 ? NULL : weight_of};

	return activity_make(&two->columns, two->readings, ROWS, 260 * MS, PERIOD_NS / 100, &plan);
}

/* The part of a reading that work has which ended so long before it: the integral of the response,
 * a window with an exponential tail, from then on. */
static double seen_until(double before_ns)
{
	if (before_ns > WINDOW_NS)
		return TAIL_NS / WINDOW_NS * expm1(WINDOW_NS / TAIL_NS) * exp(-before_ns / TAIL_NS);
	return before_ns > 0 ? 1 - (before_ns + TAIL_NS * expm1(-before_ns / TAIL_NS)) / WINDOW_NS
			     : 1;
}

static void readings_see_what_ran_before_them(void **state)
{
	struct two_kernels two;
	double parts[ROWS * 2] = {0}, one_slot[ROWS] = {0};

	(void)state;
	set_up(&two);
	for (guint slots = 1; slots <= 2; slots++) {
		struct activity *activity = activity_of(&two, slots);
		struct activity_view view;

		activity_view_begin(&view, activity);
		activity_view_parts(
			&view, &shape, two.readings, ROWS, slots, slots == 2 ? parts : one_slot);
		activity_view_end(&view);
		activity_free(activity);
	}
	/* The first ones also see the time before kernel a. */
	for (guint i = 3; i < ROWS; i++) {
		double expected = seen_until(two.readings[i].time_ns - SWITCH_NS);

		assert_float_equal(parts[2 * i], expected, 2e-3);
		assert_float_equal(parts[2 * i + 1], 1 - expected, 2e-3);
		assert_float_equal(one_slot[i], expected, 2e-3);
	}
	one_gpu_end(&two.one);
}

static void what_has_faded_is_no_subnormal_number(void **state)
{
	struct two_kernels two;
	double parts[ROWS * 2] = {0};

	(void)state;
	set_up(&two);
	for (guint slots = 1; slots <= 2; slots++) {
		struct activity *activity = activity_of(&two, slots);
		struct activity_view view;
		gsize subnormal = 0;

		activity_view_begin(&view, activity);
		activity_view_parts(&view, &shape, two.readings, ROWS, slots, parts);
		assert_in_range(view.done, ROWS * 99, UINT32_MAX);
		for (gsize i = 0; i < (gsize)view.done * slots; i++)
			subnormal += fpclassify(view.held[i]) == FP_SUBNORMAL;
		assert_int_equal(subnormal, 0);
		activity_view_end(&view);
		activity_free(activity);
	}
	one_gpu_end(&two.one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readings_see_what_ran_before_them),
		cmocka_unit_test(what_has_faded_is_no_subnormal_number),
	};

	return cmocka_run_group_tests_name("activity", tests, NULL, NULL);
}
