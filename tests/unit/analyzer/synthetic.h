/* SPDX-License-Identifier: MIT */
/* Sensors of known character: a load of two levels, and what they say of it, computed step by step
 * in time and so by other means than the code that is tested. */
#ifndef PWRTRACE_TESTS_SYNTHETIC_H
#define PWRTRACE_TESTS_SYNTHETIC_H

#include <glib.h>
#include <math.h>

#include "analyzer/response/calibration/calibrate.h"
#include "analyzer/response/calibration/load.h"
#include "tests/unit/unit.h"

#define FINE_S 1e-4

struct synthetic {
	double period_s;
	double delay_s, window_s, tail_s;
	double idle_w, step_w, noise_w, timing_s;
	bool counter;
	double length_s; /* of the load; 0: 12 s */
};

static inline double synthetic_normal(GRand *random)
{
	return sqrt(-2 * log(1 - g_rand_double(random))) * cos(2 * G_PI * g_rand_double(random));
}

/* Three long pulses for the levels, then dwells of 0.05 to 1.5 periods. */
static inline struct load *synthetic_load(const struct synthetic *synthetic, GRand *random)
{
	double length_s = synthetic->length_s > 0 ? synthetic->length_s : 12, time_s = 0;
	struct load *load = load_new(0);

	for (int i = 0; time_s < length_s; i++) {
		double on_s = 0.5, off_s = 0.5;

		if (i >= 3) {
			on_s = synthetic->period_s *
			       exp(g_rand_double_range(random, log(0.05), log(1.5)));
			off_s = synthetic->period_s *
				exp(g_rand_double_range(random, log(0.05), log(1.5)));
		}
		load_add(load, true, (uint64_t)(time_s * 1e9), (uint64_t)((time_s + on_s) * 1e9));
		time_s += on_s + off_s;
	}
	load_finish(load, 0);
	return load;
}

/* The energy that the filter has let through, per watt of step, at every fine step from -3 s on. */
#define SYNTHETIC_FROM_S (-3.0)

static inline GArray *synthetic_energy(const struct synthetic *synthetic, const struct load *load)
{
	GArray *energy = g_array_new(FALSE, FALSE, sizeof(double));
	double keep = synthetic->tail_s > 0 ? exp(-FINE_S / synthetic->tail_s) : 0;
	double level = 0, sum = 0, length_s = synthetic->length_s > 0 ? synthetic->length_s : 12;
	guint span = 0;

	for (double time_s = SYNTHETIC_FROM_S; time_s < length_s + 3; time_s += FINE_S) {
		bool on;

		while (span + 1 < load->on->len &&
			time_s > g_array_index(load->on, struct load_span, span).end_s)
			span++;
		on = time_s >= g_array_index(load->on, struct load_span, span).begin_s &&
		     time_s < g_array_index(load->on, struct load_span, span).end_s;
		level = keep * level + (1 - keep) * on;
		sum += level * FINE_S;
		g_array_append_val(energy, sum);
	}
	return energy;
}

static inline double synthetic_energy_at(const GArray *energy, double time_s)
{
	double place = (time_s - SYNTHETIC_FROM_S) / FINE_S - 1;
	guint below = (guint)place;
	double a = g_array_index(energy, double, below),
	       b = g_array_index(energy, double, below + 1);

	return a + (place - below) * (b - a);
}

/* What the sensor says of the load, from before it to after it. */
static inline GArray *synthetic_observations(
	const struct synthetic *synthetic, const struct load *load, GRand *random)
{
	GArray *observations = g_array_new(FALSE, FALSE, sizeof(struct load_observation));
	GArray *energy = synthetic_energy(synthetic, load);
	double window_s =
		synthetic->counter ? synthetic->period_s : MAX(synthetic->window_s, FINE_S);
	double end_s = synthetic->length_s > 0 ? synthetic->length_s : 12;
	double time_s = -synthetic->period_s * g_rand_double(random);

	for (; time_s < end_s; time_s += synthetic->period_s) {
		double at_s = time_s - synthetic->delay_s +
			      synthetic->timing_s * synthetic_normal(random);
		double level = (synthetic_energy_at(energy, at_s) -
				       synthetic_energy_at(energy, at_s - window_s)) /
			       window_s;
		struct load_observation observation = {time_s,
			synthetic->counter ? synthetic->period_s : 0,
			synthetic->idle_w + synthetic->step_w * level +
				synthetic->noise_w * synthetic_normal(random)};

		g_array_append_val(observations, observation);
	}
	g_array_free(energy, TRUE);
	return observations;
}

#endif
