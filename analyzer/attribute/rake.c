/* SPDX-License-Identifier: MIT */
#include "analyzer/attribute/rake.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/curve.h"
#include "analyzer/model/spans.h"
#include "analyzer/model/sweep.h"
#include "analyzer/numeric/apportion.h"

#define BLOCK_NS UINT64_C(5000000000)
#define PJ_PER_W_NS 1000.
#define PJ_PER_NJ 1000.

/* Readings tell of the time before them; a block is moved by how much. */
struct block {
	uint64_t begin_ns, end_ns, energy_nj;
	double predicted_nj; /* its energy, had the sensor said what the fit predicts */
};

/* What an execution has of a block, in pJ. */
struct share {
	guint execution;
	double dynamic_pj, static_pj;
};

struct raking {
	struct model *model;
	const struct source *source;
	struct fit *fit;
	struct ledger_balance *balance;
	struct sweep sweep;
	GArray *shares; /* struct share; what runs has its number as own, counted from 1 */
	GArray *parts;  /* uint64_t: of a block's energy, by share and for what is idle */
	double idle_pj;
};

/* The energy of an interval by what the fit predicts for its reading; of one that the fit has left
 * out, as it was read.  said: the first that may be the interval's. */
static double predicted_nj(
	const struct fit *fit, const struct curve_interval *interval, guint *said)
{
	const struct fit_said *all = (const void *)fit->said->data;

	while (*said < fit->said->len && all[*said].time_ns < interval->end_ns)
		(*said)++;
	if (*said == fit->said->len || all[*said].time_ns > interval->end_ns ||
		!(all[*said].power_w > 0))
		return (double)interval->energy_nj;
	return (double)interval->energy_nj * all[*said].predicted_w / all[*said].power_w;
}

/* How late a source says what it says, in the mean: what the fit has found of its own sensor, or of
 * one like it in another recording; of one that fills its holes, what is known of that. */
static double lateness_ns(const struct source *source, const struct fit *fit)
{
	const struct model_sensor *sensor = source->sensor, *fitted = fit->source->sensor;
	struct response response;

	if (strcmp(sensor->source, fitted->source) == 0 &&
		strcmp(sensor->quantity, fitted->quantity) == 0)
		return response_mean(&fit->response);
	if (response_of_taps(&response, sensor->taps))
		return response_mean(&response);
	if (sensor->lag_ns != PWRTRACE_UNKNOWN_U64 && sensor->window_ns != PWRTRACE_UNKNOWN_U64)
		return (double)sensor->lag_ns + (double)sensor->window_ns / 2;
	return model_is_counter(sensor) ? 0 : (double)curve_period_ns(sensor) / 2;
}

/* Blocks of the curve, begun anew where there are holes; a time whose energy is known only as a
 * whole is a block, too. */
static GArray *blocks_of(const struct source *source, const struct fit *fit)
{
	GArray *blocks = g_array_new(FALSE, FALSE, sizeof(struct block));
	double late_ns = lateness_ns(source, fit);
	struct block *last = NULL;
	bool closed = true;
	guint said = 0;

	for (guint i = 0; i < source->curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(source->curve, struct curve_interval, i);
		struct block block = {interval->begin_ns, interval->end_ns, interval->energy_nj,
			predicted_nj(fit, interval, &said)};

		if (!closed && !interval->blurred && last->end_ns == block.begin_ns &&
			block.end_ns - last->begin_ns <= BLOCK_NS) {
			last->end_ns = block.end_ns;
			last->energy_nj += block.energy_nj;
			last->predicted_nj += block.predicted_nj;
		} else {
			g_array_append_val(blocks, block);
			last = &g_array_index(blocks, struct block, blocks->len - 1);
		}
		closed = interval->blurred;
	}
	if (!model_is_counter(source->sensor))
		late_ns -= (double)curve_period_ns(source->sensor) / 2;
	for (guint i = 0; i < blocks->len; i++) {
		struct block *block = &g_array_index(blocks, struct block, i);
		bool after = i + 1 < blocks->len && block[1].begin_ns == block->end_ns;
		int64_t moved_ns = (int64_t)llround(late_ns);

		if (after && (int64_t)(block->end_ns - block->begin_ns) > 2 * llabs(moved_ns))
			block[1].begin_ns = block->end_ns = block->end_ns - (uint64_t)moved_ns;
	}
	return blocks;
}

static double whole_pj(const struct share *share)
{
	return share->static_pj + share->dynamic_pj;
}

static struct share *share_of(struct raking *raking, struct sweep_running *running)
{
	struct share fresh = {.execution = running->execution};

	if (!running->own) {
		g_array_append_val(raking->shares, fresh);
		running->own = raking->shares->len;
	}
	return &g_array_index(raking->shares, struct share, running->own - 1);
}

static struct model_execution *execution_at(const struct raking *raking, guint i)
{
	return &g_array_index(raking->model->executions, struct model_execution, i);
}

/* There is one for whatever runs while a source is read that the fit serves. */
static struct kernel_class *class_of(const struct raking *raking, guint execution)
{
	const struct classes *classes = raking->fit->classes;
	uint32_t class_index = classes_find(classes, execution_at(raking, execution));

	g_assert(class_index != CLASSES_NONE);
	return &g_array_index(classes->list, struct kernel_class, class_index);
}

/* Whether no replay launched it. */
static bool is_program(
	const struct raking *raking, const struct kernel_class *class, guint execution)
{
	return !class->replayed ||
	       model_origin_of(raking->model, execution_at(raking, execution))->replayed ==
		       MODEL_OF_PROGRAM;
}

