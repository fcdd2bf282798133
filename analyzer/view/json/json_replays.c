/* SPDX-License-Identifier: MIT */
#include "analyzer/view/json/json_replays.h"

#include "analyzer/model/replays.h"
#include "analyzer/view/json/json_put.h"

void json_put_replays(FILE *out, const struct ledger *ledger)
{
	const struct model *model = ledger->model;

	if (!model->replays->len)
		return;
	put_key(out, "replays");
	fprintf(out, "{\"executions\":%" G_GUINT64_FORMAT ",", ledger->replays.executions);
	put_joules(out, "energy_j", ledger->total.known, ledger->total.replay_nj);
	put_real(out, "span_s", (double)replays_span_ns(model) / 1e9, 9);
	fputs("\"outcomes\":[", out);
	for (guint i = 0, shown = 0; i < model->replays->len; i++) {
		guint classes = replays_alike(model, i);

		if (!classes)
			continue;
		fputs(shown++ ? ",{" : "{", out);
		put_text(out, "reason",
			g_array_index(model->replays, struct model_replay, i).reason);
		fprintf(out, "\"classes\":%u}", classes);
	}
	fputs("]},\n ", out);
}

void json_put_row_replays(FILE *out, const struct ledger_row *row)
{
	const struct ledger_replays *replays = &row->replays;
	double clock_mhz = state_clock_mhz(&replays->state);

	fprintf(out, ",\"replays\":{\"executions\":%" G_GUINT64_FORMAT ",", replays->executions);
	put_real(out, "time_s", (double)replays->time_ns / 1e9, 9);
	put_real(out, "power_w",
		row->energy_known ? (double)replays->energy_nj / (double)replays->time_ns : NAN, 6);
	put_real(out, "ci95_w",
		replays->ci95_j >= 0 ? replays->ci95_j * 1e9 / (double)replays->time_ns : NAN, 6);
	put_key(out, "sm_clock_mhz");
	put_fixed(out, clock_mhz < 0 ? NAN : clock_mhz, 3);
	fputc('}', out);
}
