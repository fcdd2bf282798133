/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text_trust.h"

#include <string.h>

#include "analyzer/attr/fit.h"
#include "analyzer/attr/kernel_name.h"
#include "analyzer/model/curve.h"
#include "analyzer/text.h"

#define NAMES_MAX 4
#define COMPARABLE 0.95      /* of the time that both should have measured */
#define WORSE_THAN_NOISE 0.3 /* an autocorrelation that noise alone does not have */
#define DISAGREES 1.5        /* a width and its check, which is known to some tenths */

static const char *const origins[] = {
	[RESPONSE_ASSUMED] = "assumed, and not contradicted by this trace",
	[RESPONSE_STATED] = "as the sensor states",
	[RESPONSE_FOUND] = "found in this trace",
	[RESPONSE_CALIBRATED] = "as calibrated "};

static void put_left_out(FILE *out, const struct fit *fit)
{
	const struct design_left_out *left_out = &fit->left_out;

	if (left_out->stalled)
		fprintf(out, "  Left out: %u readings of a sensor that stood still.\n",
			left_out->stalled);
	if (left_out->backwards)
		fprintf(out, "  Left out: %u readings of a counter that ran backwards.\n",
			left_out->backwards);
	if (left_out->asleep)
		fprintf(out, "  Left out: %u readings of a device asleep, which draws %.3g W.\n",
			left_out->asleep, fit->sleep->power_w);
	if (left_out->saturated)
		fprintf(out,
			"  Left out: %u readings of %.5g W, the most that the sensor says: what "
			"ran "
			"then drew more.\n",
			left_out->saturated, left_out->ceiling_w);
}

static void put_ms(FILE *out, double value_ns, struct estimate estimate_ns)
{
	fprintf(out, "%.3g ms", value_ns / 1e6);
	if (estimate_known(estimate_ns))
		fprintf(out, " (%.3g to %.3g)", estimate_ns.low / 1e6, estimate_ns.high / 1e6);
}

/* A response of any shape as the box that is like it, which is what a calibration states, too. */
static void put_response(FILE *out, const struct fit *fit)
{
	const struct identified *identified = &fit->identified;

	fputs(", each a mean over ", out);
	put_ms(out, response_window(&fit->response), identified->window_ns);
	fputs(", ", out);
	put_ms(out, response_lag(&fit->response), identified->lag_ns);
	fputs(" late", out);
	if (identified->shape.tail_ns > 0)
		fprintf(out, ", by a filter of %.2g ms", identified->shape.tail_ns / 1e6);
	fprintf(out, " (%s%s%s).\n", origins[identified->origin],
		identified->origin == RESPONSE_CALIBRATED ? fit->source->sensor->calibrated : "",
		identified->at_edge ? ", at the edge of what was tried: calibrate the sensor" : "");
}

static void put_sensor(FILE *out, const struct fit *fit)
{
	fputs("  ", out);
	text_put(out, fit->source->sensor->source);
	fputs(" of ", out);
	text_put(out, fit->source->device);
	fputs(", ", out);
	text_put(out, fit->source->sensor->domain);
	fprintf(out, ": %u readings, one per %.4g ms", fit->readings,
		(double)curve_period_ns(fit->source->sensor) / 1e6);
	put_response(out, fit);
	put_left_out(out, fit);
}

/* What was found that power depends on besides the kernel, and is accounted for. */
static void put_influences(FILE *out, const struct fit *fit)
{
	for (guint i = 0; i < fit->influences.count; i++) {
		const struct influence *influence = &fit->influences.list[i];
		double factor = fit->power_w[fit->classes->columns + i];

		fputs(i ? ", " : "  Accounted for: power depends on ", out);
		fputs(influence->kind->help, out);
		fprintf(out, " (%s %.2g ± %.1g", influence->kind->unit, factor,
			fit_influence_ci95(fit, i));
		if (influence->kind->fades)
			fprintf(out, ", fading in %.2g ms", influence->parameter / 1e6);
		fputc(')', out);
	}
	if (fit->influences.count)
		fputs(".\n", out);
}

