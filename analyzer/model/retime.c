/* SPDX-License-Identifier: MIT */
#include "analyzer/model/retime.h"

#include <math.h>

#include "analyzer/message.h"

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
	}
}

static void move(
	struct model *model, struct model_execution *execution, const struct model_raw_times *raw)
{
	const struct model_device *device =
		model_device_of(model, model_origin_of(model, execution));
	struct clock *clock = device ? device->clock : NULL;
	uint64_t launch_ns = execution->launched_ns, told_ns, begin_ns, end_ns, early_ns = 0;

	if (!clock || !clock_is_known(clock)) {
		model->clock_error_ns = PWRTRACE_UNKNOWN_U64;
		return;
	}
	told_ns = model_is_timed(execution) ? execution->begin_ns : launch_ns;
	begin_ns = clock_host_ns(clock, raw->begin_ns, launch_ns, told_ns);
	end_ns = clock_host_ns(clock, raw->end_ns, begin_ns, begin_ns);
	execution->begin_ns = execution->end_ns = 0;
	if ((int64_t)(raw->end_ns - raw->begin_ns) < 0 || end_ns < begin_ns)
		return;
	if (launch_ns != PWRTRACE_UNKNOWN_U64 && begin_ns < launch_ns)
		early_ns = launch_ns - begin_ns;
	clock_contradicted(clock, early_ns);
	execution->begin_ns = begin_ns + early_ns;
	execution->end_ns = end_ns + early_ns;
}

static void fit(
	const struct model_process *process, uint32_t device, struct clock *clock, void *unused)
{
	(void)process, (void)device, (void)unused;
	clock_fit(clock);
}

static void take_up(
	const struct model_process *process, uint32_t device, struct clock *clock, void *data)
{
	struct model *model = data;
	struct clock_summary summary = clock_summarize(clock);

	model->clock_error_ns = MAX(model->clock_error_ns, summary.error_ns);
	if (fabs((double)summary.step_ns) > STEP_WORTH_SAYING_NS) {
		model->clock_steps += summary.steps;
		message_warn("process %u, device %u: steps of its clock against the host's: %u, "
			     "the largest by %+.6g s; each side of a step has a fit of its own",
			process->pid, device, summary.steps, (double)summary.step_ns / 1e9);
	}
	if (summary.wrong)
		message_warn("process %u, device %u: comparisons of its clock with the host's that "
			     "cannot be true beside the others: %u of %u; they are left out",
			process->pid, device, summary.wrong, summary.anchors);
}

void retime(struct model *model)
{
	retime_each_clock(model, fit, NULL);
	for (guint i = 0; i < model->executions->len; i++) {
		struct model_execution *execution =
			&g_array_index(model->executions, struct model_execution, i);
		const struct model_raw_times *raw =
			MODEL_AT(model->raw_times, struct model_raw_times, i);

		if (raw && (raw->begin_ns || raw->end_ns))
			move(model, execution, raw);
		model->without_time += !model_is_timed(execution);
		model->last_ns = MAX(model->last_ns, execution->end_ns);
	}
	retime_each_clock(model, take_up, model);
	if (model->clock_error_ns == PWRTRACE_UNKNOWN_U64)
		message_warn("the trace lacks comparisons of a device's clock with the host's: how "
			     "exact the times of executions are is not known");
	g_array_free(model->raw_times, TRUE);
	model->raw_times = NULL;
}
