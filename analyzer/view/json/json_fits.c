/* SPDX-License-Identifier: MIT */
#include "analyzer/view/json/json_fits.h"

#include "analyzer/ledger/advice.h"
#include "analyzer/ledger/row_name.h"
#include "analyzer/ledger/rows.h"
#include "analyzer/regress/fit.h"
#include "analyzer/view/json/json_put.h"

/* "name":value,"name_95":[low,high] */
static void put_estimate(FILE *out, const char *name, double value_ns, struct estimate estimate_ns)
{
	put_signed(out, name, value_ns / 1e6, 6);
	fprintf(out, "\"%s_95\":", name);
	if (!estimate_known(estimate_ns)) {
		fputs("null,", out);
		return;
	}
	fputc('[', out);
	put_fixed(out, estimate_ns.low / 1e6, 6);
	fputc(',', out);
	put_fixed(out, estimate_ns.high / 1e6, 6);
	fputs("],", out);
}

static void put_response(FILE *out, const struct fit *fit)
{
	static const char *const origins[] = {[RESPONSE_ASSUMED] = "assumed",
		[RESPONSE_STATED] = "stated",
		[RESPONSE_REMEMBERED] = "remembered",
		[RESPONSE_FOUND] = "found",
		[RESPONSE_CALIBRATED] = "calibrated"};
	const struct found_response *found = &fit->found;
	double window_ns = found->origin == RESPONSE_CALIBRATED
				   ? fit->response.taps * fit->response.step_ns
				   : found->shape.window_ns;

	put_text(out, "response", origins[found->origin]);
	put_signed(out, "lag_ms", fit->response.begin_ns / 1e6, 6);
	put_real(out, "window_ms", window_ns / 1e6, 6);
	put_real(out, "tail_ms", found->shape.tail_ns / 1e6, 6);
	put_estimate(
		out, "equivalent_window_ms", response_window_ns(&fit->response), found->window_ns);
	put_estimate(out, "equivalent_lag_ms", response_lag_ns(&fit->response), found->lag_ns);
	fprintf(out, "\"at_edge\":%s,\"other_responses\":%u,", found->at_edge ? "true" : "false",
		found->others);
}

static void put_influences(FILE *out, const struct fit *fit)
{
	fputs("\"influences\":[", out);
	for (guint i = 0; i < fit->influences.count; i++) {
		const struct influence *influence = &fit->influences.list[i];

		fputs(i ? ",{" : "{", out);
		put_text(out, "name", influence->kind->name);
		put_real(
			out, "tau_ms", influence->kind->fades ? influence->parameter / 1e6 : -1, 6);
		put_signed(out, "factor", fit->power_w[fit->classes->columns.count + i], 6);
		put_key(out, "ci95");
		put_fixed(out, fit_influence_ci95(fit, i), 6);
		fputc('}', out);
	}
	fputs("],", out);
}

/* "name":{"half":part,"most":part}, */
static void put_widths(FILE *out, const char *name, const struct advice_widths *widths)
{
	put_key(out, name);
	fputs("{\"half\":", out);
	put_fixed(out, widths->half, 6);
	fputs(",\"most\":", out);
	put_fixed(out, widths->most, 6);
	fputs("},", out);
}

static void put_advice(FILE *out, const struct fit *fit)
{
	const struct advice advice = advice_of(fit);

	put_key(out, "advice");
	fputc('{', out);
	put_widths(out, "now", &advice.now);
	put_widths(out, "five_times", &advice.longer);
	put_real(out, "more_s", advice.more_s, 3);
	fprintf(out, "\"longer_helps\":%s,", isinf(advice.more_s) ? "false" : "true");
	put_real(out, "loop_ms", advice.loop_ns / 1e6, 6);
	fprintf(out, "\"calibrate\":%s,\"replay_kernels\":%u,", advice.calibrate ? "true" : "false",
		advice.replay_kernels);
	put_key(out, "replay_s");
	put_fixed(out, advice.replay_s, 3);
	fputc(',', out);
	put_key(out, "replay_budget_s");
	put_fixed(out, advice.replay_budget_s, 0);
	fputs("},", out);
}

