/* SPDX-License-Identifier: MIT */
#include "analyzer/model/order.h"

#include "analyzer/load/order.h"
#include "analyzer/load/take.h"
#include "tests/unit/unit.h"

#define PID 7

static struct loader *new_loader(void)
{
	struct loader *loader = loader_new(false);

	loader->model->order = model_order_new(true);
	return loader;
}

static void free_loader(struct loader *loader)
{
	model_free(loader->model);
	loader_free(loader);
}

static void add_execution(struct loader *loader, uint64_t begin_ns, uint32_t correlation)
{
	const struct model_execution execution = {.begin_ns = begin_ns, .end_ns = begin_ns + 1};
	const struct launch_call call = {.correlation = correlation};

	assert_true(mapped_array_append(loader->model->executions, &execution));
	assert_true(mapped_array_append(loader->calls, &call));
}

/* Calls stand where their executions will, those of one time in the order in which they were
 * written. */
static void calls_are_in_the_order_of_executions(void **state)
{
	struct loader *loader = new_loader();
	const struct model_order *order = loader->model->order;
	const uint32_t expected[] = {3, 2, 5, 1, 4};

	(void)state;
	add_execution(loader, 40, 1);
	add_execution(loader, 20, 2);
	add_execution(loader, 10, 3);
	add_execution(loader, 40, 4);
	add_execution(loader, 20, 5);
	order_finish(loader);
	assert_int_equal(order->calls->len, G_N_ELEMENTS(expected));
	for (guint i = 0; i < G_N_ELEMENTS(expected); i++)
		assert_int_equal(
			((const struct model_call *)mapped_array_at(order->calls, i))->correlation,
			expected[i]);
	free_loader(loader);
}

static const struct model_wait *wait_at(const struct loader *loader, guint i)
{
	return mapped_array_at(loader->model->order->waits, i);
}

static void waits_are_kept_in_the_order_of_time(void **state)
{
	struct loader *loader = new_loader();

	(void)state;
	take_sync(loader, 0, &(struct pwrtrace_sync){PID, 1, 9, 2, 50, 80, "", "stream"});
	take_sync(loader, 0, &(struct pwrtrace_sync){PID, 3, 8, 4, 10, 10, "", "nothing"});
	take_sync(loader, 0,
		&(struct pwrtrace_sync){PID, 1, 7, 2, 20, 20 + (UINT64_C(1) << 40), "", "events"});
	take_sync(loader, 0, &(struct pwrtrace_sync){PID, 1, 6, 2, 20, 10, "", "device"});
	order_finish(loader);
	assert_int_equal(loader->model->order->waits->len, 3);
	assert_int_equal(wait_at(loader, 0)->awaits, MODEL_AWAITS_NOTHING);
	assert_int_equal(wait_at(loader, 0)->tid, 3);
	assert_int_equal(wait_at(loader, 1)->awaits, MODEL_AWAITS_EVENTS);
	assert_int_equal(wait_at(loader, 1)->length_ns, UINT32_MAX);
	assert_int_equal(wait_at(loader, 2)->awaits, MODEL_AWAITS_STREAM);
	assert_int_equal(wait_at(loader, 2)->length_ns, 30);
	assert_int_equal(wait_at(loader, 2)->correlation, 9);
	free_loader(loader);
}

static void dependencies_are_kept(void **state)
{
	struct loader *loader = new_loader();
	const struct model_dependency *dependency;

	(void)state;
	take_dependency(loader, 0, &(struct pwrtrace_dependency){PID, 5, 0, "event"});
	take_dependency(loader, 0, &(struct pwrtrace_dependency){PID, 6, 5, "wait list"});
	assert_int_equal(loader->model->order->dependencies->len, 2);
	dependency = mapped_array_at(loader->model->order->dependencies, 1);
	assert_int_equal(dependency->correlation, 6);
	assert_int_equal(dependency->after, 5);
	free_loader(loader);
}

/* Where nobody asked, nothing is kept. */
static void nothing_is_kept_unasked(void **state)
{
	struct loader *loader = loader_new(false);

	(void)state;
	take_sync(loader, 0, &(struct pwrtrace_sync){PID, 1, 9, 2, 50, 80, "", "stream"});
	take_dependency(loader, 0, &(struct pwrtrace_dependency){PID, 5, 4, "event"});
	order_finish(loader);
	assert_null(loader->model->order);
	free_loader(loader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_in_the_order_of_executions),
		cmocka_unit_test(waits_are_kept_in_the_order_of_time),
		cmocka_unit_test(dependencies_are_kept),
		cmocka_unit_test(nothing_is_kept_unasked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
