/* SPDX-License-Identifier: MIT */
#include "analyzer/load/retime.h"

#include <math.h>

#include "analyzer/load/waits.h"
#include "analyzer/print/message.h"
#include "analyzer/print/text.h"

/* No sensor sees less.  Smaller ones are where one way to tell times took over from another; they
 * are in the error, and pwrtrace info counts them. */
#define STEP_WORTH_SAYING_NS PWRTRACE_NS_PER_MS

void retime_each_clock(const struct model *model, clock_visitor *visit, void *data)
{
	for (guint i = 0; i < model->processes->len; i++) {
		const struct model_process *process =
			&g_array_index(model->processes, struct model_process, i);

		for (uint32_t id = 1; id < table_end(process->devices); id++) {
			const struct model_device *device = table_find(process->devices, id);

			if (device && device->clock)
				visit(process, id, device->clock, data);
		}
		for (uint32_t id = 1; id < table_end(process->clocks); id++) {
			const struct model_clock *clock = table_find(process->clocks, id);

			if (clock && clock->clock)
				visit(process, clock->device, clock->clock, data);
		}
	}
}

static struct clock *clock_of(const struct model *model, const struct model_origin *origin)
{
	const struct model_process *process = model_process_of(model, origin);
	const struct model_stream *stream = table_find(process->streams, origin->stream);
	const struct model_device *device = model_device_of(model, origin);
	const struct model_clock *other =
		stream && stream->clock ? table_find(process->clocks, stream->clock) : NULL;

	if (stream && stream->clock)
		return other ? other->clock : NULL;
	return device ? device->clock : NULL;
}

/* g_free it. */
static struct clock **clocks_by_origin(const struct model *model)
{
	const GArray *origins = model->origins->list;
	struct clock **clocks = g_new(struct clock *, origins->len + 1);

	for (guint i = 0; i < origins->len; i++)
		clocks[i] = clock_of(model, &g_array_index(origins, struct model_origin, i));
	return clocks;
}

/* When an execution's launch was called, and when the host had seen its end. */
static struct clock_limits limits_of(const struct model *model, guint i)
{
	return (struct clock_limits){
		g_array_index(model->executions, struct model_execution, i).launched_ns,
		waits_end_seen_ns(model, i)};
}

/* NULL where they are not known, or are the host's. */
static const struct model_raw_times *raw_times_of(const struct model *model, guint i)
{
	const struct model_raw_times *raw = MODEL_AT(model->raw_times, struct model_raw_times, i);

	return raw && (raw->begin_ns || raw->end_ns) ? raw : NULL;
}

/* What an execution says of its device's clock. */
static void limit(const struct model *model, guint i, struct clock *clock)
{
	const struct model_raw_times *raw = raw_times_of(model, i);
	struct clock_limits limits;

	if (!clock || !clock_is_known(clock) || !raw)
		return;
	limits = limits_of(model, i);
	clock_limit(clock, raw->begin_ns,
		(struct clock_limits){limits.not_before_ns, PWRTRACE_UNKNOWN_U64});
	clock_limit(clock, raw->end_ns,
		(struct clock_limits){PWRTRACE_UNKNOWN_U64, limits.not_after_ns});
}

static void move(struct model_execution *execution, const struct model_raw_times *raw,
	struct clock_limits limits, struct clock *clock)
{
	uint64_t told_ns = model_is_timed(execution) ? execution->begin_ns : limits.not_before_ns;
	uint64_t begin_ns = clock_host_ns(clock, raw->begin_ns, limits, told_ns), end_ns;

	limits.not_before_ns = begin_ns;
	end_ns = clock_host_ns(clock, raw->end_ns, limits, begin_ns);
	execution->begin_ns = execution->end_ns = 0;
	if ((int64_t)(raw->end_ns - raw->begin_ns) < 0 || end_ns < begin_ns)
		return;
	execution->begin_ns = begin_ns;
	execution->end_ns = end_ns;
}

/* By how much it may be off.  raw: NULL where its times were the host's from the beginning. */
static uint64_t error_ns(const struct model_execution *execution, const struct model_raw_times *raw,
	struct clock_limits limits, const struct clock *clock)
{
	if (!raw)
		return clock_anchor_error_ns(clock);
	return MAX(clock_error_ns(clock, raw->begin_ns, limits, execution->begin_ns),
		clock_error_ns(clock, raw->end_ns, limits, execution->end_ns));
}

