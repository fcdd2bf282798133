/* SPDX-License-Identifier: MIT */
#include "analyzer/load/take.h"
#include "analyzer/load/waits.h"
#include "tests/unit/unit.h"

#define NEVER PWRTRACE_UNKNOWN_U64
#define PID 7

/* Streams 1 and 2 are of context 1, 3 of context 2, all of device 1; 4 is of device 2, and runs out
 * of order. */
static const struct pwrtrace_stream_def streams[] = {
	{PID, 1, 1, 1, 0, 0}, {PID, 2, 1, 1, 0, 0}, {PID, 3, 2, 1, 0, 0}, {PID, 4, 3, 2, 1, 0}};

static struct loader *new_loader(void)
{
	struct loader *loader = loader_new(false);

	for (size_t i = 0; i < G_N_ELEMENTS(streams); i++)
		take_stream_def(loader, 0, &streams[i]);
	return loader;
}

static void free_loader(struct loader *loader)
{
	model_free(loader->model);
	loader_free(loader);
}

/* Something was launched into a stream; return_ns: when the call was over. */
static void launch(struct loader *loader, uint32_t correlation, uint32_t stream, uint64_t return_ns)
{
	const struct model_origin origin = {.stream = stream};
	const struct model_execution execution = {
		.launched_ns = 50, .origin = origins_number(loader->model->origins, &origin)};
	const struct launch_call call = {.correlation = correlation,
		.length_ns = return_ns == NEVER ? PWRTRACE_UNKNOWN_U32
						: (uint32_t)(return_ns - execution.launched_ns)};

	assert_true(mapped_array_append(loader->model->executions, &execution));
	assert_true(mapped_array_append(loader->calls, &call));
}

static void synchronize(struct loader *loader, uint32_t correlation, uint32_t stream,
	uint64_t begin_ns, uint64_t end_ns, const char *awaits)
{
	take_sync(loader, 0,
		&(struct pwrtrace_sync){PID, 1, correlation, stream, begin_ns, end_ns, "", awaits});
}

static void depends(struct loader *loader, uint32_t correlation, uint32_t after)
{
	take_dependency(loader, 0, &(struct pwrtrace_dependency){PID, correlation, after, "event"});
}

/* When the host had seen the end of each, in the order of the launches. */
#define SEEN(loader, ...)                                                                          \
	do {                                                                                       \
		const uint64_t seen_ns[] = {__VA_ARGS__};                                          \
                                                                                                   \
		waits_order(loader);                                                               \
		assert_int_equal((loader)->model->executions->len, G_N_ELEMENTS(seen_ns));         \
		for (guint i = 0; i < (loader)->model->executions->len; i++)                       \
			assert_int_equal(waits_end_seen_ns(loader, i), seen_ns[i]);                \
		free_loader(loader);                                                               \
	} while (0)

/* Only what was launched before, into the same. */
static void a_stream(void **state)
{
	struct loader *loader = new_loader();

	(void)state;
	launch(loader, 1, 1, 100);
	launch(loader, 2, 2, 100);
	launch(loader, 3, 1, 201);
	launch(loader, 4, 1, NEVER);
	synchronize(loader, 5, 1, 200, 300, "stream");
	SEEN(loader, 300, NEVER, NEVER, NEVER);
}

static void a_context(void **state)
{
	struct loader *loader = new_loader();

	(void)state;
	for (uint32_t stream = 1; stream <= 4; stream++)
		launch(loader, stream, stream, 100);
	synchronize(loader, 5, 2, 200, 300, "context");
	SEEN(loader, 300, 300, NEVER, NEVER);
}

static void a_device(void **state)
{
	struct loader *loader = new_loader();

	(void)state;
	for (uint32_t stream = 1; stream <= 4; stream++)
		launch(loader, stream, stream, 100);
	synchronize(loader, 5, 3, 200, 300, "device");
	SEEN(loader, 300, 300, 300, NEVER);
}

