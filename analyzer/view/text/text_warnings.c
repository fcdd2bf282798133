/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_warnings.h"

#include <math.h>
#include <string.h>

#include "analyzer/print/text.h"
#include "analyzer/regress/fit.h"
#include "analyzer/view/content/agreement.h"
#include "analyzer/view/text/text_fit.h"

/* The error of regress on held-out time over that of the best other method.  Among some ten blocks,
 * chance makes less of a difference; below a thousandth of the energy none matters. */
#define HELDOUT_WORSE 1.25
#define HELDOUT_LEAST 0.001

/* The relative difference of two sensors of one domain; most agree to less. */
#define DIFFERENCE_NOTABLE 0.01

/* The windows of two sensors of one kind differ where their intervals are so many times apart. */
#define WINDOWS_DIFFER 1.1

/* Names the device where there is another one. */
static void begin_warning(FILE *out, const struct ledger *ledger, const struct source *source)
{
	bool alone = true;

	for (guint i = 0; i < ledger->sources->len; i++)
		alone &= strcmp(g_array_index(ledger->sources, struct source, i).device,
				 source->device) == 0;
	fputs("  ", out);
	if (alone)
		return;
	text_put(out, source->device);
	fputs(": ", out);
}

static void put_left_out(FILE *out, const struct ledger *ledger, const struct fit *fit)
{
	const struct readings_left_out *left_out = &fit->left_out;
	const struct {
		guint count;
		const char *of;
	} kinds[] = {
		{left_out->stalled, "a sensor that stood still"},
		{left_out->backwards, "a counter that ran backwards"},
		{left_out->impossible, "a power that no device draws"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (!kinds[i].count)
			continue;
		begin_warning(out, ledger, fit->source);
		fprintf(out, "Left out: %u reading%s of %s\n", kinds[i].count,
			kinds[i].count == 1 ? "" : "s", kinds[i].of);
	}
	if (!left_out->saturated)
		return;
	begin_warning(out, ledger, fit->source);
	fprintf(out,
		"Left out: %u readings of %.5g W, the most that the sensor says: more was drawn "
		"then\n",
		left_out->saturated, left_out->ceiling_w);
}

/* Whether all readings are equal: then the sensor may have stood still. */
static bool all_alike(const struct fit *fit)
{
	const struct fitted_reading *fitted = (const void *)fit->fitted->data;

	for (guint i = 1; i < fit->fitted->len; i++)
		if (fabs(fitted[i].power_w - fitted[0].power_w) > 0)
			return false;
	return fit->fitted->len;
}

static void put_misdated(FILE *out, const struct ledger *ledger)
{
	for (guint i = 0; i < ledger->sources->len; i++) {
		const struct source *source = &g_array_index(ledger->sources, struct source, i);

		if (!source->sensor->misdated)
			continue;
		begin_warning(out, ledger, source);
		fprintf(out,
			"Readings dated before the one before them: %u; what ran and what was "
			"drawn "
			"may not match\n",
			source->sensor->misdated);
	}
}

/* Returns the fit of a sensor of its kind on another device whose window differs; NULL: there is
 * none. */
static const struct fit *contradicting(const struct ledger *ledger, const struct fit *fit)
{
	const struct estimate *own = &fit->found.window_ns;

	for (guint i = 0; i < ledger->fits->len; i++) {
		const struct fit *other = g_ptr_array_index(ledger->fits, i);
		const struct estimate *window_ns = &other->found.window_ns;

		if (g_ptr_array_find(fit->source->alike, other->source, NULL) &&
			estimate_known(*own) && estimate_known(*window_ns) &&
			(own->low > WINDOWS_DIFFER * window_ns->high ||
				window_ns->low > WINDOWS_DIFFER * own->high))
			return other;
	}
	return NULL;
}

static void put_fit_warnings(FILE *out, const struct ledger *ledger, const struct fit *fit)
{
	const struct fit *other = contradicting(ledger, fit);
	const struct heldout *heldout = attribution_heldout(ledger->attribution, fit);

	if (fit->found.others) {
		begin_warning(out, ledger, fit->source);
		fputs("The readings do not tell how the sensor answers: intervals allow for all "
		      "that explains them\n",
			out);
	}
	if (other) {
		begin_warning(out, ledger, fit->source);
		fprintf(out, "The sensor seems to be the mean of %.3g ms, that of ",
			response_window_ns(&fit->response) / 1e6);
		text_put(out, other->source->device);
		fprintf(out, " of %.3g ms: calibrate both\n",
			response_window_ns(&other->response) / 1e6);
	}
	if (fit->found.at_edge) {
		begin_warning(out, ledger, fit->source);
		fputs("The sensor's response is at the edge of what was tried: calibrate the "
		      "sensor\n",
			out);
	}
	if (heldout->blocks &&
		heldout->error[heldout->own] >
			HELDOUT_WORSE * MAX(heldout_best_other(heldout), HELDOUT_LEAST)) {
		begin_warning(out, ledger, fit->source);
		fputs("Do not trust how energy is divided: other methods are less off on "
		      "held-out time\n",
			out);
	}
	if (all_alike(fit)) {
		begin_warning(out, ledger, fit->source);
		fprintf(out,
			"Every reading is %.4g W: no reading tells kernels apart, whatever the "
			"intervals say\n",
			g_array_index(fit->fitted, struct fitted_reading, 0).power_w);
	}
}

static void put_agreements(
	FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	GArray *agreements = agreements_of(ledger);

	for (guint i = 0; i < agreements->len; i++) {
		const struct agreement *agreement = &g_array_index(agreements, struct agreement, i);
		double difference = agreement_difference(agreement);

		if (fabs(difference) < DIFFERENCE_NOTABLE && !options->verbose)
			continue;
		begin_warning(out, ledger, agreement->a);
		text_put_line(out,
			"%s readings say %.6g J, %s readings %.6g J of the same %.3g s: %+.2f %%",
			agreement->a->sensor->quantity, agreement->a_j,
			agreement->b->sensor->quantity, agreement->b_j, agreement->time_s,
			100 * difference);
	}
	g_array_free(agreements, TRUE);
}

void text_put_warnings(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	for (guint i = 0; i < ledger->fits->len; i++) {
		put_left_out(out, ledger, g_ptr_array_index(ledger->fits, i));
		put_fit_warnings(out, ledger, g_ptr_array_index(ledger->fits, i));
	}
	put_misdated(out, ledger);
	put_agreements(out, ledger, options);
}
