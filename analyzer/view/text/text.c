/* SPDX-License-Identifier: MIT */
/* The report for people: a table, the balance, what is missing, the sensors. */
#include <string.h>

#include "analyzer/print/cell.h"
#include "analyzer/print/terminal.h"
#include "analyzer/print/text.h"
#include "analyzer/view/content/balance.h"
#include "analyzer/view/content/format.h"
#include "analyzer/view/content/shown_rows.h"
#include "analyzer/view/content/sums.h"
#include "analyzer/view/text/text_clocks.h"
#include "analyzer/view/text/text_collectives.h"
#include "analyzer/view/text/text_facts.h"
#include "analyzer/view/text/text_iterations.h"
#include "analyzer/view/text/text_name.h"
#include "analyzer/view/text/text_picture.h"
#include "analyzer/view/text/text_replays.h"
#include "analyzer/view/text/text_table.h"
#include "analyzer/view/text/text_trust.h"
#include "analyzer/view/text/text_utilization.h"
#include "analyzer/view/text/text_work.h"

#define TERMINAL_ROWS 20 /* of the table, on a terminal */

static void put_balance_line(FILE *out, const char *title, const struct ledger_balance *balance,
	bool replays, const char *word)
{
	const struct {
		uint64_t energy_nj;
		const char *word;
	} parts[] = {{balance->attributed_nj, " attributed + "}, {balance->idle_nj, " idle + "},
		{balance->unattributed_nj, replays ? " unattributed + " : " unattributed = "},
		{balance->replay_nj, " replay = "}, {balance->measured_nj, " "}};
	char cell[CELL_MAX];

	fputs("  ", out);
	text_put(out, title);
	fputs(": ", out);
	if (!balance->known) {
		fputs("unknown: no power was measured or estimated\n", out);
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		if (i == 3 && !replays)
			continue;
		cell_joules(cell, true, parts[i].energy_nj);
		fprintf(out, "%s%s", cell, parts[i].word);
	}
	fprintf(out, "%s\n", word);
}

/* The energy of the rows that the table does not show. */
static void put_left_out(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	struct shown_left_out left_out = shown_left_out(ledger, options);
	char filtered[CELL_MAX], cut[CELL_MAX];

	if (!ledger->total.known || (!options->filter && !options->top))
		return;
	cell_joules(filtered, true, left_out.filtered_nj);
	cell_joules(cut, true, left_out.cut_nj);
	fprintf(out, "  not shown above%s: ", sums_in_tree(ledger) ? ", as OWN" : "");
	if (options->filter)
		fprintf(out, "%s filtered out%s", filtered, options->top ? ", " : "\n");
	if (options->top)
		fprintf(out, "%s after the first rows\n", cut);
}

static void put_balance(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	bool replays = balance_has_replays(ledger);

	fprintf(out, "\nBalance%s\n",
		ledger->all_estimated ? " (estimated, not measured)"
		: ledger->estimated   ? " (some of it estimated, not measured)"
				      : "");
	put_balance_line(out, "total", &ledger->total, replays, balance_word(ledger));
	if (replays)
		text_put_replays_energy(out, ledger);
	put_left_out(out, ledger, options);
	for (guint i = 0; i < ledger->balances->len; i++) {
		const struct ledger_balance *balance =
			&g_array_index(ledger->balances, struct ledger_balance, i);
		char *name = balance_name(ledger, balance);

		put_balance_line(out, name, balance, replays,
			strcmp(balance->sensor->quantity, "model") == 0 ? "estimated" : "measured");
		g_free(name);
	}
}

static void write_text(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	struct text_names *names = text_names_new(ledger);
	struct view_options fitted = *options;

	if (terminal_columns(out) && !fitted.top) {
		fitted.top = TERMINAL_ROWS;
		options = &fitted;
	}
	if (ledger->estimated)
		fprintf(out, "%s joules and watts here are ESTIMATES: no sensor measured them.\n\n",
			ledger->all_estimated ? "All" : "Some");
	if (ledger->domain) {
		text_put_line(out, "Joules of the domain %s alone", ledger->domain);
		fputc('\n', out);
	}
	text_put_pictures(out, ledger, terminal_columns(out));
	if (ledger_by_collective(ledger))
		text_put_collectives(out, ledger, options);
	else
		text_put_table(out, ledger, names, options);
	text_put_iterations(out, ledger, options);
	text_put_work(out, ledger, options);
	text_put_replays(out, ledger);
	text_put_trust(out, ledger, options);
	put_balance(out, ledger, options);
	text_put_coverage(out, ledger);
	text_put_sensors(out, ledger);
	text_put_clocks(out, ledger, names, options);
	text_put_utilization(out, ledger, names, options);
	text_put_words(out, ledger->model);
	text_names_free(names);
}

const struct format format_text = {
	.name = "text",
	.help = "a table for people",
	.write = write_text,
};
