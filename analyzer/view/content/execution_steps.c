/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/execution_steps.h"

#include <math.h>

#include "analyzer/ledger/intervals.h"
#include "analyzer/ledger/measured.h"
#include "analyzer/model/id_map.h"
#include "analyzer/print/message.h"

#define UW_PER_W 1e6

struct execution_steps {
	const struct ledger *ledger;
	execution_step_visitor *visitor;
	void *data;
	GSequence *running;    /* struct execution_step *: the ends to come, in the order of time */
	struct id_map *queues; /* numbers of streams, from 1 */
	GPtrArray *lanes;      /* GByteArray *, by stream: whether each of its lanes is taken */
	const GArray *rows;    /* of each of the program's executions one; NULL: not by launch */
	guint next_row;        /* of the next execution */
	uint64_t *device_uw;   /* by index in model->gpus */
	uint64_t number;       /* of executions that began */
	uint64_t without_time; /* executions */
};

static gint by_end(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct execution_step *x = a, *y = b;
	uint64_t x_ns = x->attributed.execution->end_ns, y_ns = y->attributed.execution->end_ns;

	(void)data;
	if (x_ns != y_ns)
		return x_ns < y_ns ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static GByteArray *lanes_of(const struct execution_steps *steps, const struct execution_step *step)
{
	const struct model_origin *origin =
		model_origin_of(steps->ledger->model, step->attributed.execution);
	uint32_t *queue = id_map_at(
		steps->queues, &(struct id_key){.process = origin->process, .id = origin->stream});

	if (!*queue) {
		g_ptr_array_add(steps->lanes, g_byte_array_new());
		*queue = steps->lanes->len;
	}
	return steps->lanes->pdata[*queue - 1];
}

/* The first lane of its stream that is free, which it takes. */
static guint take_lane(const struct execution_steps *steps, const struct execution_step *step)
{
	GByteArray *lanes = lanes_of(steps, step);
	const guint8 taken = true;
	guint lane = 0;

	while (lane < lanes->len && lanes->data[lane])
		lane++;
	if (lane == lanes->len)
		g_byte_array_append(lanes, &taken, 1);
	lanes->data[lane] = taken;
	return lane;
}

static uint64_t power_uw(const struct execution_step *step)
{
	const struct model_execution *execution = step->attributed.execution;

	return (uint64_t)((double)step->attributed.energy_nj * UW_PER_W /
			  (double)(execution->end_ns - execution->begin_ns));
}

/* Visits the begin of an execution, or its end. */
static void visit_step(struct execution_steps *steps, struct execution_step *step)
{
	uint32_t gpu = model_gpu_of(steps->ledger->model, step->attributed.execution);

	if (execution_step_has_power(step))
		steps->device_uw[gpu] += step->begins ? power_uw(step) : -power_uw(step);
	step->device_uw = gpu == MODEL_NONE ? 0 : steps->device_uw[gpu];
	steps->visitor(steps->data, step);
}

static void end_until(struct execution_steps *steps, uint64_t time_ns)
{
	while (!g_sequence_is_empty(steps->running)) {
		GSequenceIter *first = g_sequence_get_begin_iter(steps->running);
		struct execution_step *step = g_sequence_get(first);

		if (step->attributed.execution->end_ns > time_ns)
			return;
		step->begins = false;
		lanes_of(steps, step)->data[step->lane] = false;
		visit_step(steps, step);
		g_sequence_remove(first);
	}
}

/* Sets what is known of the energy of a step. */
static void measure(const struct execution_steps *steps, struct execution_step *step)
{
	const struct ledger *ledger = steps->ledger;
	const struct execution_energy *attributed = &step->attributed;
	uint32_t gpu = model_gpu_of(ledger->model, attributed->execution);
	uint64_t known_ns = measured_ns(ledger->measured, ledger->model, attributed->execution);

	step->measured = known_ns && ledger->attribution->measured[gpu];
	step->static_nj = step->measured && intervals_static_known(ledger, gpu)
				  ? (double)attributed->energy_nj * (double)attributed->static_part
				  : NAN;
	step->power_w = step->measured ? (double)attributed->energy_nj / (double)known_ns : NAN;
}

static void visit_execution(void *data, const struct execution_energy *attributed)
{
	struct execution_steps *steps = data;
	const struct ledger *ledger = steps->ledger;
	const struct model_origin *origin = model_origin_of(ledger->model, attributed->execution);
	struct execution_step step = {.attributed = *attributed, .begins = true};

	if (origin->replayed != MODEL_OF_PROGRAM)
		return;
	if (steps->rows)
		step.row = MODEL_AT(steps->rows, struct ledger_row, steps->next_row);
	steps->next_row++;
	if (!model_is_timed(attributed->execution)) {
		steps->without_time++;
		return;
	}
	measure(steps, &step);
	end_until(steps, attributed->execution->begin_ns);
	step.number = ++steps->number;
	step.lane = take_lane(steps, &step);
	visit_step(steps, &step);
	g_sequence_insert_sorted(steps->running, g_memdup2(&step, sizeof(step)), by_end, NULL);
}

static void free_lanes(gpointer lanes)
{
	g_byte_array_free(lanes, TRUE);
}

void execution_steps_visit(const struct ledger *ledger, execution_step_visitor *visitor, void *data)
{
	struct execution_steps steps = {.ledger = ledger,
		.visitor = visitor,
		.data = data,
		.running = g_sequence_new(g_free),
		.queues = id_map_new(),
		.lanes = g_ptr_array_new_with_free_func(free_lanes),
		.rows = strcmp(ledger->by, "launch") == 0 ? ledger->rows : NULL,
		.device_uw = g_new0(uint64_t, ledger->model->gpus->len + 1)};

	attribution_visit(ledger->attribution, visit_execution, &steps);
	end_until(&steps, UINT64_MAX);
	if (steps.without_time)
		message_warn("%" G_GUINT64_FORMAT
			     " executions are left out: their times are not known",
			steps.without_time);
	g_free(steps.device_uw);
	g_ptr_array_free(steps.lanes, TRUE);
	id_map_free(steps.queues);
	g_sequence_free(steps.running);
}
