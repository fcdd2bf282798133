/* SPDX-License-Identifier: MIT */
#include "analyzer/ledger/collective_rows.h"

#include <math.h>

void collective_rows_add(struct ledger_row *row, const struct model_collective_run *run,
	const struct execution_energy *attributed)
{
	uint64_t time_ns = attributed->execution->end_ns - attributed->execution->begin_ns;

	if (run->waited_ns == PWRTRACE_UNKNOWN_U64 || !time_ns)
		return;
	row->meetings.executions++;
	row->meetings.time_ns += time_ns;
	row->meetings.waited_ns += run->waited_ns;
	row->meetings.waited_nj += (uint64_t)llround(
		(double)attributed->energy_nj * ((double)run->waited_ns / (double)time_ns));
}

/* The time that an execution takes without waiting, as far as that is known; NaN: its time is not.
 */
static double moving_ns(const struct ledger_row *row)
{
	const struct ledger_meetings *met = &row->meetings;

	if (met->time_ns > met->waited_ns)
		return (double)(met->time_ns - met->waited_ns) / (double)met->executions;
	return row->timed ? (double)row->time_ns / (double)row->timed : NAN;
}

static bool has_size(const struct ledger_row *row)
{
	return row->exchange && row->exchange->bytes &&
	       row->exchange->bytes != PWRTRACE_UNKNOWN_U64;
}

static double log_ratio(const struct ledger_row *row, const struct ledger_row *other)
{
	return log((double)other->exchange->bytes / (double)row->exchange->bytes);
}

/* The row of the same kind and ranks that is nearest in size, the smaller of two; or NULL. */
static const struct ledger_row *neighbour_of(
	const struct ledger *ledger, const struct ledger_row *row)
{
	const struct ledger_row *nearest = NULL;
	double least = INFINITY;

	for (guint i = 0; i < ledger->rows->len; i++) {
		const struct ledger_row *other = &g_array_index(ledger->rows, struct ledger_row, i);
		double far;

		if (!has_size(other) || other->exchange->bytes == row->exchange->bytes ||
			other->exchange->kind != row->exchange->kind ||
			other->exchange->ranks != row->exchange->ranks)
			continue;
		far = fabs(log_ratio(row, other));
		if (far < least ||
			(far == least && other->exchange->bytes < row->exchange->bytes)) {
			nearest = other;
			least = far;
		}
	}
	return nearest;
}

void collective_rows_finish(struct ledger *ledger)
{
	if (!ledger_by_collective(ledger))
		return;
	for (guint i = 0; i < ledger->rows->len; i++) {
		struct ledger_row *row = &g_array_index(ledger->rows, struct ledger_row, i);
		const struct ledger_row *other = has_size(row) ? neighbour_of(ledger, row) : NULL;

		if (other)
			row->slope = log(moving_ns(other) / moving_ns(row)) / log_ratio(row, other);
	}
}
