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

static struct model *new_model(void)
{
	struct model *model = g_new0(struct model, 1);

	model->processes = g_array_new(FALSE, TRUE, sizeof(struct model_process));
	model->executions = g_array_new(FALSE, FALSE, sizeof(struct model_execution));
	model->launching = g_array_new(FALSE, FALSE, sizeof(struct model_call));
	model->origins = origins_new();
	model->waits = waits_new();
	for (size_t i = 0; i < G_N_ELEMENTS(streams); i++)
		take_stream_def(model, 0, &streams[i]);
	return model;
}

static void free_process(const struct model_process *process)
{
	struct table *tables[] = {process->kernels, process->streams, process->layers,
		process->devices, process->clocks, process->graphs, process->modules,
		process->functions, process->stacks};

	for (size_t i = 0; i < G_N_ELEMENTS(tables); i++)
		table_free(tables[i]);
}

static void free_model(struct model *model)
{
	for (guint i = 0; i < model->processes->len; i++)
		free_process(&g_array_index(model->processes, struct model_process, i));
	g_array_free(model->processes, TRUE);
	g_array_free(model->executions, TRUE);
	g_array_free(model->launching, TRUE);
	origins_free(model->origins);
	waits_free(model->waits);
	g_free(model);
}

/* Something was launched into a stream; return_ns: when the call was over. */
static void launch(struct model *model, uint32_t correlation, uint32_t stream, uint64_t return_ns)
{
	const struct model_origin origin = {.stream = stream};
	const struct model_execution execution = {
		.launched_ns = 50, .origin = origins_number(model->origins, &origin)};
	const struct model_call call = {
		correlation, return_ns == NEVER ? PWRTRACE_UNKNOWN_U32
						: (uint32_t)(return_ns - execution.launched_ns)};

	g_array_append_val(model->executions, execution);
	g_array_append_val(model->launching, call);
}

static void synchronize(struct model *model, uint32_t correlation, uint32_t stream,
	uint64_t begin_ns, uint64_t end_ns, const char *awaits)
{
	take_sync(model, 0,
		&(struct pwrtrace_sync){PID, 1, correlation, stream, begin_ns, end_ns, "", awaits});
}

static void depends(struct model *model, uint32_t correlation, uint32_t after)
{
	take_dependency(model, 0, &(struct pwrtrace_dependency){PID, correlation, after, "event"});
}

/* When the host had seen the end of each, in the order of the launches. */
#define SEEN(model, ...)                                                                           \
	do {                                                                                       \
		const uint64_t seen_ns[] = {__VA_ARGS__};                                          \
                                                                                                   \
		waits_order(model);                                                                \
		assert_int_equal((model)->executions->len, G_N_ELEMENTS(seen_ns));                 \
		for (guint i = 0; i < (model)->executions->len; i++)                               \
			assert_int_equal(waits_end_seen_ns(model, i), seen_ns[i]);                 \
		free_model(model);                                                                 \
	} while (0)

/* Only what was launched before, into the same. */
static void a_stream(void **state)
{
	struct model *model = new_model();

	(void)state;
	launch(model, 1, 1, 100);
	launch(model, 2, 2, 100);
	launch(model, 3, 1, 201);
	launch(model, 4, 1, NEVER);
	synchronize(model, 5, 1, 200, 300, "stream");
	SEEN(model, 300, NEVER, NEVER, NEVER);
}

static void a_context(void **state)
{
	struct model *model = new_model();

	(void)state;
	for (uint32_t stream = 1; stream <= 4; stream++)
		launch(model, stream, stream, 100);
	synchronize(model, 5, 2, 200, 300, "context");
	SEEN(model, 300, 300, NEVER, NEVER);
}

static void a_device(void **state)
{
	struct model *model = new_model();

	(void)state;
	for (uint32_t stream = 1; stream <= 4; stream++)
		launch(model, stream, stream, 100);
	synchronize(model, 5, 3, 200, 300, "device");
	SEEN(model, 300, 300, 300, NEVER);
}

/* Several threads wait, in any order of the trace: who called later may return before. */
static void the_first_to_return(void **state)
{
	struct model *model = new_model();

	(void)state;
	synchronize(model, 5, 1, 400, 900, "stream");
	synchronize(model, 6, 1, 200, 800, "stream");
	synchronize(model, 7, 1, 300, 500, "context");
	synchronize(model, 8, 1, 450, 700, "stream");
	launch(model, 1, 1, 150);
	launch(model, 2, 1, 350);
	launch(model, 3, 1, 420);
	launch(model, 4, 1, 460);
	SEEN(model, 500, 700, 700, NEVER);
}

/* A record is reached after what was launched before it, however late it is awaited; what awaits it
 * on the device alone tells the host nothing. */
static void an_event_that_was_recorded(void **state)
{
	struct model *model = new_model();

	(void)state;
	launch(model, 1, 1, 100);
	synchronize(model, 2, 1, 120, 130, "nothing");
	launch(model, 3, 1, 200);
	synchronize(model, 4, 1, 220, 230, "nothing");
	synchronize(model, 5, 2, 240, 250, "nothing");
	depends(model, 5, 4);
	synchronize(model, 6, 0, 300, 400, "events");
	depends(model, 6, 2);
	synchronize(model, 7, 0, 500, 600, "events");
	depends(model, 7, 2);
	SEEN(model, 400, NEVER);
}

/* Of an execution itself, whatever its stream did meanwhile; the dependency is told before. */
static void an_event_of_an_execution(void **state)
{
	struct model *model = new_model();

	(void)state;
	launch(model, 1, 4, 100);
	launch(model, 2, 4, NEVER);
	launch(model, 3, 4, 100);
	depends(model, 4, 2);
	depends(model, 4, 3);
	depends(model, 4, 0);
	synchronize(model, 4, 0, 200, 300, "events");
	SEEN(model, NEVER, 300, 300);
}

/* Out of order, a marker says nothing of what was before it. */
static void a_marker_out_of_order(void **state)
{
	struct model *model = new_model();

	(void)state;
	launch(model, 1, 4, 100);
	synchronize(model, 2, 4, 120, 130, "nothing");
	depends(model, 3, 2);
	synchronize(model, 3, 0, 200, 300, "events");
	SEEN(model, NEVER);
}

/* From before traces told what is awaited, from after, and of what nobody has defined. */
static void what_is_not_known(void **state)
{
	struct model *model = new_model();

	(void)state;
	launch(model, 1, 1, 100);
	launch(model, 2, 9, 100);
	synchronize(model, 3, 1, 200, 300, "");
	synchronize(model, 4, 1, 200, 300, "another context");
	synchronize(model, 5, 1, NEVER, 300, "stream");
	synchronize(model, 6, 1, 200, NEVER, "stream");
	synchronize(model, 7, 0, 200, 300, "stream");
	synchronize(model, 8, 9, 200, 300, "stream");
	synchronize(model, 9, 0, 200, 300, "device");
	SEEN(model, NEVER, NEVER);
}

/* Ids of one process mean nothing in another. */
static void processes(void **state)
{
	struct model *model = new_model();

	(void)state;
	launch(model, 1, 1, 100);
	take_sync(model, 0, &(struct pwrtrace_sync){PID + 1, 1, 1, 1, 200, 300, "", "stream"});
	take_sync(model, 0, &(struct pwrtrace_sync){PID + 1, 1, 2, 1, 200, 300, "", "events"});
	take_dependency(model, 0, &(struct pwrtrace_dependency){PID + 1, 2, 1, "event"});
	SEEN(model, NEVER);
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