static uint64_t over(uint64_t time_ns, uint64_t limit_ns)
{
	return time_ns > limit_ns ? time_ns - limit_ns : 0;
}

/* Moves an execution within its limits, its duration kept, by no more than it may be off. */
static void hold(struct model_execution *execution, const struct model_raw_times *raw,
	struct clock_limits limits, struct clock *clock)
{
	uint64_t launch_ns =
		limits.not_before_ns == PWRTRACE_UNKNOWN_U64 ? 0 : limits.not_before_ns;
	uint64_t early_ns = over(launch_ns, execution->begin_ns);
	uint64_t late_ns = over(execution->end_ns, limits.not_after_ns);
	uint64_t forth_ns = MIN(early_ns, over(limits.not_after_ns, execution->end_ns));
	uint64_t back_ns = MIN(late_ns, over(execution->begin_ns, launch_ns));
	uint64_t most_ns = early_ns || late_ns ? error_ns(execution, raw, limits, clock) : 0;

	forth_ns = MIN(forth_ns, most_ns);
	back_ns = MIN(back_ns, most_ns);
	execution->begin_ns += forth_ns - back_ns;
	execution->end_ns += forth_ns - back_ns;
	if (MAX(early_ns, late_ns) > most_ns)
		clock_contradicted(clock, MAX(early_ns, late_ns));
}

static void settle(struct model *model, guint i, struct clock *clock)
{
	struct model_execution *execution =
		&g_array_index(model->executions, struct model_execution, i);
	const struct model_raw_times *raw = raw_times_of(model, i);
	struct clock_limits limits = limits_of(model, i);
	bool known = clock && clock_is_known(clock);

	if (raw && !known)
		model->clock_error_ns = PWRTRACE_UNKNOWN_U64;
	if (raw && known)
		move(execution, raw, limits, clock);
	if (known && model_is_timed(execution))
		hold(execution, raw, limits, clock);
	model->without_time += !model_is_timed(execution);
	model_reach(model, model_process_of(model, model_origin_of(model, execution))->trace,
		execution->end_ns);
}

static void fit(
	const struct model_process *process, uint32_t device, struct clock *clock, void *unused)
{
	(void)process, (void)device, (void)unused;
	clock_fit(clock);
}

static void choose(
	const struct model_process *process, uint32_t device, struct clock *clock, void *unused)
{
	(void)process, (void)device, (void)unused;
	clock_settle(clock);
}

static void take_up(
	const struct model_process *process, uint32_t device, struct clock *clock, void *data)
{
	struct model *model = data;
	struct clock_summary summary = clock_summarize(clock);
	char pid[TEXT_ID], id[TEXT_ID];

	model->clock_error_ns = MAX(model->clock_error_ns, summary.error_ns);
	model->clock_contradicted += summary.contradicted;
	model->contradiction_ns = MAX(model->contradiction_ns, summary.contradiction_ns);
	if (fabs((double)summary.step_ns) > STEP_WORTH_SAYING_NS) {
		model->clock_steps += summary.steps;
		message_warn("process %s, device %s: steps of its clock against the host's: %u, "
			     "the largest by %+.6g s; each side of a step has a fit of its own",
			text_id(pid, process->pid), text_id(id, device), summary.steps,
			(double)summary.step_ns / 1e9);
	}
	if (summary.wrong)
		message_warn("process %s, device %s: comparisons of its clock with the host's that "
			     "cannot be true beside the others: %u of %u; they are left out",
			text_id(pid, process->pid), text_id(id, device), summary.wrong,
			summary.anchors);
}

void retime(struct model *model)
{
	const struct model_execution *execution = (const void *)model->executions->data;
	struct clock **clocks = clocks_by_origin(model);

	retime_each_clock(model, fit, NULL);
	for (guint i = 0; i < model->executions->len; i++)
		limit(model, i, clocks[execution[i].origin]);
	retime_each_clock(model, choose, NULL);
	for (guint i = 0; i < model->executions->len; i++)
		settle(model, i, clocks[execution[i].origin]);
	g_free(clocks);
	retime_each_clock(model, take_up, model);
	if (model->clock_error_ns == PWRTRACE_UNKNOWN_U64)
		message_warn("the trace lacks comparisons of a device's clock with the host's: how "
			     "exact the times of executions are is not known");
	g_array_free(model->raw_times, TRUE);
	model->raw_times = NULL;
	g_array_free(model->launching, TRUE);
	model->launching = NULL;
}
