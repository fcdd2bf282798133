/* SPDX-License-Identifier: MIT */
#include "analyzer/load/align_machines.h"

#include "analyzer/model/collective.h"
#include "analyzer/model/hosts.h"
#include "analyzer/model/order.h"

struct alignment {
	const struct model *model;
	uint64_t first_ns;    /* the time of day when the first of them booted */
	uint64_t *process_ns; /* how far the times of each process are to be moved */
};

static struct model_recording *recording_at(const struct model *model, guint i)
{
	return &g_array_index(model->recordings, struct model_recording, i);
}

static struct model_process *process_at(const struct model *model, guint i)
{
	return &g_array_index(model->processes, struct model_process, i);
}

/* The machine of a sub-trace; "": not known. */
static const char *machine_of(const struct model *model, unsigned trace)
{
	for (guint i = 0; i < model->recordings->len; i++)
		if (recording_at(model, i)->trace == trace)
			return recording_at(model, i)->machine;
	for (guint i = 0; i < model->processes->len; i++)
		if (process_at(model, i)->trace == trace)
			return process_at(model, i)->machine;
	return "";
}

/* How far the times of a sub-trace are to be moved. */
static uint64_t shift_ns(const struct alignment *alignment, unsigned trace)
{
	const struct model *model = alignment->model;
	uint64_t day_ns = hosts_time_of_day_ns(model, machine_of(model, trace));

	return day_ns ? day_ns - alignment->first_ns : 0;
}

/* Moves a time, unless it is not known.  What is beyond all that can be known stays in order. */
static void move(uint64_t *time_ns, uint64_t shift_ns)
{
	if (*time_ns != PWRTRACE_UNKNOWN_U64)
		*time_ns += MIN(shift_ns, PWRTRACE_UNKNOWN_U64 - 1 - *time_ns);
}

static void move_span(struct model_span *span, uint64_t shift_ns)
{
	move(&span->begin_ns, shift_ns);
	move(&span->end_ns, shift_ns);
}

static void move_executions(const struct alignment *alignment)
{
	const struct model *model = alignment->model;

	for (guint i = 0; i < model->executions->len; i++) {
		struct model_execution *execution = mapped_array_at(model->executions, i);
		uint64_t by_ns = alignment->process_ns[model_origin_of(model, execution)->process];

		if (model_is_timed(execution)) {
			move(&execution->begin_ns, by_ns);
			move(&execution->end_ns, by_ns);
		}
		move(&execution->launched_ns, by_ns);
	}
}

static void move_calls(const struct alignment *alignment)
{
	const struct model *model = alignment->model;

	for (guint i = 0; model->ranges && i < model->ranges->len; i++) {
		struct model_range *range = mapped_array_at(model->ranges, i);

		move(&range->time_ns, alignment->process_ns[range->process]);
	}
	for (guint i = 0; model->order && i < model->order->waits->len; i++) {
		struct model_wait *wait = mapped_array_at(model->order->waits, i);

		move(&wait->begin_ns, alignment->process_ns[wait->process]);
	}
	for (guint i = 0; i < model->collectives->list->len; i++) {
		struct model_collective *one =
			&g_array_index(model->collectives->list, struct model_collective, i);

		move_span(&one->call, alignment->process_ns[one->process]);
	}
}

static void move_processes(const struct alignment *alignment)
{
	const struct model *model = alignment->model;

	for (guint i = 0; i < model->processes->len; i++) {
		struct model_process *process = process_at(model, i);

		if (process->begin_ns)
			move(&process->begin_ns, alignment->process_ns[i]);
		if (process->end_ns)
			move(&process->end_ns, alignment->process_ns[i]);
	}
	for (guint i = 0; i < model->replays->len; i++) {
		struct model_replay *replay =
			&g_array_index(model->replays, struct model_replay, i);

		move_span(&replay->span, alignment->process_ns[replay->process]);
	}
	for (guint i = 0; model->mark_times && i < model->mark_times->len; i++) {
		struct model_mark_time *mark =
			&g_array_index(model->mark_times, struct model_mark_time, i);

		move(&mark->time_ns, alignment->process_ns[mark->process]);
	}
}

static void move_sensors(const struct alignment *alignment)
{
	const struct model *model = alignment->model;

	for (guint i = 0; i < model->sensors->len; i++) {
		const struct model_sensor *sensor =
			&g_array_index(model->sensors, struct model_sensor, i);
		uint64_t by_ns = shift_ns(alignment, sensor->trace);

		for (guint k = 0; k < sensor->readings->len; k++)
			move(&g_array_index(sensor->readings, struct model_reading, k).time_ns,
				by_ns);
	}
	for (guint i = 0; i < model->state_sensors->len; i++) {
		const struct model_state_sensor *sensor =
			&g_array_index(model->state_sensors, struct model_state_sensor, i);
		uint64_t by_ns = shift_ns(alignment, sensor->about.trace);

		for (guint k = 0; k < sensor->states->len; k++)
			move(&g_array_index(sensor->states, struct model_state, k).time_ns, by_ns);
	}
}

static void move_ends(const struct alignment *alignment)
{
	const struct model *model = alignment->model;

	for (guint trace = 0; trace < model->last_ns->len; trace++) {
		uint64_t *last_ns = &g_array_index(model->last_ns, uint64_t, trace);

		if (*last_ns)
			move(last_ns, shift_ns(alignment, trace));
	}
}

/* Last, as these tell the time of day. */
static void move_recordings(const struct alignment *alignment)
{
	const struct model *model = alignment->model;

	for (guint i = 0; i < model->recordings->len; i++)
		recording_at(model, i)->moved_ns =
			shift_ns(alignment, recording_at(model, i)->trace);
	for (guint i = 0; i < model->recordings->len; i++) {
		struct model_recording *recording = recording_at(model, i);

		move_span(&recording->span, recording->moved_ns);
		if (recording->realtime_offset_ns)
			recording->realtime_offset_ns -= (int64_t)recording->moved_ns;
	}
}

void align_machines(struct model *model)
{
	struct alignment alignment = {.model = model, .first_ns = UINT64_MAX};
	uint64_t last_ns = 0;

	for (guint i = 0; i < model->recordings->len; i++) {
		uint64_t day_ns = hosts_time_of_day_ns(model, recording_at(model, i)->machine);

		if (!day_ns)
			continue;
		alignment.first_ns = MIN(alignment.first_ns, day_ns);
		last_ns = MAX(last_ns, day_ns);
	}
	if (last_ns <= alignment.first_ns)
		return;
	alignment.process_ns = g_new(uint64_t, model->processes->len + 1);
	for (guint i = 0; i < model->processes->len; i++)
		alignment.process_ns[i] = shift_ns(&alignment, process_at(model, i)->trace);
	move_executions(&alignment);
	move_calls(&alignment);
	move_processes(&alignment);
	move_sensors(&alignment);
	move_ends(&alignment);
	move_recordings(&alignment);
	g_free(alignment.process_ns);
}
