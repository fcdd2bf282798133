/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_replays.h"

#include "analyzer/ledger/work.h"
#include "analyzer/model/replays.h"
#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"

void text_put_replays_energy(FILE *out, const struct ledger *ledger)
{
	char time[CELL_MAX], energy[CELL_MAX];

	cell_scaled(time, (double)replays_span_ns(ledger->model) / 1e9, "s");
	cell_joules(energy, ledger->total.known, ledger->total.replay_nj);
	fprintf(out,
		"  replay: %s%s in %s, not the program's; nothing else in this report contains "
		"it\n",
		work_replays_partly_measured(ledger) ? "at least " : "", energy, time);
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
}
