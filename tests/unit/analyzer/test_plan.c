/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "analyzer/trace/plan.h"
#include "tests/unit/unit.h"

static struct pwrtrace_graph_part got;

static void take_event(void *data, unsigned trace, enum pwrtrace_event_id id, const void *record)
{
	unsigned *count = data;

	assert_int_equal(trace, 3);
	assert_int_equal(id, PWRTRACE_EV_graph_part);
	got = *(const struct pwrtrace_graph_part *)record;
	++*count;
}

static void take_process(void *data, unsigned trace, enum pwrtrace_event_id id, const void *record)
{
	(void)trace;
	assert_int_equal(id, PWRTRACE_EV_process);
	*(struct pwrtrace_process *)data = *(const struct pwrtrace_process *)record;
}

static bool take_wants(void *data, enum pwrtrace_event_id id, const char *field)
{
	(void)data;
	(void)id;
	return strcmp(field, "count") != 0;
}

#define FIELD(name, kind, bytes)                                                                   \
	{                                                                                          \
		name, PLAN_##kind, bytes                                                           \
	}

/* A newer or older trace: fields in another order, unknown ones between them, one that is missing
 * and one that nobody wants. */
static const struct plan_field fields[] = {FIELD("kind", TEXT, 0), FIELD("new", UNSIGNED, 2),
	FIELD("graph", UNSIGNED, 4), FIELD("kernel", UNSIGNED, 4), FIELD("note", TEXT, 0),
	FIELD("count", UNSIGNED, 4), FIELD("bytes", UNSIGNED, 8)};
static const char packed[] = "copy\0??\1\0\0\0\2\0\0\0some\0\3\0\0\0\4\0\0\0\0\0\0";

static void fields_go_where_they_belong(void **state)
{
	unsigned count = 0;
	const struct reader_sink sink = {.event = take_event, .wants = take_wants, .data = &count};
	struct plan *plan = plan_make("pwrtrace:graph_part", fields, G_N_ELEMENTS(fields), &sink);

	(void)state;
	assert_non_null(plan);
	assert_ptr_equal(plan_take(plan, packed, packed + sizeof(packed)), packed + sizeof(packed));
	plan_hand_over(plan, 3, &sink);
	assert_int_equal(count, 1);
	assert_string_equal(got.kind, "copy");
	assert_int_equal(got.graph, 1);
	assert_int_equal(got.kernel, 2);
	assert_true(got.bytes == 4);
	assert_true(got.count == PWRTRACE_UNKNOWN_U32);
	assert_true(got.process == PWRTRACE_UNKNOWN_U32);
	g_free(plan);
}

/* Schema 1: the process had no number but its pid. */
static void two_fields_have_one_source(void **state)
{
	const struct plan_field of_process[] = {
		FIELD("pid", UNSIGNED, 4), FIELD("schema", UNSIGNED, 4)};
	static const char bytes[] = {7, 0, 0, 0, 1, 0, 0, 0};
	struct pwrtrace_process process;
	const struct reader_sink sink = {
		.event = take_process, .wants = take_wants, .data = &process};
	struct plan *plan = plan_make("pwrtrace:process", of_process, 2, &sink);

	(void)state;
	assert_ptr_equal(plan_take(plan, bytes, bytes + sizeof(bytes)), bytes + sizeof(bytes));
	plan_hand_over(plan, 0, &sink);
	assert_int_equal(process.process, 7);
	assert_int_equal(process.pid, 7);
	assert_int_equal(process.schema, 1);
	g_free(plan);
}

static void nothing_is_taken_from_behind_the_end(void **state)
{
	const struct reader_sink sink = {.event = take_event, .wants = take_wants};
	struct plan *plan = plan_make("pwrtrace:graph_part", fields, G_N_ELEMENTS(fields), &sink);

	(void)state;
	for (size_t size = 1; size < sizeof(packed); size++) {
		char *exact = g_memdup2(packed, size); /* for the address sanitizer */

		assert_null(plan_take(plan, exact, exact + size));
		g_free(exact);
	}
	g_free(plan);
}

static void other_types_are_refused(void **state)
{
	const struct reader_sink sink = {.event = take_event, .wants = take_wants};
	const struct plan_field others[] = {FIELD("graph", UNSIGNED, 8), FIELD("graph", SIGNED, 4),
		FIELD("graph", TEXT, 0), FIELD("kind", UNSIGNED, 4), FIELD("bytes", REAL, 8)};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
		struct plan *plan = plan_make("other:graph_part", &others[i], 1, &sink);

		assert_null(plan_make("pwrtrace:graph_part", &others[i], 1, &sink));
		assert_non_null(plan);
		g_free(plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_go_where_they_belong),
		cmocka_unit_test(two_fields_have_one_source),
		cmocka_unit_test(nothing_is_taken_from_behind_the_end),
		cmocka_unit_test(other_types_are_refused),
	};

	return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
