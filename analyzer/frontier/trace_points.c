/* SPDX-License-Identifier: MIT */
#include "analyzer/frontier/trace_points.h"

#include <math.h>
#include <string.h>

#include "analyzer/frontier/iteration_cost.h"
#include "analyzer/ledger/work.h"
#include "analyzer/model/curve.h"
#include "analyzer/model/hosts.h"
#include "analyzer/model/replays.h"
#include "analyzer/model/spans.h"

/* A run whose points are added. */
struct trace {
	GArray *points;
	const struct compare_run *run;
	const char *name;
	const struct frontier_measure *measure;
};

static const struct model *model_of(const struct trace *trace)
{
	return trace->run->kernels->model;
}

/* The value of a tag; where recordings have several, the first.  "": none. */
static const char *tag_of(const struct trace *trace, const char *key)
{
	const GArray *tags = model_of(trace)->tags;

	for (guint i = 0; i < tags->len; i++) {
		const struct model_tag *tag = &g_array_index(tags, struct model_tag, i);

		if (strcmp(tag->key, key) == 0)
			return tag->value;
	}
	return "";
}

static void add(const struct trace *trace, const struct frontier_point *point, const char *group,
	const char *label)
{
	const GArray *tags = model_of(trace)->tags;
	const char *key = trace->measure->tag;
	char *tagged_group = key ? g_strdup_printf("%s=%s%s%s", key, tag_of(trace, key),
					   *group ? ", " : "", group)
				 : g_strdup(group);
	char *tagged_label = key ? g_strdup_printf("%s=%s%s%s", key, tag_of(trace, key),
					   *label ? ", " : "", label)
				 : g_strdup(label);

	frontier_add(trace->points, point, tagged_group, tagged_label, trace->name);
	for (guint i = 0; i < tags->len; i++) {
		const struct model_tag *tag = &g_array_index(tags, struct model_tag, i);

		frontier_add_tag(trace->points, tag->key, tag->value);
	}
	g_free(tagged_group);
	g_free(tagged_label);
}

static struct frontier_point point_of(const struct figures *figures)
{
	return (struct frontier_point){.time_s = figures->value[FIGURE_TIME],
		.energy_j = figures->value[FIGURE_ENERGY],
		.ci95_s = figures->value[FIGURE_TIME] * figures->part95[FIGURE_TIME],
		.ci95_j = figures->value[FIGURE_ENERGY] * figures->part95[FIGURE_ENERGY]};
}

/* ---- iterations ---- */

bool trace_points_per_iteration(const struct compare_run *run)
{
	return iteration_cost(run->kernels, &(struct frontier_point){0});
}

static char *add_iteration(const struct trace *trace)
{
	struct frontier_point point;

	if (!iteration_cost(trace->run->kernels, &point))
		return g_strdup("has no iterations whose energy is known");
	add(trace, &point, "", "");
	return NULL;
}

/* ---- the whole ---- */

static char *say_partly_measured(void)
{
	return g_strdup("its energy was measured only in part (see pwrtrace report)");
}

/* Sets the cost of all that was measured.  Returns NULL, or why there is none, which the caller
 * frees. */
static char *find_run(const struct trace *trace, struct frontier_point *point)
{
	*point = point_of(&trace->run->total.figures);
	if (trace->run->partly_measured)
		return say_partly_measured();
	return isnan(point->time_s) || isnan(point->energy_j)
		       ? g_strdup("no sensor measured its energy")
		       : NULL;
}

static char *add_run(const struct trace *trace)
{
	struct frontier_point point;
	char *why_not = find_run(trace, &point);

	if (!why_not)
		add(trace, &point, "", "");
	return why_not;
}

/* ---- work ---- */

/* Adds the cost of one of a unit, as a group of its own or not: by iterations, where each has such
 * marks, so that no start-up counts; else by the whole run. */
static char *add_work(const struct trace *trace, const struct run_work *work, const char *group)
{
	struct frontier_point point;
	char *why_not = NULL;

	if (!iteration_cost_of_work(trace->run->kernels, work, &point)) {
		why_not = find_run(trace, &point);
		point.time_s /= work->amount;
		point.energy_j /= work->amount;
		point.ci95_s /= work->amount;
		point.ci95_j /= work->amount;
	}
	if (!why_not)
		add(trace, &point, group, group);
	return why_not;
}

static char *add_unit(const struct trace *trace)
{
	const struct run_work *work = compare_run_work(trace->run, trace->measure->unit);

	return work ? add_work(trace, work, "")
		    : g_strdup_printf("no mark counts its work in %s", trace->measure->unit);
}

static char *add_marks(const struct trace *trace)
{
	const GArray *works = trace->run->work;
	char *why_not = works->len ? NULL : g_strdup("no mark counts its work");

	for (guint i = 0; !why_not && i < works->len; i++) {
		const struct run_work *work = &g_array_index(works, struct run_work, i);

		why_not = add_work(trace, work, work->unit);
	}
	return why_not;
}

/* ---- a target ---- */

bool frontier_target_parse(const char *text, struct frontier_target *target)
{
	size_t length = strcspn(text, "<>");
	const char *sign = text + length, *number = sign + 1;
	char *end;

	if (!length || !*sign)
		return false;
	target->least = *sign == '>';
	target->beyond = *number != '=';
	number += !target->beyond;
	target->value = g_ascii_strtod(number, &end);
	if (end == number || *end || !isfinite(target->value))
		return false;
	target->mark = g_strstrip(g_strndup(text, length));
	return true;
}

