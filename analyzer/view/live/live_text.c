/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "analyzer/print/cell.h"
#include "analyzer/print/text.h"
#include "analyzer/view/live/live_view.h"

#define WIDTH 9
#define LINE_KERNELS 3

static const char *const orders[] = {"energy", "time", "executions", "name", NULL};

const char *live_order_name(size_t order)
{
	return order < LIVE_ORDERS ? orders[order] : NULL;
}

/* ---- order ---- */

/* Unknown energies are last. */
static int compare_energy(const struct live_kernel *a, const struct live_kernel *b)
{
	double x = isnan(a->joules) ? -1 : a->joules, y = isnan(b->joules) ? -1 : b->joules;

	return x < y ? 1 : x > y ? -1 : 0;
}

static int compare_number(uint64_t a, uint64_t b)
{
	return a < b ? 1 : a > b ? -1 : 0;
}

static int compare(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct live_kernel *x = a, *y = b;
	int result = 0;

	switch (*(const enum live_order *)data) {
	case LIVE_BY_ENERGY:
		result = compare_energy(x, y);
		break;
	case LIVE_BY_EXECUTIONS:
		result = compare_number(x->executions, y->executions);
		break;
	case LIVE_BY_NAME:
		result = strcmp(x->name, y->name);
		break;
	default:
		break;
	}
	if (!result)
		result = compare_number(x->time_ns, y->time_ns);
	return result ? result : strcmp(x->name, y->name);
}

/* The kernels in an order; their energy in all, NaN where none of it is known.  Freed with
 * g_array_unref. */
static GArray *ordered(const struct live *live, enum live_order order, double *joules)
{
	GArray *kernels = live_kernels(live);
	bool known = false;

	g_array_sort_with_data(kernels, compare, &order);
	*joules = 0;
	for (guint i = 0; i < kernels->len; i++) {
		double energy = g_array_index(kernels, struct live_kernel, i).joules;

		known |= !isnan(energy);
		*joules += isnan(energy) ? 0 : energy;
	}
	if (!known)
		*joules = NAN;
	return kernels;
}

/* ---- cells ---- */

static void put_cell(FILE *out, double value, const char *unit)
{
	char cell[CELL_MAX] = "-";

	if (isfinite(value))
		cell_scaled(cell, value, unit);
	cell_put(out, cell, WIDTH);
}

static void put_state(FILE *out, uint32_t value, const char *unit)
{
	char cell[CELL_MAX] = "-";

	if (value != PWRTRACE_UNKNOWN_U32)
		snprintf(cell, sizeof(cell), "%u %s", value, unit);
	cell_put(out, cell, WIDTH);
}

/* Seconds since a reading; NaN: there is none. */
static double age_s(const struct live *live, uint64_t time_ns)
{
	uint64_t now_ns = live_now_ns(live);

	return time_ns == PWRTRACE_UNKNOWN_U64 || !time_ns ? NAN
	       : now_ns < time_ns                          ? 0
							   : (double)(now_ns - time_ns) / 1e9;
}

/* ---- a frame ---- */

static void put_sensor(FILE *out, const struct live *live, const struct live_sensor *sensor)
{
	bool has_state = sensor->state.time_ns != PWRTRACE_UNKNOWN_U64;
	const struct pwrtrace_device_state *state = &sensor->state;
	bool has_reading = sensor->last_value != PWRTRACE_UNKNOWN_U64;

	put_cell(out, sensor->watts, "W");
	put_cell(out, has_reading ? age_s(live, sensor->time_ns) : NAN, "s");
	put_cell(out, has_reading ? sensor->joules : NAN, "J");
	put_state(out, has_state ? state->sm_clock_mhz : PWRTRACE_UNKNOWN_U32, "MHz");
	put_state(out, has_state ? state->temperature_c : PWRTRACE_UNKNOWN_U32, "°C");
	put_cell(out,
		has_state && state->limit_mw != PWRTRACE_UNKNOWN_U32 ? state->limit_mw / 1e3 : NAN,
		"W");
	fputs("  ", out);
	text_put(out, sensor->about.source);
	fputc(' ', out);
	text_put(out, sensor->about.device);
	if (*sensor->about.domain) {
		fputc(' ', out);
		text_put(out, sensor->about.domain);
	}
	if (strcmp(sensor->about.quantity, "model") == 0)
		fputs(" (no sensor: a report estimates it)", out);
	fputc('\n', out);
}

