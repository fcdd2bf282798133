/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "analyzer/live/work.h"
#include "analyzer/model/source.h"

static bool matches(const struct live_device *device, const struct live_sensor *sensor)
{
	const struct model_gpu gpu = {.kind = device->kind,
		.name = device->name,
		.uuid = device->uuid,
		.pci = device->pci,
		.ordinal = device->number - 1};

	return source_names(sensor->about.device, sensor->about.pci, &gpu);
}

/* The index of the sensor that tells of a device; sensors->len: none does.  A single device and a
 * single sensor belong together, whatever their names are. */
static guint sensor_for(
	const GPtrArray *sensors, const struct live_process *process, uint32_t number)
{
	const struct live_device *device =
		g_hash_table_lookup(process->devices, GUINT_TO_POINTER(number));
	guint alone = sensors->len, candidates = 0;

	for (guint i = 0; device && i < sensors->len; i++) {
		const struct live_sensor *sensor = g_ptr_array_index(sensors, i);

		if (*sensor->about.part_of || !isfinite(sensor->lowest_w))
			continue;
		if (matches(device, sensor))
			return i;
		alone = i;
		candidates++;
	}
	return candidates == 1 && g_hash_table_size(process->devices) == 1 ? alone : sensors->len;
}

struct sums {
	GHashTable *rows; /* by name (struct live_kernel) */
	const GPtrArray *sensors;
	uint64_t begin, end;
	uint64_t *busy_ns; /* by sensor and second; the last sensor is none */
};

static uint64_t *busy_at(const struct sums *sums, guint sensor, uint64_t number)
{
	return &sums->busy_ns[sensor * (sums->end - sums->begin) + number - sums->begin];
}

typedef void visit(struct sums *sums, const char *name, const struct live_work *work, guint sensor);

static void visit_all(struct sums *sums, GHashTable *processes, visit *each)
{
	GHashTableIter at, streams, names;
	gpointer process, stream, name, work;

	g_hash_table_iter_init(&at, processes);
	while (g_hash_table_iter_next(&at, NULL, &process)) {
		g_hash_table_iter_init(&streams, ((struct live_process *)process)->streams);
		while (g_hash_table_iter_next(&streams, NULL, &stream)) {
			const struct live_stream *of = stream;
			guint sensor = sensor_for(sums->sensors, process, of->device);

			g_hash_table_iter_init(&names, of->work);
			while (g_hash_table_iter_next(&names, &name, &work))
				each(sums, name, work, sensor);
		}
	}
}

static void add_busy(
	struct sums *sums, const char *name, const struct live_work *work, guint sensor)
{
	(void)name;
	for (uint64_t number = sums->begin; number < sums->end; number++) {
		const struct live_second *second = live_second_of(work->seconds, number);

		if (second)
			*busy_at(sums, sensor, number) += second->known_ns;
	}
}

/* What a sensor measured above its lowest power in a second; NaN: not known. */
static double above_lowest(const struct sums *sums, guint index, uint64_t number)
{
	const struct live_sensor *sensor;
	const struct live_second *second;

	if (index == sums->sensors->len)
		return NAN;
	sensor = g_ptr_array_index(sums->sensors, index);
	second = live_second_of(sensor->seconds, number);
	if (!second)
		return NAN;
	return fmax(0, second->joules - sensor->lowest_w * (double)second->known_ns / 1e9);
}

static void add_row(struct sums *sums, const char *name, const struct live_work *work, guint sensor)
{
	struct live_kernel *row = NULL;

	for (uint64_t number = sums->begin; number < sums->end; number++) {
		const struct live_second *second = live_second_of(work->seconds, number);

		if (!second || (!second->known_ns && !second->executions))
			continue;
		if (!row)
			row = g_hash_table_lookup(sums->rows, name);
		if (!row) {
			row = g_new0(struct live_kernel, 1);
			row->name = name;
			g_hash_table_insert(sums->rows, (gpointer)name, row);
		}
		row->time_ns += second->known_ns;
		row->executions += second->executions;
		if (second->known_ns)
			row->joules += above_lowest(sums, sensor, number) *
				       (double)second->known_ns /
				       (double)*busy_at(sums, sensor, number);
	}
}

GArray *live_kernels_of(
	GHashTable *processes, const GPtrArray *sensors, uint64_t begin, uint64_t end)
{
	struct sums sums = {g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free), sensors,
		begin, end, g_new0(uint64_t, (sensors->len + 1) * (end - begin) + 1)};
	GArray *kernels = g_array_new(FALSE, FALSE, sizeof(struct live_kernel));
	GHashTableIter rows;
	gpointer row;

	visit_all(&sums, processes, add_busy);
	visit_all(&sums, processes, add_row);
	g_hash_table_iter_init(&rows, sums.rows);
	while (g_hash_table_iter_next(&rows, NULL, &row))
		g_array_append_vals(kernels, row, 1);
	g_hash_table_unref(sums.rows);
	g_free(sums.busy_ns);
	return kernels;
}