void frontier_target_clear(struct frontier_target *target)
{
	g_clear_pointer(&target->mark, g_free);
}

static bool is_reached(const struct frontier_target *target, double value)
{
	double above = target->least ? value - target->value : target->value - value;

	return above > 0 || (above >= 0 && !target->beyond);
}

/* The energy of whole devices until a time, without that of replays. */
static double energy_until_j(const struct ledger *ledger, uint64_t until_ns)
{
	double sum_nj = 0;

	for (guint i = 0; i < ledger->sources->len; i++) {
		const struct source *source = &g_array_index(ledger->sources, struct source, i);

		for (guint k = 0; source->top_level && k < source->curve->len; k++) {
			const struct curve_interval *interval =
				&g_array_index(source->curve, struct curve_interval, k);
			uint64_t end_ns = MIN(interval->end_ns, until_ns);
			uint64_t replays_ns = source->replays ? spans_within(source->replays,
									interval->begin_ns, end_ns)
							      : 0;

			if (interval->begin_ns < end_ns)
				sum_nj += (double)curve_share(interval->energy_nj,
					end_ns - interval->begin_ns - replays_ns,
					interval->end_ns - interval->begin_ns);
		}
	}
	return sum_nj / 1e9;
}

/* When the recordings begin. */
static uint64_t begin_ns_of(const struct model *model)
{
	uint64_t begin_ns = G_MAXUINT64;

	for (guint i = 0; i < model->recordings->len; i++)
		begin_ns = MIN(begin_ns,
			g_array_index(model->recordings, struct model_recording, i).span.begin_ns);
	return begin_ns;
}

/* Whether the times of all machines can be compared. */
static bool have_one_axis(const struct model *model)
{
	const struct model_recording *all = (const void *)model->recordings->data;
	bool one = true;

	for (guint i = 1; i < model->recordings->len; i++)
		one &= hosts_share_axis(model, all[0].machine, all[i].machine);
	return one;
}

static char *add_target(const struct trace *trace)
{
	const struct model *model = model_of(trace);
	const struct frontier_target *target = &trace->measure->target;
	uint64_t begin_ns = begin_ns_of(model), reached_ns = G_MAXUINT64;
	struct frontier_point point = {.ci95_s = NAN, .ci95_j = NAN};
	bool marked = false;
	GArray *replays;

	if (!have_one_axis(model))
		return g_strdup("is of several machines, of which one did not record the time of "
				"day");
	for (guint i = 0; i < model->mark_times->len; i++) {
		const struct model_mark_time *time =
			&g_array_index(model->mark_times, struct model_mark_time, i);
		const struct model_mark *mark =
			&g_array_index(model->marks, struct model_mark, time->mark);

		if (strcmp(mark->name, target->mark) != 0)
			continue;
		marked = true;
		if (is_reached(target, time->value))
			reached_ns = MIN(reached_ns, time->time_ns);
	}
	if (!marked)
		return g_strdup_printf("has no mark %s", target->mark);
	if (reached_ns == G_MAXUINT64)
		return g_strdup_printf("its mark %s never has such a value", target->mark);
	if (reached_ns <= begin_ns)
		return g_strdup_printf(
			"its mark %s has such a value from the beginning", target->mark);
	replays = replays_spans(model, NULL);
	point.time_s =
		(double)(reached_ns - begin_ns - spans_within(replays, begin_ns, reached_ns)) / 1e9;
	g_array_free(replays, TRUE);
	point.energy_j = energy_until_j(trace->run->kernels, reached_ns);
	if (!trace->run->kernels->total.known)
		return g_strdup("no sensor measured its energy");
	if (work_partly_measured_until(trace->run->kernels, reached_ns))
		return say_partly_measured();
	add(trace, &point, "", "");
	return NULL;
}

/* ---- kernels and layers ---- */

static char *add_rows(const struct trace *trace, const char *by, const struct kernel_labels *labels)
{
	const GArray *rows = trace->run->rows;
	bool any = false;

	for (guint i = 0; i < rows->len; i++) {
		const struct run_row *row = &g_array_index(rows, struct run_row, i);
		struct frontier_point point = point_of(&row->figures);
		char *group, *label;

		if (strcmp(row->by, by) != 0 || row->left_out || !(point.time_s > 0) ||
			isnan(point.energy_j))
			continue;
		any = true;
		point.modelled = row->modelled;
		group = labels_call(NULL, row);
		label = labels_call(labels, row);
		add(trace, &point, group, label);
		g_free(group);
		g_free(label);
	}
	return any ? NULL : g_strdup_printf("has no %ss whose energy is known", by);
}

char *trace_points_add(GArray *points, const struct compare_run *run, const char *name,
	const struct kernel_labels *labels, const struct frontier_measure *measure)
{
	struct trace trace = {points, run, name, measure};

	if (measure->tag && !*tag_of(&trace, measure->tag))
		return g_strdup_printf("has no tag %s", measure->tag);
	switch (measure->per) {
	case PER_ITERATION:
		return add_iteration(&trace);
	case PER_WORK:
		return add_unit(&trace);
	case PER_MARK:
		return add_marks(&trace);
	case PER_TARGET:
		return add_target(&trace);
	case PER_KERNEL:
		return add_rows(&trace, "kernel", labels);
	case PER_LAYER:
		return add_rows(&trace, "layer", labels);
	default:
		return add_run(&trace);
	}
}