/* "name":text,"shape":text */
static void put_class(
	FILE *out, const struct ledger *ledger, const struct fit *fit, guint class_index)
{
	struct ledger_row row = {0};

	row_name_kernel(ledger->model,
		g_array_index(fit->classes->list, struct kernel_class, class_index).origin, &row);
	put_text(out, "name", row.name);
	put_key(out, "shape");
	put_string(out, row.shape ? row.shape : "");
	rows_clear(&row);
}

static void put_diagnosis(
	FILE *out, const struct ledger *ledger, const struct fit *fit, guint class_index)
{
	const struct fit_partner *partner = &fit->partner_of[class_index];

	if (partner->class_index < 0) {
		fputs("\"vif\":null,\"partner\":null,\"correlation\":null}", out);
		return;
	}
	put_real(out, "vif",
		fit->vif[g_array_index(fit->classes->list, struct kernel_class, class_index)
				 .column],
		6);
	fputs("\"partner\":{", out);
	put_class(out, ledger, fit, (guint)partner->class_index);
	fputs("},\"correlation\":", out);
	put_fixed(out, partner->correlation, 6);
	fputc('}', out);
}

/* Why the classes of each group are not told apart. */
static void put_confounded(
	FILE *out, const struct ledger *ledger, const struct fit *fit, guint groups_before)
{
	const char *between = "";

	fputs("\"confounded\":[", out);
	for (guint i = 0; i < fit->classes->list->len; i++) {
		if (fit->group_of[i] < 0)
			continue;
		fprintf(out, "%s\n   {\"group\":\"group %u\",", between,
			groups_before + (guint)fit->group_of[i] + 1);
		put_class(out, ledger, fit, i);
		fputc(',', out);
		put_diagnosis(out, ledger, fit, i);
		between = ",";
	}
	fputs("],", out);
}

static bool is_expected(const struct remembered_column *column)
{
	return isfinite(column->expected_w);
}

/* "key":[what a library expects of the classes that are wanted, and what was found] */
static void put_remembered(FILE *out, const char *key, const struct ledger *ledger,
	const struct fit *fit, bool (*wanted)(const struct remembered_column *column))
{
	const char *before = "";

	put_key(out, key);
	fputc('[', out);
	for (guint i = 0; i < fit->classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(fit->classes->list, struct kernel_class, i);
		const struct remembered_column *column = &fit->remembered->column[class->column];

		if (class->rare || !wanted(column))
			continue;
		fprintf(out, "%s{", before);
		put_class(out, ledger, fit, i);
		fputc(',', out);
		put_real(out, "expected_w", column->expected_w, 6);
		put_real(out, "expected_ci95_w", 1.96 * column->expected_deviation_w, 6);
		put_real(out, "found_w", fit->power_w[class->column], 6);
		fputs("\"deviations\":", out);
		put_fixed(out, column->conflict, 3);
		fputc('}', out);
		before = ",";
	}
	fputc(']', out);
}

/* Nothing where there was no library. */
static void put_library(FILE *out, const struct ledger *ledger, const struct fit *fit)
{
	struct remembered_summary summary;

	if (!fit->remembered)
		return;
	summary = remembered_summarize(fit->remembered);
	fputs("\"library\":{", out);
	put_text(out, "file", fit->remembered->path);
	fprintf(out,
		"\"same_shape\":%u,\"other_shape\":%u,\"refused\":%u,\"same_board\":%s,"
		"\"other_board\":%s,",
		summary.same, summary.other_shape, fit->remembered->refused,
		summary.same_board ? "true" : "false", summary.other_board ? "true" : "false");
	put_remembered(out, "expected", ledger, fit, is_expected);
	fputc(',', out);
	put_remembered(out, "conflicts", ledger, fit, remembered_is_contradicted);
	fputs("},", out);
}