static double dynamic_w(const struct fit *fit, const struct kernel_class *class, guint execution)
{
	double power_w = fit->power_w[class->column];

	return MAX(power_w + influences_add_w(&fit->influences,
				     fit->power_w + fit->classes->columns.count, execution),
		0);
}

/* What a device took less in some time than its static energy, because it slept: not above 0. */
static double slept_pj(const struct fit *fit, uint64_t begin_ns, uint64_t end_ns)
{
	double static_w = fit->power_w[fit->powers - 1];

	return fit->sleep ? (fit->sleep->power_w - static_w) * PJ_PER_W_NS *
				    sleep_within(fit->sleep, (double)begin_ns, (double)end_ns)
			  : 0;
}

static void collect(struct raking *raking, const struct block *block)
{
	const struct fit *fit = raking->fit;
	double static_w = fit->power_w[fit->powers - 1];

	for (uint64_t now_ns = block->begin_ns; now_ns < block->end_ns;) {
		uint64_t until_ns = sweep_step(&raking->sweep, now_ns, block->end_ns);
		guint count = raking->sweep.count;
		double length_ns = (double)(until_ns - now_ns);
		double static_pj = static_w * length_ns * PJ_PER_W_NS / MAX(count, 1);

		if (!count)
			raking->idle_pj += static_pj + slept_pj(fit, now_ns, until_ns);
		for (guint i = 0; i < count; i++) {
			struct share *share = share_of(raking, &raking->sweep.running[i]);
			struct kernel_class *class = class_of(raking, share->execution);

			share->static_pj += static_pj;
			share->dynamic_pj +=
				dynamic_w(fit, class, share->execution) * length_ns * PJ_PER_W_NS;
			class->raked_ns += length_ns;
			class->static_ns += length_ns / count;
			if (is_program(raking, class, share->execution)) {
				class->program.raked_ns += length_ns;
				class->program.static_ns += length_ns / count;
			}
		}
		now_ns = until_ns;
	}
}

/* Where energy is there already that no fit explains, the static part stays unknown. */
static void give(
	struct raking *raking, const struct share *share, uint64_t energy_nj, double seen_part)
{
	struct model_execution *execution = execution_at(raking, share->execution);
	struct kernel_class *class = class_of(raking, share->execution);
	double all_pj = whole_pj(share);
	double static_nj =
		execution->energy_nj ? execution->static_part * (double)execution->energy_nj : 0;

	static_nj += all_pj > 0 ? (double)energy_nj * share->static_pj / all_pj : 0;
	execution->energy_nj += energy_nj;
	execution->static_part =
		execution->energy_nj ? (float)(static_nj / (double)execution->energy_nj) : 0;
	class->found_j += all_pj / 1e12;
	class->seen_j += all_pj * seen_part / 1e12;
	class->energy_j += (double)energy_nj / 1e9;
	if (is_program(raking, class, share->execution))
		class->program.energy_j += (double)energy_nj / 1e9;
}

/* The last part is that of the idle time. */
static void end_block(struct raking *raking, const struct block *block)
{
	guint count = raking->shares->len;
	uint64_t *parts = (void *)g_array_set_size(raking->parts, count + 1)->data;
	double sum_pj = raking->idle_pj, scale;

	for (guint i = 0; i < count; i++)
		sum_pj += whole_pj(&g_array_index(raking->shares, struct share, i));
	if (sum_pj > 0) {
		scale = apportion_scale(sum_pj);
		for (guint i = 0; i < count; i++)
			parts[i] = (uint64_t)(scale * whole_pj(&g_array_index(
							      raking->shares, struct share, i)));
		parts[count] = (uint64_t)(scale * raking->idle_pj);
		apportion(block->energy_nj, parts, count + 1, parts);
	} else {
		memset(parts, 0, count * sizeof(*parts));
		parts[count] = block->energy_nj;
	}
	for (guint i = 0; i < count; i++)
		give(raking, &g_array_index(raking->shares, struct share, i), parts[i],
			sum_pj > 0 ? block->predicted_nj * PJ_PER_NJ / sum_pj : 0);
	raking->balance->measured_nj += block->energy_nj;
	raking->balance->idle_nj += parts[count];
	raking->balance->attributed_nj += block->energy_nj - parts[count];
	for (guint i = 0; i < raking->sweep.count; i++)
		raking->sweep.running[i].own = 0;
	g_array_set_size(raking->shares, 0);
	raking->idle_pj = 0;
}

void rake(struct model *model, const struct source *source, struct fit *fit,
	struct ledger_balance *balance)
{
	struct raking raking = {.model = model, .source = source, .fit = fit, .balance = balance};
	GArray *blocks = blocks_of(source, fit);

	raking.shares = g_array_new(FALSE, FALSE, sizeof(struct share));
	raking.parts = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	sweep_begin(&raking.sweep, model, source);
	for (guint i = 0; i < blocks->len; i++) {
		const struct block *block = &g_array_index(blocks, struct block, i);
		const struct model_span span = {block->begin_ns, block->end_ns};

		collect(&raking, block);
		end_block(&raking, block);
		g_array_append_val(fit->raked, span);
	}
	spans_unite(fit->raked);
	sweep_end(&raking.sweep);
	g_array_free(raking.shares, TRUE);
	g_array_free(raking.parts, TRUE);
	g_array_free(blocks, TRUE);
}
