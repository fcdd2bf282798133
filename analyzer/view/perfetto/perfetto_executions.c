/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "analyzer/ledger/kernel_names.h"
#include "analyzer/ledger/row_name.h"
#include "analyzer/ledger/rows.h"
#include "analyzer/model/id_map.h"
#include "analyzer/view/content/execution_steps.h"
#include "analyzer/view/perfetto/perfetto_trace.h"

#define NJ_PER_J 1e9
#define UW_PER_W 1000000

/* Fields of the message InternedData. */
enum { INTERNED_EVENT_NAME = 2, INTERNED_CONTEXT = 23, INTERNED_STAGE = 24, INTERNED_TEXT = 29 };
enum { STAGE_KERNEL = 1, STAGE_MEMORY, STAGE_GRAPH, STAGE_QUEUES };

struct executions {
	struct perfetto_trace *trace;
	struct kernel_names *names;
	uint32_t *queue_of; /* by origin: a number from 0 */
	guint queues;
	uint64_t *layer_of; /* by origin: the number of its layer's text, its node in the tree */
};

/* ---- what many executions have in common, written once ---- */

static const struct model_origin *origin_at(const struct model *model, guint i)
{
	return &g_array_index(model->origins->list, struct model_origin, i);
}

/* Adds a text with its number to trace->event, the message InternedData. */
static void intern(struct perfetto_trace *trace, guint field, uint64_t number, const char *text)
{
	packet_put_count(trace->part, 1, number);
	packet_put_text(trace->part, 2, text);
	packet_put_message(trace->event, field, trace->part);
}

static void intern_contexts(struct perfetto_trace *trace)
{
	static const char *const apis[] = {[3] = "opencl", [4] = "cuda", [5] = "hip"};
	const struct model *model = trace->ledger->model;

	for (guint i = 0; i < model->processes->len; i++) {
		packet_put_count(trace->part, 1, i + 1);
		packet_put_count(trace->part, 2, perfetto_pid(model, i));
		for (guint api = 3; api < G_N_ELEMENTS(apis) && model->gpus->len; api++)
			if (strcmp(apis[api],
				    g_array_index(model->gpus, struct model_gpu, 0).api) == 0)
				packet_put_count(trace->part, 3, api);
		packet_put_message(trace->event, INTERNED_CONTEXT, trace->part);
	}
}

static void intern_queues(struct executions *executions)
{
	const struct model *model = executions->trace->ledger->model;
	struct id_map *known = id_map_new();

	for (guint i = 0; i < model->origins->list->len; i++) {
		const struct model_origin *origin = origin_at(model, i);
		uint32_t *queue = id_map_at(
			known, &(struct id_key){.process = origin->process, .id = origin->stream});
		struct ledger_row row = {.device = ""};

		if (!*queue) {
			*queue = ++executions->queues;
			row_name_stream(model, origin, &row);
			intern(executions->trace, INTERNED_STAGE, STAGE_QUEUES + *queue - 1,
				row.name);
			rows_clear(&row);
		}
		executions->queue_of[i] = *queue - 1;
	}
	id_map_free(known);
}

static void intern_names(struct executions *executions)
{
	const struct model *model = executions->trace->ledger->model;
	struct layer_tree *tree = layer_tree_new(0);
	GHashTable *known = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < model->origins->list->len; i++) {
		const struct model_origin *origin = origin_at(model, i);
		uint32_t node =
			layer_tree_node(tree, model_process_of(model, origin), origin->layer);

		intern(executions->trace, INTERNED_EVENT_NAME, i + 1, executions->names->label[i]);
		executions->layer_of[i] = node;
		if (g_hash_table_add(known, GUINT_TO_POINTER(node))) {
			char *path = layer_tree_path(tree, node);

			intern(executions->trace, INTERNED_TEXT, node, path);
			g_free(path);
		}
	}
	g_hash_table_destroy(known);
	layer_tree_free(tree);
}

static void intern_all(struct executions *executions)
{
	struct perfetto_trace *trace = executions->trace;

	intern(trace, INTERNED_STAGE, STAGE_KERNEL, "kernel");
	intern(trace, INTERNED_STAGE, STAGE_MEMORY, "memory");
	intern(trace, INTERNED_STAGE, STAGE_GRAPH, "graph");
	intern_contexts(trace);
	intern_queues(executions);
	intern_names(executions);
	packet_put_count(trace->packet, PACKET_SEQUENCE, 1);
	packet_put_count(trace->packet, PACKET_FLAGS, BEGINS_INTERNED);
	packet_put_message(trace->packet, PACKET_INTERNED, trace->event);
	packet_write(trace->out, trace->packet);
}

/* ---- the power of what runs ---- */

static void put_power(struct perfetto_trace *trace, const struct execution_step *step)
{
	uint32_t gpu = model_gpu_of(trace->ledger->model, step->attributed.execution);

	perfetto_begin_track_event(trace, TRACK_EVENT_COUNTER, perfetto_track(PERFETTO_POWER, gpu));
	packet_put_real(trace->event, 44, (double)step->device_uw / UW_PER_W);
	perfetto_put_event(trace, PACKET_TRACK_EVENT, execution_step_ns(step));
}

