/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/remembered.h"

#include <math.h>
#include <string.h>

#include "analyzer/model/boards.h"
#include "analyzer/numeric/solve.h"

#define FREEDOM 4.      /* of Student's t: data alone move products by 40 % now and then */
#define SHARED 0.5      /* of a difference's variance, what any other recording would show too */
#define DOUBT_MOVES 1.1 /* ratio: less changes no power by much */

struct remembered *remembered_new(size_t columns, size_t rows)
{
	struct remembered *remembered = g_new0(struct remembered, 1);

	remembered->columns = columns;
	remembered->column = g_new0(struct remembered_column, columns + 1);
	for (size_t i = 0; i < columns; i++)
		remembered->column[i].expected_w = remembered->column[i].expected_deviation_w =
			remembered->column[i].conflict = NAN;
	remembered->recordings = g_array_new(FALSE, FALSE, sizeof(struct remembered_recording));
	remembered->rows = rows;
	remembered->part = g_new0(double, rows *columns + 1);
	remembered->sum = g_new0(double, rows + 1);
	remembered->recording = g_new0(guint, rows + 1);
	remembered->noise = g_new0(double, rows *rows + 1);
	for (size_t i = 0; i < rows; i++)
		remembered->noise[i * rows + i] = 1;
	remembered->precision = g_new0(double, columns *columns + 1);
	remembered->right = g_new0(double, columns + 1);
	return remembered;
}

void remembered_free(struct remembered *remembered)
{
	if (!remembered)
		return;
	for (guint i = 0; i < remembered->recordings->len; i++)
		g_free(g_array_index(remembered->recordings, struct remembered_recording, i)
				.seen_w);
	g_array_free(remembered->recordings, TRUE);
	g_free(remembered->column);
	g_free(remembered->part);
	g_free(remembered->sum);
	g_free(remembered->recording);
	g_free(remembered->noise);
	g_free(remembered->moves);
	g_free(remembered->weights);
	g_free(remembered->precision);
	g_free(remembered->right);
	g_free(remembered);
}

guint remembered_add_recording(struct remembered *remembered, guint board)
{
	const struct remembered_recording recording = {
		board, g_new0(double, remembered->columns + 1)};

	g_array_append_val(remembered->recordings, recording);
	return remembered->recordings->len - 1;
}

static const struct remembered_recording *recording_of(
	const struct remembered *remembered, size_t row)
{
	return &g_array_index(
		remembered->recordings, struct remembered_recording, remembered->recording[row]);
}

static void set_moves(struct remembered *remembered)
{
	size_t rows = remembered->rows, columns = remembered->columns;

	remembered->moves = g_new(double, rows *columns + 1);
	remembered->weights = g_new(double, rows *rows + 1);
	for (size_t row = 0; row < rows; row++)
		for (size_t i = 0; i < columns; i++)
			remembered->moves[row * columns + i] =
				remembered->part[row * columns + i] *
				recording_of(remembered, row)->seen_w[i] *
				remembered->column[i].spread;
}

/* The part of a difference's variance that two measurements have in common. */
static double common_part(const struct remembered *remembered, size_t a, size_t b)
{
	return remembered->recording[a] == remembered->recording[b] ? 1 : SHARED;
}

/* The variance of the gain that two measurements have in common: boards differ from that of the
 * fit, which differs from all of them. */
static double common_gain(const struct remembered *remembered, size_t a, size_t b)
{
	guint x = recording_of(remembered, a)->board, y = recording_of(remembered, b)->board;

	return !x || !y ? 0 : BOARDS_DIFFER * BOARDS_DIFFER * (x == y ? 1 : SHARED);
}

/* Sets weights to the inverse of the measurements' covariance about the fit's own powers. */
static void set_weights(struct remembered *remembered)
{
	size_t rows = remembered->rows, columns = remembered->columns;
	const double *moves = remembered->moves;
	double *weights = remembered->weights, *gain = g_new0(double, rows + 1);

	memcpy(weights, remembered->noise, rows * rows * sizeof(*weights));
	for (size_t row = 0; row < rows; row++)
		for (size_t i = 0; i < columns; i++)
			gain[row] += remembered->part[row * columns + i] *
				     recording_of(remembered, row)->seen_w[i];
	for (size_t a = 0; a < rows; a++)
		for (size_t b = a; b < rows; b++) {
			double sum = 0;

			for (size_t i = 0; i < columns; i++)
				sum += moves[a * columns + i] * moves[b * columns + i] *
				       remembered->column[i].doubt;
			weights[a * rows + b] += common_part(remembered, a, b) * sum +
						 common_gain(remembered, a, b) * gain[a] * gain[b];
		}
	if (!solve_invert(rows, weights))
		memset(weights, 0, rows * rows * sizeof(*weights));
	g_free(gain);
}

/* Sets what is added to normal equations, by the present doubts: part' weights part. */
static void settle(struct remembered *remembered)
{
	size_t rows = remembered->rows, columns = remembered->columns;
	double *line = g_new(double, columns + 1);

	set_weights(remembered);
	memset(remembered->precision, 0, columns * columns * sizeof(double));
	memset(remembered->right, 0, columns * sizeof(double));
	for (size_t a = 0; a < rows; a++) {
		double sum = 0;

		memset(line, 0, columns * sizeof(*line));
		for (size_t b = 0; b < rows; b++) {
			double weight = remembered->weights[a * rows + b];

			sum += weight * remembered->sum[b];
			for (size_t i = 0; i < columns; i++)
				line[i] += weight * remembered->part[b * columns + i];
		}
		for (size_t i = 0; i < columns; i++) {
			double part = remembered->part[a * columns + i];

			remembered->right[i] += part * sum;
			for (size_t k = 0; fabs(part) > 0 && k < columns; k++)
				remembered->precision[i * columns + k] += part * line[k];
		}
	}
	g_free(line);
}