static void put_utilization(FILE *out, const struct utilization *utilization)
{
	static const char *const words[] = {
#define PART(word, ...) [PWRTRACE_PART_##word] = #word,
#include "pwrtrace/parts.def"
#undef PART
	};

	if (!utilization)
		return;
	fprintf(out, "\"utilization\":{\"intervals\":%u,\"explained\":{", utilization->readings);
	for (int part = 0; part < PWRTRACE_PARTS; part++) {
		fputs(part ? "," : "", out);
		put_key(out, words[part]);
		put_fixed(out, utilization->share[part] ? utilization->explained[part] : NAN, 6);
	}
	fputs("}},", out);
}

static void put_fit(
	FILE *out, const struct ledger *ledger, const struct fit *fit, guint groups_before)
{
	const struct heldout *heldout = attribution_heldout(ledger->attribution, fit);

	put_text(out, "source", fit->source->sensor->source);
	put_text(out, "device", fit->source->device);
	put_text(out, "domain", fit->source->sensor->domain);
	fprintf(out, "\"readings\":%u,\"classes\":%u,", fit->readings, fit->classes->list->len);
	fprintf(out,
		"\"rare_classes\":%u,\"backwards\":%u,\"impossible\":%u,\"stalled\":%u,"
		"\"asleep\":%u,\"limited\":%u,\"saturated\":%u,",
		fit->classes->rare, fit->left_out.backwards, fit->left_out.impossible,
		fit->left_out.stalled, fit->left_out.asleep, fit->left_out.limited,
		fit->left_out.saturated);
	put_real(out, "ceiling_w", fit->left_out.saturated ? fit->left_out.ceiling_w : -1, 6);
	put_response(out, fit);
	put_real(out, "static_w", fit->static_known ? fit->power_w[fit->powers - 1] : -1, 6);
	put_real(out, "static_ci95_w", fit->static_known ? fit_static_ci95_w(fit) : -1, 6);
	put_real(out, "asleep_w", fit->sleep ? fit->sleep->power_w : -1, 6);
	put_real(out, "explained", fit->explained, 6);
	put_real(out, "residual_w", fit->residual_w, 6);
	put_signed(out, "autocorrelation", fit->autocorrelation, 6);
	put_real(out, "inflation", fit->inflation, 6);
	put_influences(out, fit);
	put_utilization(out, fit->utilization);
	put_library(out, ledger, fit);
	put_advice(out, fit);
	put_confounded(out, ledger, fit, groups_before);
	fprintf(out, "\"heldout\":{\"blocks\":%u", heldout->blocks);
	for (int i = 0; methods[i]; i++) {
		fputc(',', out);
		put_key(out, methods[i]->name);
		put_fixed(out, heldout->error[i], 6);
	}
	fputc('}', out);
}

void json_put_fits(FILE *out, const struct ledger *ledger)
{
	const GPtrArray *fits = ledger->fits;
	guint number = 0;

	fputs("\"fits\":[", out);
	for (guint i = 0; i < fits->len; i++) {
		const struct fit *fit = g_ptr_array_index(fits, i);

		fputs(i ? ",\n  {" : "\n  {", out);
		put_fit(out, ledger, fit, number);
		fputc('}', out);
		number += fit->groups->len;
	}
	number = 0;
	fputs("],\n \"groups\":[", out);
	for (guint i = 0; i < fits->len; i++) {
		const struct fit *fit = g_ptr_array_index(fits, i);

		for (guint k = 0; k < fit->groups->len; k++) {
			const struct fit_group *group = g_ptr_array_index(fit->groups, k);

			fprintf(out, "%s{\"group\":\"group %u\",\"classes\":%u,", number ? "," : "",
				number + 1, group->classes->len);
			put_real(out, "energy_j", group->energy_j, 9);
			put_key(out, "ci95_j");
			put_fixed(out, group->ci95_j, 9);
			fputc('}', out);
			number++;
		}
	}
	fputs("],\n ", out);
}
