/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"
#include "analyzer/view/critical/critical_view.h"

/* ---- times in one unit ---- */

struct scale {
	double per_ns;
	const char *unit;
	int decimals; /* with which the largest time has three digits */
};

static int decimals_of(double value)
{
	return value <= 0 ? 0 : CLAMP(2 - (int)floor(log10(value * 1.0005)), 0, 6);
}

static struct scale scale_of(uint64_t most_ns)
{
	static const char *const units[] = {"ns", "µs", "ms", "s"};
	struct scale scale = {.per_ns = 1};
	guint unit = 0;

	for (; unit < 3 && (double)most_ns * scale.per_ns >= 999.5; unit++)
		scale.per_ns /= 1000;
	scale.unit = units[unit];
	scale.decimals = decimals_of((double)most_ns * scale.per_ns);
	return scale;
}

static void put_piece(
	FILE *out, const struct scale *scale, const char *name, uint64_t ns, const char *end)
{
	double value = (double)ns * scale->per_ns;

	fprintf(out, " %s %.*f%s", name, decimals_of(value), value, end);
}

static void put_head(FILE *out, const struct critical_answer *answer)
{
	const struct critical_pieces *pieces = &answer->pieces;
	uint64_t span_ns = answer->span.end_ns - answer->span.begin_ns;
	const struct scale scale = scale_of(span_ns);
	char on[CELL_MAX], off[CELL_MAX];

	cell_joules(on, answer->energy_known, answer->critical_nj);
	cell_joules(off, answer->energy_known, answer->energy_nj - answer->critical_nj);
	fprintf(out, "%.*f %s:", scale.decimals, (double)span_ns * scale.per_ns, scale.unit);
	put_piece(out, &scale, "device", pieces->device_ns, ",");
	put_piece(out, &scale, "launch", pieces->launch_ns, ",");
	put_piece(out, &scale, "host", pieces->host_ns, ",");
	put_piece(out, &scale, "peer", pieces->peer_ns, "; ");
	fprintf(out, " %s on the path, %s off\n", on, off);
}

/* ---- rows ---- */

/* A row in cells; the number of an energy and its unit are two columns. */
struct cells {
	char critical[CELL_MAX], slack[CELL_MAX], energy[CELL_MAX];
	const char *unit; /* of the energy, in its cell */
};

struct widths {
	int critical, slack, energy, unit;
};

/* "18 ms" where cell_scaled has "18.0 ms"; "0" for no time. */
static void fill_slack(char cell[CELL_MAX], uint64_t ns)
{
	char scaled[CELL_MAX], *unit, *end;

	if (!ns) {
		strcpy(cell, "0");
		return;
	}
	cell_scaled(scaled, (double)ns / 1e9, "s");
	unit = end = strchr(scaled, ' ');
	if (memchr(scaled, '.', (size_t)(unit - scaled))) {
		while (end[-1] == '0')
			end--;
		end -= end[-1] == '.';
	}
	snprintf(cell, CELL_MAX, "%.*s%s", (int)(end - scaled), scaled, unit);
}

static void fill(struct cells *cells, const struct scale *scale, const struct critical_row *row)
{
	char *space;

	snprintf(cells->critical, CELL_MAX, "%.*f", scale->decimals,
		(double)row->critical_ns * scale->per_ns);
	fill_slack(cells->slack, row->slack_ns);
	cell_joules(cells->energy, row->energy_known, row->energy_nj);
	space = strchr(cells->energy, ' ');
	cells->unit = space ? space + 1 : "";
	if (space)
		*space = '\0';
}

static int wider(int width, const char *cell)
{
	return MAX(width, (int)g_utf8_strlen(cell, -1));
}

static void put_rows(FILE *out, const GArray *rows)
{
	const struct scale scale =
		scale_of(g_array_index(rows, struct critical_row, 0).critical_ns);
	struct widths widths = {0};
	struct cells cells;

	for (guint i = 0; i < rows->len; i++) {
		fill(&cells, &scale, &g_array_index(rows, struct critical_row, i));
		widths = (struct widths){wider(widths.critical, cells.critical),
			wider(widths.slack, cells.slack), wider(widths.energy, cells.energy),
			wider(widths.unit, cells.unit)};
	}
	for (guint i = 0; i < rows->len; i++) {
		const struct critical_row *row = &g_array_index(rows, struct critical_row, i);

		fill(&cells, &scale, row);
		cell_put(out, cells.critical, widths.critical);
		fprintf(out, " %s  slack ", scale.unit);
		cell_put(out, cells.slack, widths.slack);
		fputs("  ", out);
		cell_put(out, cells.energy, widths.energy);
		fprintf(out, " %s%*s ", cells.unit,
			widths.unit - (int)g_utf8_strlen(cells.unit, -1), "");
		text_put(out, row->name);
		fputc('\n', out);
	}
}

void critical_put_text(FILE *out, const void *result)
{
	const struct critical_answer *answer = result;
	char bloat[CELL_MAX];

	if (answer->ledger->estimated)
		fprintf(out, "%s joules here are ESTIMATES: no sensor measured them.\n\n",
			answer->ledger->all_estimated ? "All" : "Some");
	put_head(out, answer);
	if (isfinite(answer->bloat_j)) {
		cell_scaled(bloat, answer->bloat_j, "J");
		fprintf(out, "energy bloat %s: the same time does not need them\n", bloat);
	}
	if (answer->rows->len)
		put_rows(out, answer->rows);
}
