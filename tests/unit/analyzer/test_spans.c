/* SPDX-License-Identifier: MIT */
#include "analyzer/model/spans.h"

#include "tests/unit/unit.h"

static GArray *spans_of(const struct model_span *list, guint count)
{
	GArray *spans = g_array_new(FALSE, FALSE, sizeof(struct model_span));

	return g_array_append_vals(spans, list, count);
}

static void assert_spans(const GArray *spans, const struct model_span *list, guint count)
{
	assert_int_equal(spans->len, count);
	for (guint i = 0; i < count; i++) {
		const struct model_span *span = &g_array_index(spans, struct model_span, i);

		assert_int_equal(span->begin_ns, list[i].begin_ns);
		assert_int_equal(span->end_ns, list[i].end_ns);
	}
}

static void spans_that_touch_are_one(void **state)
{
	static const struct model_span given[] = {{50, 60}, {10, 20}, {20, 30}, {52, 55}, {25, 40}};
	static const struct model_span expected[] = {{10, 40}, {50, 60}};
	GArray *spans = spans_of(given, G_N_ELEMENTS(given));

	(void)state;
	spans_unite(spans);
	assert_spans(spans, expected, G_N_ELEMENTS(expected));
	g_array_free(spans, TRUE);
}

static void what_both_hold_is_left(void **state)
{
	static const struct model_span first[] = {{0, 10}, {20, 30}, {40, 50}};
	static const struct model_span second[] = {{5, 25}, {28, 40}, {45, 60}};
	static const struct model_span expected[] = {{5, 10}, {20, 25}, {28, 30}, {45, 50}};
	GArray *spans = spans_of(first, G_N_ELEMENTS(first));
	GArray *others = spans_of(second, G_N_ELEMENTS(second));

	(void)state;
	spans_intersect(spans, others);
	assert_spans(spans, expected, G_N_ELEMENTS(expected));
	g_array_set_size(others, 0);
	spans_intersect(spans, others);
	assert_int_equal(spans->len, 0);
	g_array_free(spans, TRUE);
	g_array_free(others, TRUE);
}

static void what_others_hold_is_taken_out(void **state)
{
	static const struct model_span first[] = {{0, 10}, {20, 50}, {60, 70}, {80, 90}};
	static const struct model_span second[] = {{5, 25}, {30, 40}, {60, 75}};
	static const struct model_span expected[] = {{0, 5}, {25, 30}, {40, 50}, {80, 90}};
	GArray *spans = spans_of(first, G_N_ELEMENTS(first));
	GArray *others = spans_of(second, G_N_ELEMENTS(second));

	(void)state;
	spans_subtract(spans, others);
	assert_spans(spans, expected, G_N_ELEMENTS(expected));
	assert_int_equal(spans_length_ns(spans), 5 + 5 + 10 + 10);
	spans_subtract(spans, spans);
	assert_int_equal(spans->len, 0);
	g_array_free(spans, TRUE);
	g_array_free(others, TRUE);
}

static void time_within_is_summed(void **state)
{
	static const struct model_span list[] = {{10, 20}, {30, 40}, {50, 60}};
	GArray *spans = spans_of(list, G_N_ELEMENTS(list));

	(void)state;
	assert_int_equal(spans_within(spans, 0, 100), 30);
	assert_int_equal(spans_within(spans, 15, 55), 20);
	assert_int_equal(spans_within(spans, 20, 30), 0);
	assert_int_equal(spans_within(spans, 12, 15), 3);
	assert_int_equal(spans_within(spans, 60, 100), 0);
	assert_int_equal(spans_within(spans, 35, 35), 0);
	g_array_free(spans, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_that_touch_are_one),
		cmocka_unit_test(what_both_hold_is_left),
		cmocka_unit_test(what_others_hold_is_taken_out),
		cmocka_unit_test(time_within_is_summed),
	};

	return cmocka_run_group_tests_name("spans", tests, NULL, NULL);
}
