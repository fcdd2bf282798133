/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_replays.h"

#include "analyzer/model/replays.h"
#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"

static void put_sum(FILE *out, const struct ledger *ledger)
{
	char time[CELL_MAX], energy[CELL_MAX];

	cell_scaled(time, (double)replays_span_ns(ledger->model) / 1e9, "s");
	cell_joules(energy, ledger->total.known, ledger->replays.energy_nj);
	fprintf(out,
		"  %" G_GUINT64_FORMAT
		" executions, %s, are of replays: the program was held up for %s.\n",
		ledger->replays.executions, energy, time);
	fputs("  None of them is the program's: a row of their own, \"" REPLAYS_NAME
	      "\", keeps the balance.\n",
		out);
}

static void put_outcome(FILE *out, const char *reason, guint classes)
{
	fprintf(out, "  %s: %u class%s of kernels", *reason ? "Not replayed" : "Replayed", classes,
		classes == 1 ? "" : "es");
	if (*reason)
		fputs(": ", out);
	text_put(out, reason);
	fputs(".\n", out);
}

void text_put_replays(FILE *out, const struct ledger *ledger)
{
	const struct model *model = ledger->model;

	if (!model->replays->len)
		return;
	fputs("\nReplay\n", out);
	for (guint i = 0; i < model->replays->len; i++) {
		guint classes = replays_alike(model, i);

		if (classes)
			put_outcome(out,
				g_array_index(model->replays, struct model_replay, i).reason,
				classes);
	}
	if (ledger->replays.executions)
		put_sum(out, ledger);
}
