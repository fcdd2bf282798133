/* SPDX-License-Identifier: MIT */
#include "analyzer/regress/utilization/counted.h"

#include <string.h>

#include "analyzer/model/curve.h"

#define LONGEST 8      /* a block may take so many times its length, which no pause fits into */
#define BLOCKS_MAX 200 /* more take time and tell little */

static const char *const domains[PWRTRACE_PARTS] = {
#define PART(word, domain, ...) [PWRTRACE_PART_##word] = domain,
#include "pwrtrace/parts.def"
#undef PART
};

/* The one device that a source covers, NULL if there are several. */
static const struct model_gpu *only_gpu(const struct model *model, const struct source *source)
{
	const struct model_gpu *only = NULL;

	for (guint i = 0; i < model->gpus->len; i++) {
		const struct model_gpu *gpu = &g_array_index(model->gpus, struct model_gpu, i);

		if (!source->covers[i])
			continue;
		/* Processes have a device each of the same UUID. */
		if (only && strcmp(only->uuid, gpu->uuid) != 0)
			return NULL;
		only = gpu;
	}
	return only;
}

static const struct model_sensor *counter_of(const struct model *model, const struct source *source,
	const struct model_gpu *gpu, enum pwrtrace_part part)
{
	for (guint i = 0; i < model->sensors->len; i++) {
		const struct model_sensor *sensor =
			&g_array_index(model->sensors, struct model_sensor, i);

		if (strcmp(sensor->quantity, "busy") == 0 &&
			strcmp(sensor->domain, domains[part]) == 0 &&
			source_recording(model, sensor->trace, sensor->process_number) ==
				source->recording &&
			source_measures(source->recording, sensor, gpu))
			return sensor;
	}
	return NULL;
}

static bool is_interval(
	const struct model_reading *since, uint64_t period_ns, const struct model_span *span)
{
	uint64_t length_ns = since[1].time_ns - since->time_ns;

	/* Where counting began anew the value falls. */
	return length_ns >= period_ns / 2 && length_ns <= period_ns * 3 / 2 &&
	       since[1].value >= since->value && since[1].value - since->value <= 2 * length_ns &&
	       since->time_ns >= span->begin_ns && since[1].time_ns <= span->end_ns;
}

/* All intervals between two readings of a counter (struct power_reading, with a share in place of
 * the power).  The caller frees the array. */
static GArray *intervals_of(const struct model_sensor *sensor, const struct model_span *span)
{
	GArray *intervals = g_array_new(FALSE, FALSE, sizeof(struct power_reading));
	uint64_t period_ns = curve_period_ns(sensor);

	for (guint i = 1; i < sensor->readings->len; i++) {
		const struct model_reading *since =
			&g_array_index(sensor->readings, struct model_reading, i - 1);
		double length_ns = (double)(since[1].time_ns - since->time_ns);
		const struct power_reading interval = {(double)since[1].time_ns,
			(double)since->time_ns, length_ns,
			(double)(since[1].value - since->value) / length_ns};

		if (is_interval(since, period_ns, span))
			g_array_append_val(intervals, interval);
	}
	return intervals;
}

/* Keeps those of the intervals that others have as well, in both. */
static void keep_common(GArray *intervals, GArray *others)
{
	struct power_reading *a = (void *)intervals->data, *b = (void *)others->data;
	guint kept = 0;

	for (guint i = 0, k = 0; i < intervals->len && k < others->len;) {
		if (a[i].time_ns < b[k].time_ns) {
			i++;
		} else if (a[i].time_ns > b[k].time_ns) {
			k++;
		} else {
			a[kept] = a[i++];
			b[kept++] = b[k++];
		}
	}
	g_array_set_size(intervals, kept);
	g_array_set_size(others, kept);
}

