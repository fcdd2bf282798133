/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_library.h"

#include <math.h>

#include "analyzer/ledger/row_name.h"
#include "analyzer/ledger/rows.h"
#include "analyzer/print/text.h"
#include "analyzer/regress/fit.h"

static const char *boards_of(const struct remembered_summary *summary)
{
	return !summary->other_board ? "same board"
	       : summary->same_board ? "this board and another"
				     : "another board";
}

static void put_taken(
	FILE *out, const struct remembered *remembered, const struct remembered_summary *summary)
{
	guint taken = summary->same + summary->other_shape;

	fputs("  Library: ", out);
	if (taken)
		fprintf(out, "%u kernel%s prior from ", taken, taken == 1 ? "'s" : "s'");
	else
		fputs("nothing of these kernels in ", out);
	text_put(out, remembered->path);
	if (taken)
		fprintf(out, " (%s)", boards_of(summary));
	if (summary->other_shape)
		fprintf(out, ", %u of them from other shapes", summary->other_shape);
	if (remembered->refused)
		fprintf(out, "; %u refused: they took another time there", remembered->refused);
	fputc('\n', out);
}

/* Names the class of a column. */
static void put_name(FILE *out, const struct ledger *ledger, const struct fit *fit, guint column)
{
	for (guint i = 0; i < fit->classes->list->len; i++) {
		const struct kernel_class *class =
			&g_array_index(fit->classes->list, struct kernel_class, i);
		struct ledger_row row = {0};

		if (class->column != column)
			continue;
		row_name_kernel(ledger->model, class->origin, &row);
		text_put(out, row.short_name);
		rows_clear(&row);
		return;
	}
}

static void put_conflicts(FILE *out, const struct ledger *ledger, const struct fit *fit,
	const struct remembered_summary *summary)
{
	const struct remembered_column *worst = &fit->remembered->column[summary->worst];

	fputs("  The readings contradict the library: ", out);
	put_name(out, ledger, fit, summary->worst);
	fprintf(out, " draws %.3g W beside the static power, not %.3g W (%.1f standard deviations)",
		fit->power_w[summary->worst], worst->expected_w, fabs(worst->conflict));
	if (summary->conflicts > 1)
		fprintf(out, "; so it is with %u more", summary->conflicts - 1);
	fputs("; do the data differ, as zeros from random ones?\n", out);
}

void text_put_library(FILE *out, const struct ledger *ledger)
{
	for (guint i = 0; i < ledger->fits->len; i++) {
		const struct fit *fit = g_ptr_array_index(ledger->fits, i);
		struct remembered_summary summary;

		if (!fit->remembered)
			continue;
		summary = remembered_summarize(fit->remembered);
		put_taken(out, fit->remembered, &summary);
		if (summary.conflicts)
			put_conflicts(out, ledger, fit, &summary);
	}
}
