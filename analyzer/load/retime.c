/* SPDX-License-Identifier: MIT */
#include "analyzer/load/retime.h"

#include <math.h>

#include "analyzer/load/clocks.h"
#include "analyzer/load/waits.h"
#include "analyzer/print/message.h"
#include "analyzer/print/text.h"

/* The smallest step to warn of, since no sensor resolves less.  Smaller steps occur where the
 * source of timestamps changes; they are part of the error, and pwrtrace info counts them. */
#define NOTABLE_STEP_NS PWRTRACE_NS_PER_MS

static const struct device_clock *clock_at(const GPtrArray *clocks, guint i)
{
	return g_ptr_array_index(clocks, i);
}

static struct clock *clock_of(const struct loader *loader, const struct model_origin *origin)
{
	const struct model_stream *stream =
		table_find(model_process_of(loader->model, origin)->streams, origin->stream);

	return stream ? clocks_find(loader->clocks, origin->process, stream->device, stream->clock)
		      : NULL;
}

/* The clock of each origin, or NULL.  The caller frees it. */
static struct clock **clocks_by_origin(const struct loader *loader)
{
	const GArray *origins = loader->model->origins->list;
	struct clock **clocks = g_new(struct clock *, origins->len + 1);

	for (guint i = 0; i < origins->len; i++)
		clocks[i] = clock_of(loader, &g_array_index(origins, struct model_origin, i));
	return clocks;
}

/* The limits of an execution: not before its launch was called, and not after the host saw its end.
 */
static struct clock_limits limits_of(const struct loader *loader, guint i)
{
	return (struct clock_limits){
		model_execution_at(loader->model, i)->launched_ns, waits_end_seen_ns(loader, i)};
}

static uint32_t conversion_of(const struct loader *loader, guint i)
{
	const struct launch_call *call = mapped_array_at(loader->calls, i);

	return call->conversion;
}

/* Sets *raw to the times of an execution by its device's clock.  Returns false where they are not
 * known, or it has the host's times. */
static bool find_raw_times(const struct loader *loader, guint i, struct model_span *raw)
{
	const struct model_execution *execution = model_execution_at(loader->model, i);
	uint32_t conversion = conversion_of(loader, i);
	uint64_t offset_ns;

	if (conversion == CLOCKS_UNCONVERTED || !model_is_timed(execution) ||
		!clocks_offset(loader->clocks, conversion, &offset_ns))
		return false;
	raw->begin_ns = execution->begin_ns - offset_ns;
	raw->end_ns = execution->end_ns - offset_ns;
	return true;
}

/* Narrows the lines of a device's clock by the limits of an execution. */
static void limit(const struct loader *loader, guint i, struct clock *clock)
{
	struct clock_limits limits;
	struct model_span raw;

	if (!clock || !clock_is_known(clock) || !find_raw_times(loader, i, &raw))
		return;
	limits = limits_of(loader, i);
	clock_limit(clock, raw.begin_ns,
		(struct clock_limits){limits.not_before_ns, PWRTRACE_UNKNOWN_U64});
	clock_limit(clock, raw.end_ns,
		(struct clock_limits){PWRTRACE_UNKNOWN_U64, limits.not_after_ns});
}

/* Sets the times of an execution from its raw times; both to 0 where they run backwards.  told_ns:
 * when it began, roughly. */
static void move(struct model_execution *execution, const struct model_span *raw,
	struct clock_limits limits, uint64_t told_ns, struct clock *clock)
{
	uint64_t begin_ns = clock_host_ns(clock, raw->begin_ns, limits, told_ns), end_ns;

	limits.not_before_ns = begin_ns;
	end_ns = clock_host_ns(clock, raw->end_ns, limits, begin_ns);
	execution->begin_ns = execution->end_ns = 0;
	if ((int64_t)(raw->end_ns - raw->begin_ns) < 0 || end_ns < begin_ns)
		return;
	execution->begin_ns = begin_ns;
	execution->end_ns = end_ns;
}