static void put_rare(FILE *out, const struct classes *classes)
{
	if (classes->rare > 1)
		fprintf(out,
			"  %u kernels share one power: each ran for less than %g %% of the busy"
			" time, or fewer than %d times and for less than %g %%, or is beyond the"
			" %d longest.\n",
			classes->rare, 100 * CLASSES_NEGLIGIBLE_PART, CLASSES_RARE_EXECUTIONS,
			100 * CLASSES_RARE_PART, CLASSES_COLUMNS_MAX - 1);
}

static void put_quality(FILE *out, const struct fit *fit)
{
	fprintf(out, "  The powers explain %.1f %% of how the readings vary and leave %.3g W",
		100 * fit->explained, fit->residual_w);
	if (fit->autocorrelation > WORSE_THAN_NOISE)
		fprintf(out, ", correlated in time (%.1f): power depends on more than the kernel",
			fit->autocorrelation);
	if (fit->inflation > 1.05)
		fprintf(out, "; intervals are %.1f times as wide for it", fit->inflation);
	if (fit->bootstrap > DISAGREES || fit->bootstrap < 1 / DISAGREES)
		fprintf(out, "; a bootstrap has them %.2g times as wide as printed",
			fit->bootstrap);
	fputs(".\n", out);
	put_influences(out, fit);
	put_rare(out, fit->classes);
}

/* g_free it. */
static char *class_name(const struct model *model, const struct class *class)
{
	const struct model_kernel *kernel;

	if (class->kernel & MODEL_IS_MEMORY)
		return g_strdup(g_array_index(
			model->memories, struct model_memory, class->kernel & ~MODEL_IS_MEMORY)
					.kind);
	if (class->kernel & MODEL_IS_GRAPH)
		return g_strdup("graph");
	kernel = table_find(class->process->kernels, class->kernel);
	return kernel_name_bare(kernel && kernel->defined ? kernel->name : "(unknown kernel)");
}

/* "3 × copy + gemm + 2 more" */
static void put_members(
	FILE *out, const struct model *model, const struct fit *fit, const GArray *classes)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	GArray *times = g_array_new(FALSE, FALSE, sizeof(guint));
	guint shown, more = 0;

	for (guint i = 0; i < classes->len; i++) {
		char *name = class_name(model, &g_array_index(fit->classes->list, struct class,
						       g_array_index(classes, guint, i)));
		guint at;

		if (g_ptr_array_find_with_equal_func(names, name, g_str_equal, &at)) {
			g_array_index(times, guint, at)++;
			g_free(name);
		} else {
			g_ptr_array_add(names, name);
			g_array_append_val(times, (guint){1});
		}
	}
	shown = MIN(names->len, NAMES_MAX);
	for (guint i = 0; i < names->len; i++) {
		guint count = g_array_index(times, guint, i);

		if (i >= shown) {
			more += count;
			continue;
		}
		fputs(i ? " + " : "", out);
		if (count > 1)
			fprintf(out, "%u × ", count);
		text_put(out, g_ptr_array_index(names, i));
	}
	if (more)
		fprintf(out, " + %u more", more);
	g_ptr_array_free(names, TRUE);
	g_array_free(times, TRUE);
}

static void put_group(FILE *out, const struct model *model, const struct fit *fit,
	const struct fit_group *group, guint number)
{
	fprintf(out, "    group %u: ", number);
	put_members(out, model, fit, group->classes);
	if (group->energy_j > group->ci95_j)
		fprintf(out, " = %.4g J ± %.1f %%; split not identifiable\n", group->energy_j,
			100 * group->ci95_j / group->energy_j);
	else
		fprintf(out, ": less than %.2g J, not told from nothing\n",
			group->energy_j + group->ci95_j);
}