void remembered_begin(struct remembered *remembered)
{
	bool settled = remembered && remembered->moves;

	if (!remembered || !remembered->rows)
		return;
	for (size_t i = 0; i < remembered->columns; i++) {
		settled &= remembered->column[i].doubt <= 1;
		remembered->column[i].doubt = 1;
	}
	if (settled)
		return;
	if (!remembered->moves)
		set_moves(remembered);
	settle(remembered);
}

/* What each measurement is off, multiplied by the weights.  g_free it. */
static double *pulls_of(const struct remembered *remembered, const double *power_w)
{
	size_t rows = remembered->rows, columns = remembered->columns;
	double *pull = g_new0(double, rows + 1);

	for (size_t b = 0; b < rows; b++) {
		double off = -remembered->sum[b];

		for (size_t i = 0; i < columns; i++)
			off += remembered->part[b * columns + i] * power_w[i];
		for (size_t a = 0; a < rows; a++)
			pull[a] += remembered->weights[a * rows + b] * off;
	}
	return pull;
}

/* By how many standard deviations a column's power differs from that in the recording where it
 * differs most. */
static double difference_of(const struct remembered *remembered, const double *pull, size_t column)
{
	double most = 0;

	for (guint recording = 0; recording < remembered->recordings->len; recording++) {
		double sum = 0;

		for (size_t row = 0; row < remembered->rows; row++)
			sum += remembered->moves[row * remembered->columns + column] * pull[row] *
			       (remembered->recording[row] == recording ? 1 : SHARED);
		most = MAX(most, fabs(sum));
	}
	return remembered->column[column].doubt * most;
}

bool remembered_weigh(struct remembered *remembered, const double *power_w)
{
	bool moved = false;
	double *pull;

	if (!remembered || !remembered->rows)
		return false;
	pull = pulls_of(remembered, power_w);
	for (size_t i = 0; i < remembered->columns; i++) {
		double difference = difference_of(remembered, pull, i);
		double before = remembered->column[i].doubt,
		       doubt = MAX((FREEDOM + difference * difference) / (FREEDOM + 1), 1);

		remembered->column[i].doubt = doubt;
		moved |= doubt > DOUBT_MOVES * before || before > DOUBT_MOVES * doubt;
	}
	if (moved)
		settle(remembered);
	g_free(pull);
	return moved;
}

void remembered_add(const struct remembered *remembered, double *matrix, size_t n, double *right)
{
	size_t columns = remembered ? remembered->columns : 0;

	for (size_t i = 0; i < columns; i++) {
		for (size_t k = i; k < columns; k++)
			matrix[i * n + k] += remembered->precision[i * columns + k];
		if (right)
			right[i] += remembered->right[i];
	}
}

double remembered_square(const struct remembered *remembered, const double *line)
{
	size_t columns = remembered ? remembered->columns : 0;
	double sum = 0;

	for (size_t i = 0; i < columns; i++) {
		double part = 0;

		for (size_t k = 0; k < columns; k++)
			part += remembered->precision[i * columns + k] * line[k];
		sum += line[i] * part;
	}
	return sum;
}

double remembered_part(const struct remembered *remembered, const double *time_ns)
{
	double all_ns = 0, known_ns = 0;

	for (size_t i = 0; remembered && i < remembered->columns; i++) {
		all_ns += time_ns[i];
		known_ns += remembered->column[i].as == REMEMBERED_SAME ? time_ns[i] : 0;
	}
	return all_ns > 0 ? known_ns / all_ns : 0;
}

void remembered_compare(struct remembered *remembered, const double *power_w,
	const double *covariance, size_t n, const struct class_prior *prior)
{
	size_t columns = remembered ? remembered->columns : 0;
	double *expected, *right;

	if (!columns || !remembered->rows)
		return;
	remembered_begin(remembered);
	expected = g_memdup2(remembered->precision, columns * columns * sizeof(double));
	right = g_memdup2(remembered->right, columns * sizeof(double));
	for (size_t i = 0; i < columns; i++) {
		expected[i * columns + i] += prior[i].precision;
		right[i] += prior[i].precision * prior[i].mean_w;
	}
	if (solve_invert(columns, expected))
		for (size_t i = 0; i < columns; i++) {
			struct remembered_column *column = &remembered->column[i];
			double sum_w = 0;

			for (size_t k = 0; k < columns; k++)
				sum_w += expected[i * columns + k] * right[k];
			if (column->as == REMEMBERED_NOT)
				continue;
			column->expected_w = sum_w;
			column->expected_deviation_w = sqrt(expected[i * columns + i]);
			column->conflict = (power_w[i] - sum_w) /
					   sqrt(expected[i * columns + i] + covariance[i * n + i]);
		}
	g_free(expected);
	g_free(right);
}

struct remembered_summary remembered_summarize(const struct remembered *remembered)
{
	struct remembered_summary summary = {.same = 0};
	double most = REMEMBERED_CONFLICT;

	for (guint i = 0; i < remembered->columns; i++) {
		const struct remembered_column *column = &remembered->column[i];

		summary.same += column->as == REMEMBERED_SAME;
		summary.other_shape += column->as == REMEMBERED_OTHER_SHAPE;
		summary.conflicts += remembered_is_contradicted(column);
		if (fabs(column->conflict) > most) {
			most = fabs(column->conflict);
			summary.worst = i;
		}
	}
	for (guint i = 0; i < remembered->recordings->len; i++) {
		guint board =
			g_array_index(remembered->recordings, struct remembered_recording, i).board;

		summary.same_board |= board == 0;
		summary.other_board |= board != 0;
	}
	return summary;
}
