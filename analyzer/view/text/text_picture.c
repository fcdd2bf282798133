/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_picture.h"

#include <math.h>

#include "analyzer/model/curve.h"
#include "analyzer/print/bar.h"
#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"

#define LABEL 12 /* columns left of a picture */
#define COLUMNS_MIN 40
#define ROWS 4         /* of a picture */
#define ROWS_OF_MANY 1 /* of each, where there are more than MANY */
#define MANY 2

/* The mean power by column; NaN where it is not known. */
struct picture {
	struct model_span span;
	int columns;
	double *power_w;
	double highest_w;
};

/* Adds the overlap of an interval with columns: energy, and its time. */
static void add_interval(const struct picture *picture, const struct curve_interval *interval,
	double *energy_nj, double *time_ns)
{
	double column_ns =
		(double)(picture->span.end_ns - picture->span.begin_ns) / picture->columns;
	double begin = (double)(interval->begin_ns - picture->span.begin_ns) / column_ns;
	double end = (double)(interval->end_ns - picture->span.begin_ns) / column_ns;
	double nj_per_column = (double)interval->energy_nj / (end - begin);

	for (int i = (int)begin; i < picture->columns && i < end; i++) {
		double part = fmin(end, i + 1) - fmax(begin, i);

		energy_nj[i] += part * nj_per_column;
		time_ns[i] += part * column_ns;
	}
}

static void set_powers(struct picture *picture, const GArray *curve)
{
	double *energy_nj = g_new0(double, picture->columns);
	double *time_ns = g_new0(double, picture->columns);

	for (guint i = 0; i < curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(curve, struct curve_interval, i);

		if (interval->begin_ns >= picture->span.begin_ns &&
			interval->end_ns > interval->begin_ns &&
			interval->end_ns <= picture->span.end_ns)
			add_interval(picture, interval, energy_nj, time_ns);
	}
	for (int i = 0; i < picture->columns; i++) {
		picture->power_w[i] = time_ns[i] > 0 ? energy_nj[i] / time_ns[i] : NAN;
		picture->highest_w = fmax(picture->highest_w, picture->power_w[i]);
	}
	g_free(energy_nj);
	g_free(time_ns);
}

static void put_row(FILE *out, const struct picture *picture, int row, int rows)
{
	char label[CELL_MAX] = "";

	if (row == rows - 1)
		cell_scaled(label, picture->highest_w, "W");
	else if (row == 0)
		cell_scaled(label, 0, "W");
	cell_put(out, label, LABEL - 2);
	fputs(" ┤", out);
	for (int i = 0; i < picture->columns; i++) {
		double height = picture->power_w[i] / picture->highest_w * rows;

		fputs(isnan(height) ? row ? " " : "·" : bar_upright(height - row), out);
	}
	fputc('\n', out);
}

static void put_times(FILE *out, const struct picture *picture)
{
	char cell[CELL_MAX];

	cell_scaled(cell, (double)(picture->span.end_ns - picture->span.begin_ns) / 1e9, "s");
	fprintf(out, "%*s0 s", LABEL, "");
	cell_put(out, cell, picture->columns - 3);
	fputc('\n', out);
}

static void put_title(FILE *out, const struct source *source, const struct picture *picture)
{
	char cell[CELL_MAX];

	cell_scaled(cell,
		(double)(picture->span.end_ns - picture->span.begin_ns) / 1e9 / picture->columns,
		"s");
	fputs("Power of ", out);
	text_put(out, source->device);
	fprintf(out, ", in means over %s\n", cell);
}

static void put_picture(FILE *out, const struct source *source, struct picture *picture, int rows)
{
	picture->highest_w = 0;
	set_powers(picture, source->curve);
	put_title(out, source, picture);
	for (int row = rows - 1; row >= 0; row--)
		put_row(out, picture, row, rows);
}

static bool has_picture(const struct source *source)
{
	return source->top_level && !source->estimated && !source->fills && source->curve->len;
}

void text_put_pictures(FILE *out, const struct ledger *ledger, int columns)
{
	struct picture picture = {.span = {G_MAXUINT64, 0}, .columns = columns - LABEL};
	guint count = 0;

	for (guint i = 0; i < ledger->sources->len; i++) {
		const struct source *source = &g_array_index(ledger->sources, struct source, i);

		if (!has_picture(source))
			continue;
		count++;
		picture.span.begin_ns = MIN(picture.span.begin_ns, source->span.begin_ns);
		picture.span.end_ns = MAX(picture.span.end_ns, source->span.end_ns);
	}
	if (columns < COLUMNS_MIN || picture.span.begin_ns >= picture.span.end_ns)
		return;
	picture.power_w = g_new(double, picture.columns);
	for (guint i = 0; i < ledger->sources->len; i++) {
		const struct source *source = &g_array_index(ledger->sources, struct source, i);

		if (has_picture(source))
			put_picture(out, source, &picture, count > MANY ? ROWS_OF_MANY : ROWS);
	}
	put_times(out, &picture);
	fputc('\n', out);
	g_free(picture.power_w);
}
