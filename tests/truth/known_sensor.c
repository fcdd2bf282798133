/* SPDX-License-Identifier: MIT */
/* What a sensor says of a made-up run. */
#include <math.h>

#include "tests/truth/known_truth.h"

#define NS_PER_S 1e9
#define TAIL_POINTS 256
#define STANDS_EVERY_NS (10 * NS_PER_S)

double truth_energy_until(const struct truth *truth, double time_ns)
{
	size_t low = 0, high = truth->edge_count;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (truth->edge_ns[middle] <= time_ns)
			low = middle;
		else
			high = middle;
	}
	return truth->energy_j[low] +
	       truth->power_w[low] * (time_ns - truth->edge_ns[low]) / NS_PER_S;
}

double truth_reading(struct truth *truth, const struct truth_sensor *sensor, double time_ns)
{
	unsigned points = sensor->tail_ns > 0 ? TAIL_POINTS : 1;
	double sum = 0, window_s = sensor->window_ns / NS_PER_S;

	for (unsigned i = 0; i < points; i++) {
		double late_ns = -sensor->tail_ns * log(1 - (i + 0.5) / points);
		double until_ns = time_ns - sensor->lag_ns - (points > 1 ? late_ns : 0);

		sum += truth_energy_until(truth, until_ns);
		if (!sensor->counter)
			sum -= truth_energy_until(truth, until_ns - sensor->window_ns);
	}
	sum *= sensor->gain / points;
	if (sensor->counter)
		return sum;
	sum /= window_s;
	sum += (sensor->noise_w + sensor->noise_part * sum) * truth_normal(truth);
	return sensor->ceiling_w > 0 ? fmin(sum, sensor->ceiling_w) : sum;
}

struct truth_update truth_update(
	struct truth *truth, const struct truth_sensor *sensor, double due_ns)
{
	double time_ns = due_ns + sensor->jitter_ns * truth_uniform(truth);
	bool stands = fmod(due_ns, STANDS_EVERY_NS) < sensor->stands_ns && truth->shown > 0;

	if (!stands)
		truth->shown = fmax(0, truth_reading(truth, sensor, time_ns));
	return (struct truth_update){time_ns, truth->shown};
}
