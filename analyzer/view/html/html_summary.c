/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "analyzer/ledger/work.h"
#include "analyzer/print/cell.h"
#include "analyzer/view/content/balance.h"
#include "analyzer/view/html/html_page.h"
#include "analyzer/view/html/html_put.h"

/* ---- a few large numbers ---- */

/* exact: as programs read it, -1 where it is not known, negative or NaN. */
static void put_figure(FILE *out, const char *id, double exact, const char *unit, const char *word)
{
	char cell[CELL_MAX];

	cell_scaled(cell, exact < 0 ? NAN : exact, unit);
	fprintf(out,
		"<div><dt>%s</dt><dd id=\"total-%s\"><data value=\"%.9f\">%s</data></dd></div>\n",
		word, id, exact >= 0 ? exact : -1, cell);
}

/* In groups of three digits. */
static void put_count(FILE *out, uint64_t count)
{
	char digits[CELL_MAX];
	size_t length = (size_t)snprintf(digits, sizeof(digits), "%" G_GUINT64_FORMAT, count);

	for (size_t i = 0; i < length; i++)
		fprintf(out, "%s%c", i && (length - i) % 3 == 0 ? "\u202f" : "", digits[i]);
}

static void put_figures(const struct html_page *page)
{
	const struct ledger *ledger = page->ledger;
	struct work_cost cost = work_cost(ledger);
	bool known = ledger->total.known;

	fputs("<dl class=\"figures\">\n", page->out);
	put_figure(page->out, "energy", known ? (double)ledger->total.measured_nj / 1e9 : -1, "J",
		ledger->all_estimated ? "energy, estimated"
		: ledger->estimated   ? "energy, some of it estimated"
				      : "energy measured");
	put_figure(page->out, "power", known ? cost.measured_j / cost.measured_s : -1, "W",
		"mean power");
	put_figure(page->out, "time", cost.recorded_s, "s", "recorded");
	fprintf(page->out,
		"<div><dt>executions</dt><dd id=\"total-executions\"><data "
		"value=\"%" G_GUINT64_FORMAT "\">",
		ledger_executions(ledger));
	put_count(page->out, ledger_executions(ledger));
	fputs("</data></dd></div>\n", page->out);
	fputs("</dl>\n", page->out);
}

/* ---- the balance ---- */

struct part {
	const char *name, *word;
	uint64_t energy_nj;
};

enum { PARTS = 4 };

static void find_parts(const struct ledger_balance *balance, struct part parts[PARTS])
{
	parts[0] = (struct part){"attributed", "while something ran", balance->attributed_nj};
	parts[1] = (struct part){"idle", "while nothing ran", balance->idle_nj};
	parts[2] = (struct part){
		"unattributed", "when what ran is not known", balance->unattributed_nj};
	parts[3] = (struct part){"replay", "for replays", balance->replay_nj};
}

static void put_balance_bar(FILE *out, const struct ledger_balance *balance)
{
	struct part parts[PARTS];

	if (!balance->known || !balance->measured_nj)
		return;
	find_parts(balance, parts);
	fputs("<div class=\"balance\" aria-hidden=\"true\">", out);
	for (guint i = 0; i < PARTS; i++)
		if (parts[i].energy_nj)
			fprintf(out, "<span class=\"%s\" style=\"width:%.3f%%\"></span>",
				parts[i].name,
				100 * (double)parts[i].energy_nj / (double)balance->measured_nj);
	fputs("</div>\n", out);
}

static void put_joules(FILE *out, bool known, uint64_t energy_nj)
{
	char cell[CELL_MAX], exact[CELL_MAX];

	cell_joules(cell, known, energy_nj);
	fprintf(out, "<td data-sort=\"%s\">%s</td>",
		known ? cell_exact_joules(exact, energy_nj) : "-1", cell);
}

static void put_balance_row(
	const struct html_page *page, const char *name, const struct ledger_balance *balance)
{
	struct part parts[PARTS];
	bool replays = balance_has_replays(page->ledger);

	find_parts(balance, parts);
	fputs("<tr><th scope=\"row\">", page->out);
	html_put_name(page->out, name, name);
	fputs("</th>", page->out);
	for (guint i = 0; i < (replays ? PARTS : PARTS - 1); i++)
		put_joules(page->out, balance->known, parts[i].energy_nj);
	put_joules(page->out, balance->known, balance->measured_nj);
	fputs("</tr>\n", page->out);
}

static void put_balance(const struct html_page *page)
{
	const struct ledger *ledger = page->ledger;
	struct part parts[PARTS];
	bool replays = balance_has_replays(ledger);

	find_parts(&ledger->total, parts);
	put_balance_bar(page->out, &ledger->total);
	fputs("<div class=\"scroll\"><table class=\"sums\" id=\"balance\"><thead><tr><th "
	      "scope=\"col\">sensor</th>",
		page->out);
	for (guint i = 0; i < (replays ? PARTS : PARTS - 1); i++)
		fprintf(page->out, "<th scope=\"col\" title=\"%s\"><i class=\"%s\"></i>%s</th>",
			parts[i].word, parts[i].name, parts[i].name);
	fprintf(page->out, "<th scope=\"col\">%s</th></tr></thead>\n<tbody>\n",
		balance_word(ledger));
	put_balance_row(page, "total", &ledger->total);
	for (guint i = 0; i < ledger->balances->len; i++) {
		const struct ledger_balance *balance =
			&g_array_index(ledger->balances, struct ledger_balance, i);
		char *name = balance_name(ledger, balance);

		put_balance_row(page, name, balance);
		g_free(name);
	}
	fputs("</tbody></table></div>\n", page->out);
}

void html_put_summary(const struct html_page *page)
{
	fputs("<section id=\"summary\">\n", page->out);
	if (page->ledger->estimated)
		fprintf(page->out,
			"<p class=\"warning\">%s joules and watts here are estimates: no sensor "
			"measured them.</p>\n",
			page->ledger->all_estimated ? "All" : "Some");
	if (page->ledger->domain) {
		fputs("<p>Joules of the domain ", page->out);
		html_put_text(page->out, page->ledger->domain);
		fputs(" alone.</p>\n", page->out);
	}
	put_figures(page);
	put_balance(page);
	fputs("</section>\n", page->out);
}
