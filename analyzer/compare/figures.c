/* SPDX-License-Identifier: MIT */
#include "analyzer/compare/figures.h"

#include <math.h>

const struct figure_about figure_about[FIGURES] = {
	[FIGURE_TIME] = {"time", "time_s", false},
	[FIGURE_POWER] = {"power", "power_w", true},
	[FIGURE_ENERGY] = {"energy", "energy_j", true},
	[FIGURE_EDP] = {"edp", "edp_js", true},
	[FIGURE_CYCLES] = {"cycles", "cycles", false},
	[FIGURE_CLOCK] = {"clock", "clock_hz", false},
	[FIGURE_BUSY] = {"busy", "busy", false},
};

void figures_complete(struct figures *figures)
{
	double *value = figures->value, *part95 = figures->part95;
	double time95 = isnan(part95[FIGURE_TIME]) ? 0 : part95[FIGURE_TIME];

	value[FIGURE_ENERGY] = value[FIGURE_POWER] * value[FIGURE_TIME];
	value[FIGURE_EDP] = value[FIGURE_ENERGY] * value[FIGURE_TIME];
	value[FIGURE_CYCLES] = value[FIGURE_TIME] * value[FIGURE_BUSY] * value[FIGURE_CLOCK];
	part95[FIGURE_ENERGY] = hypot(part95[FIGURE_POWER], time95);
	part95[FIGURE_EDP] = hypot(part95[FIGURE_POWER], 2 * time95);
	part95[FIGURE_CYCLES] =
		hypot(part95[FIGURE_TIME], hypot(part95[FIGURE_CLOCK], part95[FIGURE_BUSY]));
}

/* The mean of a member of runs, over those that know it; NaN where none does. */
static double mean_of(const GArray *runs, size_t offset)
{
	double sum = 0;
	guint count = 0;

	for (guint i = 0; i < runs->len; i++) {
		const struct figures *run = &g_array_index(runs, struct figures, i);
		double value = *(const double *)(const void *)((const char *)run + offset);

		sum += isnan(value) ? 0 : value;
		count += !isnan(value);
	}
	return count ? sum / count : NAN;
}

double figures_common95(enum figure figure, const GArray *runs)
{
	double squares = 0;
	guint count = 0;

	for (guint i = 0; figure_about[figure].from_sensor && i < runs->len; i++) {
		const struct figures *run = &g_array_index(runs, struct figures, i);
		double part95 = run->part95[FIGURE_POWER];

		if (isnan(run->value[figure]) || !isfinite(part95))
			continue;
		count++;
		squares += part95 * part95;
	}
	return count ? sqrt(squares / count) : 0;
}

struct figures figures_mean(const GArray *runs)
{
	struct figures mean = {.throttled = mean_of(runs, offsetof(struct figures, throttled)),
		.at_limit = mean_of(runs, offsetof(struct figures, at_limit))};

	for (int figure = 0; figure < FIGURES; figure++) {
		double common95 = figures_common95(figure, runs);
		double logarithms = 0, squares = 0;
		guint count = 0;

		for (guint i = 0; i < runs->len; i++) {
			const struct figures *run = &g_array_index(runs, struct figures, i);

			if (isnan(run->value[figure]))
				continue;
			count++;
			logarithms += log(run->value[figure]);
			squares += run->part95[figure] * run->part95[figure] - common95 * common95;
		}
		mean.value[figure] = count ? exp(logarithms / count) : NAN;
		mean.part95[figure] =
			count ? hypot(common95, sqrt(squares < 0 ? 0 : squares) / count) : NAN;
	}
	return mean;
}
