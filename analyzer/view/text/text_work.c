/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_work.h"

#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"
#include "analyzer/view/content/balance.h"

#define WORKS_MAX 10 /* lines: so that the balance stays in sight */

/* A measured figure is one that programs are compared by: it has more digits than others. */
static int digits_of(const struct ledger *ledger)
{
	return ledger->estimated ? 3 : 6;
}

static void put_work(FILE *out, const struct work_cost *cost, const struct work *work, int digits)
{
	bool partly = cost->partly_measured;
	char cell[CELL_MAX];

	fputs("  ", out);
	text_put(out, work->name);
	fprintf(out, "%s%.10g ", *work->name ? ": " : "", work->amount);
	text_put(out, work->unit);
	if (work->marks)
		fprintf(out, " in %" G_GUINT64_FORMAT " marks", work->marks);
	cell_scaled(cell, cost->measured_j / work->amount, "J");
	fprintf(out, ", %s%s/", partly ? "at least " : "", cell);
	text_put(out, *work->unit ? work->unit : "1");
	fprintf(out, " (%s%.*g ", partly ? "at most " : "", digits,
		work->amount / cost->measured_j);
	text_put(out, work->unit);
	fputs("/J)", out);
	if (cost->recorded_s > 0) {
		fprintf(out, ", %.*g ", digits, work->amount / cost->recorded_s);
		text_put(out, work->unit);
		fputs("/s", out);
	}
	cell_scaled(cell, cost->attributed_j / work->amount, "J");
	fprintf(out, "\n    of it %s%s/", partly ? "at least " : "", cell);
	text_put(out, *work->unit ? work->unit : "1");
	if (cost->attributed_ci95_j >= 0 && cost->attributed_j > 0 && !partly)
		fprintf(out, " ± %.1f %%", 100 * cost->attributed_ci95_j / cost->attributed_j);
	fputs(" while something ran\n", out);
}

void text_put_work(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	GArray *works = work_of(ledger, &options->work);
	struct work_cost cost = work_cost(ledger);
	bool known = cost.measured_j > 0; /* replays, which are measured too, are no work */

	if (works->len && !known)
		fputs("\nWork\n  unknown: no energy was measured or estimated\n", out);
	else if (works->len)
		fprintf(out,
			ledger->estimated ? "\nWork\n  %.3g J %s in %.3g s, %.3g W\n"
					  : "\nWork\n  %.9g J %s in %.6g s, %.7g W\n",
			cost.measured_j, balance_word(ledger), cost.measured_s,
			cost.measured_j / cost.measured_s);
	for (guint i = 0; known && i < MIN(works->len, WORKS_MAX); i++)
		put_work(out, &cost, &g_array_index(works, struct work, i), digits_of(ledger));
	if (works->len > WORKS_MAX)
		fprintf(out, "  (marks of %u names more)\n", works->len - WORKS_MAX);
	g_array_free(works, TRUE);
}
