/* SPDX-License-Identifier: MIT */
#include "analyzer/view/text/text_picture.h"

#include <math.h>

#include "analyzer/model/curve.h"
#include "analyzer/model/hosts.h"
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
	const struct ledger *ledger;
	struct model_span span;
	int columns;
	double *power_w;
	double highest_w;
};

static const struct source *source_at(const struct ledger *ledger, guint i)
{
	return &g_array_index(ledger->sources, struct source, i);
}

static bool counts(const struct source *source)
{
	return source->top_level && !source->estimated && source->curve->len;
}

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

static void add_curve(const struct picture *picture, const struct source *source, double *energy_nj,
	double *time_ns)
{
	for (guint i = 0; i < source->curve->len; i++) {
		const struct curve_interval *interval =
			&g_array_index(source->curve, struct curve_interval, i);

		if (interval->begin_ns >= picture->span.begin_ns &&
			interval->end_ns > interval->begin_ns &&
			interval->end_ns <= picture->span.end_ns)
			add_interval(picture, interval, energy_nj, time_ns);
	}
}

/* Of all sources that measure the same: those of several recordings, and those that fill holes. */
static void set_powers(struct picture *picture, const struct source *source)
{
	double *energy_nj = g_new0(double, picture->columns);
	double *time_ns = g_new0(double, picture->columns);

	for (guint i = 0; i < picture->ledger->sources->len; i++) {
		const struct source *other = source_at(picture->ledger, i);

		if (counts(other) && source_measures_same(other, source))
			add_curve(picture, other, energy_nj, time_ns);
	}
	picture->highest_w = 0;
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
	char *place = hosts_place(picture->ledger->model, source->recording->host);
	char *device = g_strdup_printf("%s%s", source->device, place);
	char cell[CELL_MAX];

	cell_scaled(cell,
		(double)(picture->span.end_ns - picture->span.begin_ns) / 1e9 / picture->columns,
		"s");
	fputs("Power of ", out);
	text_put(out, device);
	fputs(", ", out);
	text_put(out, source->sensor->domain);
	fprintf(out, ", in means over %s\n", cell);
	g_free(device);
	g_free(place);
}

static void put_picture(FILE *out, const struct source *source, struct picture *picture, int rows)
{
	set_powers(picture, source);
	put_title(out, source, picture);
	for (int row = rows - 1; row >= 0; row--)
		put_row(out, picture, row, rows);
}

/* ---- which pictures ---- */

/* Whether two sources have something in common. */
typedef bool relation(const struct ledger *ledger, const struct source *a, const struct source *b);

static bool are_of_one_picture(
	const struct ledger *ledger, const struct source *a, const struct source *b)
{
	(void)ledger;
	return source_measures_same(a, b);
}

static bool are_on_one_axis(
	const struct ledger *ledger, const struct source *a, const struct source *b)
{
	return hosts_share_axis(ledger->model, a->recording->machine, b->recording->machine);
}

static bool has_picture(const struct source *source)
{
	return counts(source) && !source->fills;
}

/* Whether a source has a picture, and is the first of those that it has something in common with.
 */
static bool is_first(const struct ledger *ledger, guint i, relation *common)
{
	for (guint k = 0; k < i; k++)
		if (has_picture(source_at(ledger, k)) &&
			common(ledger, source_at(ledger, k), source_at(ledger, i)))
			return false;
	return has_picture(source_at(ledger, i));
}

/* Draws the pictures on the axis of a source. */
static void put_axis(
	FILE *out, const struct ledger *ledger, const struct source *source, int columns, int rows)
{
	struct picture picture = {
		.ledger = ledger, .span = {G_MAXUINT64, 0}, .columns = columns - LABEL};

	for (guint i = 0; i < ledger->sources->len; i++) {
		const struct source *other = source_at(ledger, i);

		if (!has_picture(other) || !are_on_one_axis(ledger, other, source))
			continue;
		picture.span.begin_ns = MIN(picture.span.begin_ns, other->span.begin_ns);
		picture.span.end_ns = MAX(picture.span.end_ns, other->span.end_ns);
	}
	if (picture.span.begin_ns >= picture.span.end_ns)
		return;
	picture.power_w = g_new(double, picture.columns);
	for (guint i = 0; i < ledger->sources->len; i++)
		if (is_first(ledger, i, are_of_one_picture) &&
			are_on_one_axis(ledger, source_at(ledger, i), source))
			put_picture(out, source_at(ledger, i), &picture, rows);
	put_times(out, &picture);
	fputc('\n', out);
	g_free(picture.power_w);
}

void text_put_pictures(FILE *out, const struct ledger *ledger, int columns)
{
	guint pictures = 0;

	if (columns < COLUMNS_MIN)
		return;
	for (guint i = 0; i < ledger->sources->len; i++)
		pictures += is_first(ledger, i, are_of_one_picture);
	for (guint i = 0; i < ledger->sources->len; i++)
		if (is_first(ledger, i, are_on_one_axis))
			put_axis(out, ledger, source_at(ledger, i), columns,
				pictures > MANY ? ROWS_OF_MANY : ROWS);
}