/* Several threads wait, in any order of the trace: who called later may return before. */
static void the_first_to_return(void **state)
{
	struct loader *loader = new_loader();

	(void)state;
	synchronize(loader, 5, 1, 400, 900, "stream");
	synchronize(loader, 6, 1, 200, 800, "stream");
	synchronize(loader, 7, 1, 300, 500, "context");
	synchronize(loader, 8, 1, 450, 700, "stream");
	launch(loader, 1, 1, 150);
	launch(loader, 2, 1, 350);
	launch(loader, 3, 1, 420);
	launch(loader, 4, 1, 460);
	SEEN(loader, 500, 700, 700, NEVER);
}

/* A record is reached after what was launched before it, however late it is awaited; what awaits it
 * on the device alone tells the host nothing. */
static void an_event_that_was_recorded(void **state)
{
	struct loader *loader = new_loader();

	(void)state;
	launch(loader, 1, 1, 100);
	synchronize(loader, 2, 1, 120, 130, "nothing");
	launch(loader, 3, 1, 200);
	synchronize(loader, 4, 1, 220, 230, "nothing");
	synchronize(loader, 5, 2, 240, 250, "nothing");
	depends(loader, 5, 4);
	synchronize(loader, 6, 0, 300, 400, "events");
	depends(loader, 6, 2);
	synchronize(loader, 7, 0, 500, 600, "events");
	depends(loader, 7, 2);
	SEEN(loader, 400, NEVER);
}

/* Of an execution itself, whatever its stream did meanwhile; the dependency is told before. */
static void an_event_of_an_execution(void **state)
{
	struct loader *loader = new_loader();

	(void)state;
	launch(loader, 1, 4, 100);
	launch(loader, 2, 4, NEVER);
	launch(loader, 3, 4, 100);
	depends(loader, 4, 2);
	depends(loader, 4, 3);
	depends(loader, 4, 0);
	synchronize(loader, 4, 0, 200, 300, "events");
	SEEN(loader, NEVER, 300, 300);
}

/* Out of order, a marker says nothing of what was before it. */
static void a_marker_out_of_order(void **state)
{
	struct loader *loader = new_loader();

	(void)state;
	launch(loader, 1, 4, 100);
	synchronize(loader, 2, 4, 120, 130, "nothing");
	depends(loader, 3, 2);
	synchronize(loader, 3, 0, 200, 300, "events");
	SEEN(loader, NEVER);
}

/* From before traces told what is awaited, from after, and of what nobody has defined. */
static void what_is_not_known(void **state)
{
	struct loader *loader = new_loader();

	(void)state;
	launch(loader, 1, 1, 100);
	launch(loader, 2, 9, 100);
	synchronize(loader, 3, 1, 200, 300, "");
	synchronize(loader, 4, 1, 200, 300, "another context");
	synchronize(loader, 5, 1, NEVER, 300, "stream");
	synchronize(loader, 6, 1, 200, NEVER, "stream");
	synchronize(loader, 7, 0, 200, 300, "stream");
	synchronize(loader, 8, 9, 200, 300, "stream");
	synchronize(loader, 9, 0, 200, 300, "device");
	SEEN(loader, NEVER, NEVER);
}

/* Ids of one process mean nothing in another. */
static void processes(void **state)
{
	struct loader *loader = new_loader();

	(void)state;
	launch(loader, 1, 1, 100);
	take_sync(loader, 0, &(struct pwrtrace_sync){PID + 1, 1, 1, 1, 200, 300, "", "stream"});
	take_sync(loader, 0, &(struct pwrtrace_sync){PID + 1, 1, 2, 1, 200, 300, "", "events"});
	take_dependency(loader, 0, &(struct pwrtrace_dependency){PID + 1, 2, 1, "event"});
	SEEN(loader, NEVER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stream),
		cmocka_unit_test(a_context),
		cmocka_unit_test(a_device),
		cmocka_unit_test(the_first_to_return),
		cmocka_unit_test(an_event_that_was_recorded),
		cmocka_unit_test(an_event_of_an_execution),
		cmocka_unit_test(a_marker_out_of_order),
		cmocka_unit_test(what_is_not_known),
		cmocka_unit_test(processes),
	};

	return cmocka_run_group_tests_name("waits", tests, NULL, NULL);
}