/* ---- executions ---- */

static void put_number(struct perfetto_trace *trace, const char *name, double value)
{
	packet_put_text(trace->inner, 2, name);
	packet_put_real(trace->inner, 5, value);
	packet_put_message(trace->part, 3, trace->inner);
}

/* How many work-items of a group there are in each direction, or groups in all. */
static void put_sizes(struct perfetto_trace *trace, guint field, const uint64_t sizes[3])
{
	for (guint i = 0; i < 3; i++)
		packet_put_count(trace->inner, i + 1, sizes[i]);
	packet_put_message(trace->part, field, trace->inner);
}

static void put_shape(struct perfetto_trace *trace, const struct model_kernel *kernel)
{
	uint64_t groups[3];

	if (!kernel)
		return;
	model_groups(kernel, groups);
	put_sizes(trace, 1, groups);
	if (kernel->local[0])
		put_sizes(trace, 2,
			(uint64_t[]){kernel->local[0], kernel->local[1], kernel->local[2]});
}

static void put_energy(struct perfetto_trace *trace, const struct execution_step *step)
{
	put_number(trace, "energy_j", (double)step->attributed.energy_nj / NJ_PER_J);
	put_number(trace, "power_w", step->power_w);
	if (isfinite(step->static_nj))
		put_number(trace, "static_j", step->static_nj / NJ_PER_J);
	if (step->row && step->row->ci95_j >= 0)
		put_number(trace, "ci95_j", step->row->ci95_j);
}

static void put_execution(struct executions *executions, const struct execution_step *step)
{
	struct perfetto_trace *trace = executions->trace;
	const struct model *model = trace->ledger->model;
	const struct model_execution *execution = step->attributed.execution;
	const struct model_origin *origin = model_origin_of(model, execution);

	packet_put_count(trace->event, 1, step->number);
	packet_put_count(trace->event, 2, execution->end_ns - execution->begin_ns);
	packet_put_count(trace->event, 5, origin->process + 1);
	if (origin->gpu != MODEL_NONE)
		packet_put_count(trace->event, 11, origin->gpu);
	packet_put_count(trace->event, 13, STAGE_QUEUES + executions->queue_of[execution->origin]);
	packet_put_count(trace->event, 14,
		origin_is_kernel(origin)           ? STAGE_KERNEL
		: origin->kernel & MODEL_IS_MEMORY ? STAGE_MEMORY
						   : STAGE_GRAPH);
	packet_put_count(trace->event, 20, execution->origin + 1);
	put_shape(trace, model_kernel_of(model, origin));
	if (step->measured)
		put_energy(trace, step);
	packet_put_text(trace->inner, 2, "layer");
	packet_put_count(trace->inner, 7, executions->layer_of[execution->origin]);
	packet_put_message(trace->part, 3, trace->inner);
	packet_put_message(trace->event, 21, trace->part);
	perfetto_put_event(trace, PACKET_GPU_STAGE, execution->begin_ns);
}

static void put_launch(struct perfetto_trace *trace, const struct execution_step *step)
{
	const struct model_execution *execution = step->attributed.execution;
	uint32_t process = model_origin_of(trace->ledger->model, execution)->process;

	if (execution->launched_ns == PWRTRACE_UNKNOWN_U64)
		return;
	perfetto_begin_track_event(
		trace, TRACK_EVENT_INSTANT, perfetto_track(PERFETTO_LAUNCHES, process));
	packet_put_count(trace->event, 10, execution->origin + 1);
	packet_put_count(trace->part, 1, step->number);
	packet_put_message(trace->event, 3000, trace->part);
	perfetto_put_event(trace, PACKET_TRACK_EVENT, execution->launched_ns);
}

static void visit(void *data, const struct execution_step *step)
{
	struct executions *executions = data;

	if (execution_step_has_power(step))
		put_power(executions->trace, step);
	if (!step->begins)
		return;
	put_execution(executions, step);
	put_launch(executions->trace, step);
}

void perfetto_put_executions(struct perfetto_trace *trace)
{
	const struct ledger *ledger = trace->ledger;
	const struct model *model = ledger->model;
	guint origins = model->origins->list->len;
	struct executions executions = {.trace = trace,
		.names = kernel_names_of(model),
		.queue_of = g_new0(uint32_t, origins + 1),
		.layer_of = g_new0(uint64_t, origins + 1)};

	intern_all(&executions);
	for (guint i = 0; i < model->gpus->len; i++)
		if (ledger->attribution->measured[i]) {
			char *name = g_strdup_printf("power of executions on GPU %u (%s)", i,
				g_array_index(model->gpus, struct model_gpu, i).name);

			perfetto_put_track(trace, perfetto_track(PERFETTO_POWER, i), 0, name, "W");
			g_free(name);
		}
	execution_steps_visit(ledger, visit, &executions);
	g_free(executions.layer_of);
	g_free(executions.queue_of);
	kernel_names_free(executions.names);
}
