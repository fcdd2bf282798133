/* SPDX-License-Identifier: MIT */
#include "analyzer/load/readings.h"

/* The longest glitch.  It bounds the search, too. */
#define GLITCH_READINGS 1000
/* No device draws so many times as much as it does in all but a few readings. */
#define IMPOSSIBLE 100

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct model_reading *x = a, *y = b;

	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

/* The sort that put equal timestamps together is stable: the last one was written last. */
static void keep_last_of_equal_stamps(GArray *readings)
{
	struct model_reading *reading = (void *)readings->data;
	guint kept = 0;

	for (guint i = 0; i < readings->len; i++) {
		if (i + 1 < readings->len && reading[i + 1].time_ns == reading[i].time_ns)
			continue;
		reading[kept++] = reading[i];
	}
	g_array_set_size(readings, kept);
}

/* Whether the counter jumps up between the readings first and last, in one step, by at least half
 * of what it falls by elsewhere: such a jump undoes the fall.  A counter that was reset comes back
 * to its old value too, but in many small steps. */
static bool jumps(const struct model_reading *reading, guint first, guint last, uint64_t fall)
{
	for (guint i = first; i < last; i++)
		if (reading[i + 1].value > reading[i].value &&
			reading[i + 1].value - reading[i].value >= fall / 2)
			return true;
	return false;
}

/* The counter falls from the reading `before` to the reading `fell`.  Returns the reading at which
 * it is back, so that those from fell on were too low; fell, where it does not come back. */
static guint end_of_dip(const struct model_reading *reading, guint len, guint before, guint fell)
{
	uint64_t fall = reading[before].value - reading[fell].value;
	guint end = fell + 1, until = MIN(len, fell + GLITCH_READINGS + 1);

	while (end < until && reading[end].value < reading[before].value)
		end++;
	return end < until && jumps(reading, fell, end, fall) ? end : fell;
}

/* The counter falls to the reading `fell`.  Returns how many of the readings before, of which
 * `kept` are kept so far, are not above it, so that those after were too high; kept, where they
 * were not. */
static guint start_of_spike(const struct model_reading *reading, guint kept, guint fell)
{
	uint64_t fall = reading[kept - 1].value - reading[fell].value;
	guint start = kept, least = kept - MIN(kept, GLITCH_READINGS);

	while (start > least && reading[start - 1].value > reading[fell].value)
		start--;
	return start > least && jumps(reading, start - 1, kept - 1, fall) ? start : kept;
}

static guint leave_out_glitches(GArray *readings)
{
	struct model_reading *reading = (void *)readings->data;
	guint len = readings->len, kept = 0;

	for (guint i = 0; i < len; i++) {
		if (kept && reading[i].value < reading[kept - 1].value) {
			guint back = end_of_dip(reading, len, kept - 1, i);

			if (back == i)
				kept = start_of_spike(reading, kept, i);
			i = back;
		}
		reading[kept++] = reading[i];
	}
	g_array_set_size(readings, kept);
	return len - kept;
}

static int by_value(gconstpointer a, gconstpointer b)
{
	const struct model_reading *x = a, *y = b;

	return x->value < y->value ? -1 : x->value > y->value;
}

/* Whether the highest reading is so many times as high as the lowest that is not 0.  Mostly it is
 * not, and nothing need be sorted. */
static bool may_be_impossible(const GArray *readings)
{
	const struct model_reading *reading = (const void *)readings->data;
	uint64_t lowest = UINT64_MAX, highest = 0;

	for (guint i = 0; i < readings->len; i++) {
		lowest = reading[i].value ? MIN(lowest, reading[i].value) : lowest;
		highest = MAX(highest, reading[i].value);
	}
	return highest / IMPOSSIBLE >= lowest;
}

/* The lowest of the powers that no device draws; UINT64_MAX, if there are none. */
static uint64_t lowest_impossible(const GArray *readings)
{
	GArray *sorted = g_array_copy((GArray *)readings);
	const struct model_reading *reading = (const void *)sorted->data;
	guint few = MAX(sorted->len / 100, 1), first = MAX(sorted->len, few + 1) - few;
	uint64_t lowest = UINT64_MAX;

	g_array_sort(sorted, by_value);
	for (guint i = first; i < sorted->len && lowest == UINT64_MAX; i++)
		if (reading[i - 1].value && reading[i].value / IMPOSSIBLE >= reading[i - 1].value)
			lowest = reading[i].value;
	g_array_free(sorted, TRUE);
	return lowest;
}

static guint leave_out_from(GArray *readings, uint64_t lowest)
{
	struct model_reading *reading = (void *)readings->data;
	guint len = readings->len, kept = 0;

	for (guint i = 0; i < len; i++)
		if (reading[i].value < lowest)
			reading[kept++] = reading[i];
	g_array_set_size(readings, kept);
	return len - kept;
}

static guint leave_out_impossible(GArray *readings)
{
	guint left_out = leave_out_from(readings, MODEL_IMPOSSIBLE_MW);

	if (may_be_impossible(readings))
		left_out += leave_out_from(readings, lowest_impossible(readings));
	return left_out;
}

void readings_tidy(struct model_sensor *sensor)
{
	g_array_sort(sensor->readings, by_time);
	keep_last_of_equal_stamps(sensor->readings);
	if (model_is_counter(sensor))
		sensor->glitches += leave_out_glitches(sensor->readings);
	else if (model_measures_power(sensor))
		sensor->glitches += leave_out_impossible(sensor->readings);
}