static void put_kernel(FILE *out, const struct live_kernel *kernel, double all)
{
	char cell[CELL_MAX] = "-";

	put_cell(out, kernel->joules, "J");
	if (!isnan(kernel->joules) && all > 0)
		cell_percent(cell, kernel->joules / all);
	cell_put(out, cell, WIDTH);
	put_cell(out, (double)kernel->time_ns / 1e9, "s");
	snprintf(cell, sizeof(cell), "%" G_GUINT64_FORMAT, kernel->executions);
	cell_put(out, cell, WIDTH + 3);
	fputs("  ", out);
	text_put(out, kernel->name);
	fputc('\n', out);
}

static void put_head(FILE *out, const struct live *live, bool goes_on)
{
	char length[CELL_MAX];

	cell_scaled(length, (double)live_length_ns(live) / 1e9, "s");
	text_put(out, *live_command(live) ? live_command(live) : "(not known yet)");
	fprintf(out, ": %s %s, ", goes_on ? "recording for" : "the recording ended after", length);
	text_put(out, live_directory(live));
	fputc('\n', out);
	if (live_discarded(live))
		fprintf(out, "%" G_GUINT64_FORMAT " events are lost: LTTng had no room\n",
			live_discarded(live));
}

void live_put_text(FILE *out, const struct live *live, enum live_order order, guint rows)
{
	const GPtrArray *sensors = live_sensors(live);
	double joules;
	GArray *kernels = ordered(live, order, &joules);
	bool goes_on = live_goes_on(live);

	put_head(out, live, goes_on);
	fputs("    POWER      AGE   ENERGY    CLOCK     TEMP    LIMIT  SENSOR\n", out);
	for (guint i = 0; i < sensors->len; i++)
		put_sensor(out, live, g_ptr_array_index(sensors, i));
	if (!sensors->len)
		fputs("        -  no sensor has been read yet\n", out);
	fprintf(out,
		"ESTIMATED    SHARE     TIME  EXECUTIONS  KERNEL (the last %d seconds%s, by %s)\n",
		LIVE_WINDOW_S, goes_on ? "" : " of it", live_order_name(order));
	for (guint i = 0; i < kernels->len && (!rows || i < rows); i++)
		put_kernel(out, &g_array_index(kernels, struct live_kernel, i), joules);
	if (!kernels->len)
		fputs("        -  nothing ran\n", out);
	g_array_unref(kernels);
}

/* ---- a line ---- */

static bool measures_same(const struct live_sensor *a, const struct live_sensor *b)
{
	return a->trace == b->trace && strcmp(a->about.source, b->about.source) == 0 &&
	       strcmp(a->about.device, b->about.device) == 0 &&
	       strcmp(a->about.domain, b->about.domain) == 0;
}

/* Whether the power of a sensor adds to the others': a part is in its whole, and of sensors of the
 * same thing (an NVIDIA GPU has a gauge and a counter) the first one is taken. */
static bool adds(const GPtrArray *sensors, guint index)
{
	const struct live_sensor *sensor = g_ptr_array_index(sensors, index);

	for (guint i = 0; i < index; i++) {
		const struct live_sensor *earlier = g_ptr_array_index(sensors, i);

		if (!isnan(earlier->watts) && measures_same(earlier, sensor))
			return false;
	}
	return !*sensor->about.part_of && !isnan(sensor->watts);
}

void live_put_line(FILE *out, const struct live *live)
{
	const GPtrArray *sensors = live_sensors(live);
	char cell[CELL_MAX];
	double watts = NAN, energy = 0, joules;
	GArray *kernels = ordered(live, LIVE_BY_ENERGY, &joules);

	for (guint i = 0; i < sensors->len; i++) {
		const struct live_sensor *sensor = g_ptr_array_index(sensors, i);

		if (!adds(sensors, i))
			continue;
		watts = (isnan(watts) ? 0 : watts) + sensor->watts;
		energy += sensor->joules;
	}
	cell_scaled(cell, (double)live_length_ns(live) / 1e9, "s");
	fprintf(out, "pwrtrace: %s", cell);
	if (isnan(watts)) {
		fputs(", no power is known", out);
	} else {
		cell_scaled(cell, watts, "W");
		fprintf(out, ", %s", cell);
		cell_scaled(cell, energy, "J");
		fprintf(out, ", %s", cell);
	}
	for (guint i = 0; i < kernels->len && i < LINE_KERNELS; i++) {
		const struct live_kernel *kernel = &g_array_index(kernels, struct live_kernel, i);

		fputs(i ? ", " : "; ", out);
		if (joules > 0 && !isnan(kernel->joules)) {
			cell_percent(cell, kernel->joules / joules);
			fprintf(out, "%s ", cell);
		}
		text_put(out, kernel->name);
	}
	g_array_unref(kernels);
}
