/* SPDX-License-Identifier: MIT */
/*
 * Made-up runs whose true energies are known: what ran when at what power, and what a sensor with a
 * chosen response says of it.  One seed gives one run.  Times are nanoseconds from the run's begin.
 */
#ifndef PWRTRACE_TESTS_KNOWN_TRUTH_H
#define PWRTRACE_TESTS_KNOWN_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kernel or a copy.  An execution takes duration_ns, varied by a hundredth, and draws dynamic_w
 * above what the device always draws, varied by variation. */
struct truth_class {
	char name[32];
	bool copy;
	double duration_ns, dynamic_w, variation;
	uint64_t executions;
	double time_s, static_j, dynamic_j;
};

struct truth_execution {
	double begin_ns, end_ns;
	uint32_t class_index, stream;
	double dynamic_w;
};

/* How the program runs its classes. */
struct truth_scenario {
	const char *name;
	const char *help;
	double dwell_ms[2]; /* one class runs so long without another, log-uniform */
	double loop_ms;     /* the same sequence over and over; 0: each is drawn anew */
	double phase_ms;    /* a phase uses a part of the classes; 0: no phases */
	double idle_ms[2];  /* length of an idle stretch, log-uniform */
	double idle_part;   /* the chance of one after each dwell */
	double cold;        /* power after an idle stretch, as a part of the steady power */
	double memory;      /* how much of the power of what ran just before stays */
	double limit_w;     /* of the device, which lowers its clock for it; 0: none */
	unsigned streams;
	bool pairs;      /* the second class always follows the first */
	bool in_turns;   /* each class alone, after the other */
	bool replicates; /* in a loop, executions vary as they did the time before */
};

struct truth_options {
	const struct truth_scenario *scenario;
	uint64_t seed;
	double seconds, static_w;
	double shortest_us, longest_us;
	double variation;
	double rise; /* how far power follows duration: 0 not at all, 1 wholly */
	unsigned classes, copies;
};

struct truth {
	struct truth_options options;
	struct truth_class *classes;
	struct truth_execution *executions; /* by begin_ns */
	size_t execution_count;
	double end_ns, idle_j, total_j;
	double *edge_ns, *energy_j, *power_w; /* from edge to edge; energy up to the edge */
	size_t edge_count;
	uint64_t random, variation_random;
	struct truth_clock {
		double now_ns, mean_w, speed; /* speed: 1 where nothing holds it down */
	} clock;
};

/* period, window, lag and tail in ns.  A gauge says at u the mean power of
 * [u - lag - window, u - lag], smeared by an exponential of tail; a counter what was used until
 * u - lag.  jitter_ns: of u about its grid. */
struct truth_sensor {
	double period_ns, window_ns, lag_ns, tail_ns, jitter_ns;
	double gain, noise_w, noise_part;
	double ceiling_w; /* of a gauge: it never says more; 0: it does */
	bool counter;
};

extern const struct truth_scenario truth_scenarios[]; /* ended by a NULL name */

struct truth *truth_make(const struct truth_options *options);
void truth_free(struct truth *truth);

/* What was used until then, in joules. */
double truth_energy_until(const struct truth *truth, double time_ns);

/* The reading at time_ns: watts of a gauge, joules of a counter. */
double truth_reading(struct truth *truth, const struct truth_sensor *sensor, double time_ns);

/* What the sensor says when the reading of due_ns on its grid comes, that is at time_ns; never
 * negative.  Readings are taken in the order of their times, each once: noise comes from the seed.
 */
struct truth_update {
	double time_ns, value;
};
struct truth_update truth_update(
	struct truth *truth, const struct truth_sensor *sensor, double due_ns);

/* Uniform in [0, 1); log-uniform in a range; standard normal. */
double truth_uniform(struct truth *truth);
double truth_log_uniform(struct truth *truth, const double range[2]);
double truth_normal(struct truth *truth);

#endif