/* The error of an execution's times.  raw: NULL where they were converted while recording. */
static uint64_t error_ns(const struct model_execution *execution, const struct model_span *raw,
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

/* Shifts an execution, with its duration, to within its limits, but by no more than its error. */
static void hold(struct model_execution *execution, const struct model_span *raw,
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

/* Sets the final times of an execution, and what the model counts of them. */
static void settle(struct loader *loader, guint i, struct clock *clock)
{
	struct model *model = loader->model;
	struct model_execution *execution = mapped_array_at(model->executions, i);
	struct clock_limits limits = limits_of(loader, i);
	bool known = clock && clock_is_known(clock);
	bool unconverted = conversion_of(loader, i) == CLOCKS_RAW;
	struct model_span raw_times,
		*raw = find_raw_times(loader, i, &raw_times) ? &raw_times : NULL;

	if (raw && !known)
		model->clock_error_ns = PWRTRACE_UNKNOWN_U64;
	if (raw && known)
		move(execution, raw, limits,
			unconverted ? limits.not_before_ns : execution->begin_ns, clock);
	else if (unconverted)
		execution->begin_ns = execution->end_ns = 0;
	if (known && model_is_timed(execution))
		hold(execution, raw, limits, clock);
	model->without_time += !model_is_timed(execution);
	loader_reach(loader, model_process_of(model, model_origin_of(model, execution))->trace,
		execution->end_ns);
}

/* Adds a clock's summary to the model, and warns of what is unusual in it. */
static void note(struct model *model, const struct device_clock *of)
{
	const struct clock_summary summary = clock_summarize(of->clock);
	const struct model_clock noted = {.process = of->process,
		.device = of->device,
		.anchors = summary.anchors,
		.wrong = summary.wrong,
		.steps = summary.steps,
		.rates = summary.pieces,
		.span_s = summary.span_s,
		.drift = summary.drift,
		.error_ns = summary.error_ns,
		.contradicted = summary.contradicted,
		.cause = clock_causes[summary.cause]};
	char pid[TEXT_ID], id[TEXT_ID];

	text_id(pid, g_array_index(model->processes, struct model_process, of->process).pid);
	text_id(id, of->device);
	g_array_append_val(model->clocks, noted);
	model->clock_error_ns = MAX(model->clock_error_ns, summary.error_ns);
	model->clock_contradicted += summary.contradicted;
	model->contradiction_ns = MAX(model->contradiction_ns, summary.contradiction_ns);
	if (fabs((double)summary.step_ns) > NOTABLE_STEP_NS) {
		model->clock_steps += summary.steps;
		message_warn("process %s, device %s: steps of its clock against the host's: %u, "
			     "the largest by %+.6g s; each side of a step has a fit of its own",
			pid, id, summary.steps, (double)summary.step_ns / 1e9);
	}
	if (summary.wrong)
		message_warn("process %s, device %s: comparisons of its clock with the host's that "
			     "cannot be true beside the others: %u of %u; they are left out",
			pid, id, summary.wrong, summary.anchors);
}

void retime(struct loader *loader)
{
	struct model *model = loader->model;
	struct clock **by_origin = clocks_by_origin(loader);
	const GPtrArray *clocks = clocks_in_order(loader->clocks);

	for (guint i = 0; i < clocks->len; i++)
		clock_fit(clock_at(clocks, i)->clock);
	for (guint i = 0; clocks->len && i < model->executions->len; i++)
		limit(loader, i, by_origin[model_execution_at(model, i)->origin]);
	for (guint i = 0; i < clocks->len; i++)
		clock_settle(clock_at(clocks, i)->clock);
	for (guint i = 0; i < model->executions->len; i++)
		settle(loader, i, by_origin[model_execution_at(model, i)->origin]);
	g_free(by_origin);
	for (guint i = 0; i < clocks->len; i++)
		note(model, clock_at(clocks, i));
	if (model->clock_error_ns == PWRTRACE_UNKNOWN_U64)
		message_warn("the trace lacks comparisons of a device's clock with the host's: how "
			     "exact the times of executions are is not known");
}