static void put_groups(FILE *out, const struct model *model, const struct fit *fit, guint *number)
{
	if (!fit->groups->len)
		fputs("  All classes can be told apart within 10 %.\n", out);
	else
		fputs("  Not told apart within 10 %:\n", out);
	for (guint i = 0; i < fit->groups->len; i++)
		put_group(out, model, fit, g_ptr_array_index(fit->groups, i), ++*number);
}

static void put_heldout(FILE *out, const struct fit *fit)
{
	if (!fit->blocks) {
		fputs("  Too short to test: no block of it could be held out.\n", out);
		return;
	}
	fprintf(out, "  Held out and predicted, the energy of %u blocks is missed by, in the mean:",
		fit->blocks);
	for (int way = 0; way < FIT_WAYS; way++)
		fprintf(out, "%s %s %.2f %%", way ? "," : "", fit_ways[way],
			100 * fit->heldout[way]);
	fputs(".\n", out);
}

void text_put_trust(FILE *out, const struct ledger *ledger)
{
	guint number = 0;

	if (!ledger->fits->len)
		return;
	fputs("\nHow far to trust it\n", out);
	for (guint i = 0; i < ledger->fits->len; i++) {
		const struct fit *fit = g_ptr_array_index(ledger->fits, i);

		put_sensor(out, fit);
		put_quality(out, fit);
		/* Rows have the energies of these; other sensors measure the same again. */
		if (fit->source->top_level)
			put_groups(out, ledger->model, fit, &number);
		put_heldout(out, fit);
	}
}

/* The energy of a sensor within a span; negative where it has not measured nearly all of it. */
static double energy_within(const struct source *source, const struct model_span *span)
{
	GArray *curve = curve_of(source->sensor, span);
	double sum_nj = 0, measured_ns = 0;

	for (guint i = 0; i < curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(curve, struct curve_interval, i);

		sum_nj += (double)interval->energy_nj;
		measured_ns += (double)(interval->end_ns - interval->begin_ns);
	}
	g_array_free(curve, TRUE);
	return measured_ns >= COMPARABLE * (double)(span->end_ns - span->begin_ns) ? sum_nj / 1e9
										   : -1;
}

/* From its first reading to its last. */
static struct model_span span_of(const struct source *source)
{
	const GArray *readings = source->sensor->readings;
	const struct model_reading *last =
		&g_array_index(readings, struct model_reading, readings->len - 1);

	return (struct model_span){
		g_array_index(readings, struct model_reading, 0).time_ns, last->time_ns};
}

static void compare(FILE *out, const struct source *a, const struct source *b)
{
	struct model_span span = span_of(a), other = span_of(b);
	double a_j, b_j;

	span.begin_ns = MAX(span.begin_ns, other.begin_ns);
	span.end_ns = MIN(span.end_ns, other.end_ns);
	if (span.end_ns <= span.begin_ns)
		return;
	a_j = energy_within(a, &span);
	b_j = energy_within(b, &span);
	if (!(a_j > 0) || b_j < 0)
		return;
	fputs("  ", out);
	text_put(out, a->device);
	fprintf(out, ": %s readings say %.6g J", a->sensor->quantity, a_j);
	fprintf(out, ", %s readings %.6g J of the same %.3g s: %+.2f %%\n", b->sensor->quantity,
		b_j, (double)(span.end_ns - span.begin_ns) / 1e9, 100 * (b_j / a_j - 1));
}

void text_put_disagreements(FILE *out, const struct ledger *ledger)
{
	for (guint i = 0; i < ledger->sources->len; i++) {
		const struct source *a = &g_array_index(ledger->sources, struct source, i);

		for (guint k = i + 1; k < ledger->sources->len; k++) {
			const struct source *b = &g_array_index(ledger->sources, struct source, k);

			if (a->recording == b->recording && !a->estimated && !b->estimated &&
				strcmp(a->device, b->device) == 0 &&
				strcmp(a->sensor->domain, b->sensor->domain) == 0 &&
				a->sensor->readings->len > 1 && b->sensor->readings->len > 1)
				compare(out, a, b);
		}
	}
}