/* Whether any execution of a class ran in a block from an interval on. */
static bool is_busy(const struct columns *columns, const GArray *intervals, guint first)
{
	double begin_ns = g_array_index(intervals, struct power_reading, first).since_ns;
	double end_ns =
		g_array_index(intervals, struct power_reading, first + COUNTED_BLOCK - 1).time_ns;

	for (guint i = columns_from(columns, begin_ns); i < columns->model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(columns->model, i);

		if ((double)execution->begin_ns > end_ns)
			return false;
		if ((double)execution->end_ns > begin_ns &&
			columns_find(columns, execution) != COLUMNS_NONE)
			return true;
	}
	return false;
}

/* Whether the intervals of a block from one on follow each other, though some may have been lost,
 * and no pause of the recorder's lies between them. */
static bool is_block(const GArray *intervals, guint first)
{
	const struct power_reading *begin = &g_array_index(intervals, struct power_reading, first);
	const struct power_reading *last = begin + COUNTED_BLOCK - 1;

	return last->time_ns - begin->since_ns <
	       LONGEST * COUNTED_BLOCK * (begin->time_ns - begin->since_ns);
}

/* The first interval of each block that is used (guint).  The caller frees the array. */
static GArray *blocks_of(const struct columns *columns, const GArray *intervals)
{
	GArray *busy = g_array_new(FALSE, FALSE, sizeof(guint)), *used;

	for (guint i = 0, step; i + COUNTED_BLOCK <= intervals->len; i += step) {
		step = is_block(intervals, i) ? COUNTED_BLOCK : 1;
		if (step > 1 && is_busy(columns, intervals, i))
			g_array_append_val(busy, i);
	}
	if (busy->len <= BLOCKS_MAX)
		return busy;
	used = g_array_sized_new(FALSE, FALSE, sizeof(guint), BLOCKS_MAX);
	for (guint i = 0; i < BLOCKS_MAX; i++)
		g_array_append_val(used,
			g_array_index(busy, guint, (guint)((uint64_t)i * busy->len / BLOCKS_MAX)));
	g_array_free(busy, TRUE);
	return used;
}

static void add_part(
	struct counted *counted, int part, const GArray *intervals, const GArray *blocks)
{
	counted->share[part] = g_new(double, counted->rows + 1);
	for (guint row = 0; row < counted->rows; row++) {
		guint from = g_array_index(blocks, guint, row / COUNTED_BLOCK);

		counted->times[row] =
			g_array_index(intervals, struct power_reading, from + row % COUNTED_BLOCK);
		counted->share[part][row] = counted->times[row].power_w;
	}
}

void counted_clear(struct counted *counted)
{
	for (int part = 0; part < PWRTRACE_PARTS; part++)
		g_free(counted->share[part]);
	g_free(counted->times);
}

struct counted counted_of(
	const struct model *model, const struct source *source, const struct columns *columns)
{
	const struct model_gpu *gpu = only_gpu(model, source);
	GArray *of_part[PWRTRACE_PARTS] = {NULL}, *first = NULL;
	struct counted counted = {.rows = 0};

	for (int part = 0; gpu && part < PWRTRACE_PARTS; part++) {
		const struct model_sensor *sensor = counter_of(model, source, gpu, part);

		of_part[part] = sensor ? intervals_of(sensor, &source->span) : NULL;
		if (of_part[part] && first)
			keep_common(of_part[part], first);
		first = first ? first : of_part[part];
	}
	/* Those before may have lost some to later ones. */
	for (int part = 0; first && part < PWRTRACE_PARTS; part++)
		if (of_part[part] && of_part[part] != first)
			keep_common(of_part[part], first);
	if (first) {
		GArray *blocks = blocks_of(columns, first);

		counted.uuid = gpu->uuid;
		counted.rows = blocks->len * COUNTED_BLOCK;
		counted.times = g_new(struct power_reading, counted.rows + 1);
		for (int part = 0; part < PWRTRACE_PARTS; part++)
			if (of_part[part])
				add_part(&counted, part, of_part[part], blocks);
		g_array_free(blocks, TRUE);
	}
	for (int part = 0; part < PWRTRACE_PARTS; part++)
		if (of_part[part])
			g_array_free(of_part[part], TRUE);
	return counted;
}
