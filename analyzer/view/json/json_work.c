/* SPDX-License-Identifier: MIT */
#include "analyzer/view/json/json_work.h"

#include "analyzer/view/json/json_put.h"

void json_put_work(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	GArray *works = work_of(ledger, &options->work);
	struct work_cost cost = work_cost(ledger);

	fputs("\"work\":[", out);
	for (guint i = 0; i < works->len; i++) {
		const struct work *work = &g_array_index(works, struct work, i);

		fputs(i ? ",{" : "{", out);
		put_text(out, "name", work->name);
		put_text(out, "unit", work->unit);
		put_number(out, "amount", work->amount);
		fprintf(out, "\"marks\":%" G_GUINT64_FORMAT ",", work->marks);
		put_number(out, "j_per_unit",
			cost.measured_j > 0 ? cost.measured_j / work->amount : NAN);
		put_number(out, "units_per_j", work->amount / cost.measured_j);
		put_number(out, "units_per_s", work->amount / cost.recorded_s);
		put_number(out, "attributed_j_per_unit",
			cost.measured_j > 0 ? cost.attributed_j / work->amount : NAN);
		put_number(out, "attributed_ci95_j_per_unit",
			cost.attributed_ci95_j >= 0 ? cost.attributed_ci95_j / work->amount : NAN);
		put_number(out, "measured_s", cost.measured_s);
		put_number(out, "recorded_s", cost.recorded_s);
		put_number(out, "power_w",
			cost.measured_j > 0 ? cost.measured_j / cost.measured_s : NAN);
		put_truth(out, "partly_measured", cost.partly_measured);
		fputs("\"estimated\":", out);
		fputs(ledger->estimated ? "true}" : "false}", out);
	}
	fputs("],\n ", out);
	g_array_free(works, TRUE);
}

void json_put_steps(FILE *out, const struct ledger_steps *steps)
{
	put_number(out, "first_j", steps->known ? steps->first_j : NAN);
	put_number(out, "steady_j", steps->known ? steps->steady_j : NAN);
	put_key(out, "spread_j");
	put_digits(out, steps->known ? steps->spread_j : NAN, 12);
}

static void put_iteration(FILE *out, const struct iteration *iteration, bool known, guint number)
{
	fprintf(out, "{\"number\":%u,", number);
	put_ns(out, "begin_ns", iteration->begin_ns);
	put_ns(out, "end_ns", iteration->end_ns);
	if (iteration->replay_ns)
		put_real(out, "replay_s", (double)iteration->replay_ns / 1e9, 9);
	put_number(out, "amount", iteration->amount);
	put_real(out, "unmeasured_s", (double)iteration->unmeasured_ns / 1e9, 9);
	put_joules(out, "energy_j",
		known && (!iteration->unmeasured_ns ||
				 iteration->unmeasured_ns < iteration->busy_ns),
		iteration->energy_nj);
	put_key(out, "idle_j");
	if (known) {
		char joules[CELL_MAX];

		fprintf(out, "%s}", cell_exact_joules(joules, iteration->idle_nj));
	} else {
		fputs("null}", out);
	}
}

void json_put_iterations(FILE *out, const struct ledger *ledger)
{
	const struct iterations *iterations = ledger->iterations;
	bool known = ledger->total.known;

	if (!iterations)
		return;
	fputs("\"iterations\":{", out);
	put_text(out, "from", iterations->from);
	put_text(out, "name", iterations->name);
	put_text(out, "unit", iterations->unit);
	fprintf(out, "\"count\":%u,", iterations->list->len);
	fprintf(out, "\"partly_measured\":%u,", iterations->partly);
	put_number(out, "steady_amount", iterations->steady_amount);
	put_joules(out, "outside_j", known, iterations->outside.energy_nj);
	put_joules(out, "outside_idle_j", known, iterations->outside.idle_nj);
	json_put_steps(out, &iterations->steps);
	fputs(",\"each\":[", out);
	for (guint i = 0; i < iterations->list->len; i++) {
		fputs(i ? ",\n  " : "\n  ", out);
		put_iteration(out, &g_array_index(iterations->list, struct iteration, i), known, i);
	}
	fputs("]},\n ", out);
}
