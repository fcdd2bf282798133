/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_fit.h"

#include <math.h>

#include "analyzer/name/kernel_name.h"
#include "analyzer/print/text.h"

#define NAMES_MAX 4                 /* of a group's members: what fits on a line */
#define AUTOCORRELATION_NOTABLE 0.3 /* of residuals; white noise has less */

void text_put_origin(FILE *out, const struct found_response *found)
{
	static const char *const origins[] = {[RESPONSE_ASSUMED] = "assumed, not contradicted",
		[RESPONSE_STATED] = "as the sensor states",
		[RESPONSE_REMEMBERED] = "as found in another recording",
		[RESPONSE_FOUND] = "found in this trace"};

	if (found->origin != RESPONSE_CALIBRATED) {
		fputs(origins[found->origin], out);
		return;
	}
	fputs("calibrated ", out);
	text_put(out, found->calibrated);
	fputs(", refined by this trace", out);
}

static void put_ms(FILE *out, double value_ns, struct estimate estimate_ns)
{
	fprintf(out, "%.3g ms", value_ns / 1e6);
	if (estimate_known(estimate_ns))
		fprintf(out, " (%.3g to %.3g)", estimate_ns.low / 1e6, estimate_ns.high / 1e6);
}

/* States a response of any shape as its equivalent boxcar (shape.h), as calibrations do. */
static void put_response(FILE *out, const struct fit *fit)
{
	const struct found_response *found = &fit->found;

	fputs(", each a mean over ", out);
	put_ms(out, response_window_ns(&fit->response), found->window_ns);
	fputs(", ", out);
	put_ms(out, response_lag_ns(&fit->response), found->lag_ns);
	fputs(" late", out);
	if (found->shape.tail_ns > 0)
		fprintf(out, ", by a filter of %.2g ms", found->shape.tail_ns / 1e6);
	fputs(" (", out);
	text_put_origin(out, found);
	fputs(found->at_edge ? ", at the edge of what was tried)\n" : ")\n", out);
}

/* With as many digits as its interval allows. */
static void put_factor(FILE *out, double value, double ci95)
{
	int digits = ci95 > 0 ? 1 - (int)floor(log10(ci95)) : 0;

	digits = CLAMP(digits, 0, 6);
	fprintf(out, "%.*f ± %.*f", digits, value, digits, ci95);
}

static void put_sensor(FILE *out, const struct fit *fit)
{
	fputs("  ", out);
	text_put(out, fit->source->sensor->source);
	fputs(" of ", out);
	text_put(out, fit->source->device);
	fputs(", ", out);
	text_put(out, fit->source->sensor->domain);
	fprintf(out, ": %u readings, one per %.4g ms", fit->readings, fit->period_ns / 1e6);
	put_response(out, fit);
	if (fit->left_out.limited)
		fprintf(out,
			"  Left out: %u readings of replays that the limit of the device's power "
			"held back\n",
			fit->left_out.limited);
	if (fit->left_out.asleep)
		fprintf(out, "  Left out: %u readings of a device asleep, which draws %.3g W\n",
			fit->left_out.asleep, fit->sleep->power_w);
	if (fit->static_known) {
		fputs("  Static power, which what runs shares: ", out);
		put_factor(out, fit->power_w[fit->powers - 1], fit_static_ci95_w(fit));
		fputs(" W\n", out);
	}
}

/* What power was found to depend on besides the kernel. */
static void put_influences(FILE *out, const struct fit *fit)
{
	if (fit->influences.count)
		fputs("  Accounted for: power depends, besides the kernel, on\n", out);
	for (guint i = 0; i < fit->influences.count; i++) {
		const struct influence *influence = &fit->influences.list[i];
		double factor = fit->power_w[fit->classes->columns.count + i];
		double scale = influence->kind->scale;

		fprintf(out, "    %s: ", influence->kind->help);
		put_factor(out, scale * factor, scale * fit_influence_ci95(fit, i));
		fprintf(out, " %s", influence->kind->unit);
		if (influence->kind->fades)
			fprintf(out, ", fading in about %.3g ms", influence->parameter / 1e6);
		fputc('\n', out);
	}
}

static void put_rare(FILE *out, const struct classes *classes)
{
	if (classes->rare <= 1)
		return;
	fprintf(out,
		"  %u kernels share one power: each ran for less than %g %% of the busy time, or "
		"fewer than %d times, and is beyond the %d longest",
		classes->rare, 100 * CLASSES_NEGLIGIBLE_PART, CLASSES_SLIGHT_EXECUTIONS,
		CLASSES_COLUMNS_FEW);
	if (classes->list->len >= CLASSES_COLUMNS_MAX)
		fprintf(out, ", or is beyond the %d longest", CLASSES_COLUMNS_MAX - 1);
	fputc('\n', out);
}

static void put_quality(FILE *out, const struct fit *fit)
{
	fprintf(out, "  The powers explain %.1f %% of how the readings vary and leave %.3g W",
		100 * fit->explained, fit->residual_w);
	if (fit->autocorrelation > AUTOCORRELATION_NOTABLE)
		fprintf(out, ", correlated in time (%.1f): power depends on more than the kernel",
			fit->autocorrelation);
	if (fit->inflation > 1.05)
		fprintf(out, "; intervals are %.1f times as wide for it", fit->inflation);
	fputc('\n', out);
	put_influences(out, fit);
	put_rare(out, fit->classes);
}

/* g_free it. */
static char *class_name(const struct model *model, const struct kernel_class *class)
{
	const struct model_kernel *kernel = model_kernel_of(model, class->origin);
	uint32_t number = class->origin->kernel;

	if (number & MODEL_IS_MEMORY)
		return g_strdup(g_array_index(
			model->memories, struct model_memory, number & ~MODEL_IS_MEMORY)
					.kind);
	if (number & MODEL_IS_GRAPH)
		return g_strdup("graph");
	return kernel_name_bare(kernel ? kernel->name : "(unknown kernel)");
}

/* "3 × copy + gemm + 2 more" */
static void put_members(
	FILE *out, const struct model *model, const struct fit *fit, const GArray *classes)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	GArray *times = g_array_new(FALSE, FALSE, sizeof(guint));
	guint shown, more = 0;

	for (guint i = 0; i < classes->len; i++) {
		char *name =
			class_name(model, &g_array_index(fit->classes->list, struct kernel_class,
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
		fputs("  All classes can be told apart within 10 %\n", out);
	else
		fputs("  Not told apart within 10 %:\n", out);
	for (guint i = 0; i < fit->groups->len; i++)
		put_group(out, model, fit, g_ptr_array_index(fit->groups, i), ++*number);
}

static void put_heldout(FILE *out, const struct heldout *heldout)
{
	if (!heldout->blocks) {
		fputs("  Too short to test: no block of it could be held out\n", out);
		return;
	}
	fprintf(out, "  Held out and predicted, the energy of %u blocks is missed by, in the mean:",
		heldout->blocks);
	for (int i = 0; methods[i]; i++)
		fprintf(out, "%s %s %.2f %%", i ? "," : "", methods[i]->name,
			100 * heldout->error[i]);
	fputc('\n', out);
}

void text_put_fit(FILE *out, const struct ledger *ledger, const struct fit *fit, guint *number)
{
	put_sensor(out, fit);
	put_quality(out, fit);
	put_groups(out, ledger->model, fit, number);
	put_heldout(out, attribution_heldout(ledger->attribution, fit));
}
