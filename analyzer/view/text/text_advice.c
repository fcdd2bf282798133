/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_advice.h"

#include <math.h>

#include "analyzer/ledger/advice.h"
#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"

static void put_time(FILE *out, double time_s)
{
	if (time_s < 100)
		fprintf(out, "%.0f s", ceil(time_s));
	else if (time_s < 100 * 60)
		fprintf(out, "%.0f min", ceil(time_s / 60));
	else
		fprintf(out, "%.0f h", ceil(time_s / 3600));
}

/* Why no recording of the same program is long enough. */
static void put_reason(FILE *out, const struct advice *advice)
{
	char period[CELL_MAX];

	if (!isnan(advice->loop_ns)) {
		cell_scaled(period, advice->loop_ns / 1e9, "s");
		fprintf(out, "the loop repeats every %s", period);
	} else if (advice->calibrate) {
		fputs("the readings do not tell how the sensor answers", out);
	} else {
		fputs("the readings do not tell the kernels apart", out);
	}
}

/* Whatever else would help, each with its cost. */
static void put_remedies(FILE *out, const struct advice *advice)
{
	if (advice->calibrate)
		fputs("pwrtrace sensors --calibrate, ", out);
	if (advice->replay_kernels) {
		fputs("record --replay ", out);
		if (!isnan(advice->replay_budget_s))
			fprintf(out, "--replay-budget=%.0f ", advice->replay_budget_s);
		fputs("(about ", out);
		put_time(out, advice->replay_s);
		fputs(") or ", out);
	}
	fputs("report --library", out);
}

static void put_advice(FILE *out, const struct advice *advice)
{
	if (isinf(advice->more_s)) {
		fputs("longer will not help: ", out);
		put_reason(out, advice);
		fputs("; ", out);
		put_remedies(out, advice);
		fputs(" would\n", out);
		return;
	}
	fputs("record about ", out);
	put_time(out, advice->more_s);
	fprintf(out, " more: %.0f %% of the energy is then known to ±%.0f %%; ", 100 * ADVICE_MOST,
		100 * ADVICE_WIDE);
	put_remedies(out, advice);
	fputs(" helps too\n", out);
}

void text_put_advice(FILE *out, const struct ledger *ledger)
{
	for (guint i = 0; i < ledger->fits->len; i++) {
		const struct fit *fit = g_ptr_array_index(ledger->fits, i);
		const struct advice advice = advice_of(fit);

		if (isnan(advice.more_s) || advice.more_s <= 0)
			continue;
		fputs("  Narrower: ", out);
		if (ledger->fits->len > 1) {
			text_put(out, fit->source->device);
			fputs(", ", out);
			text_put(out, fit->source->sensor->domain);
			fputs(": ", out);
		}
		put_advice(out, &advice);
	}
}
