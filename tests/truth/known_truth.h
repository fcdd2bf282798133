/* SPDX-License-Identifier: MIT */
/*
 * Made-up runs whose true energies are known: what ran, when and at what power, and the readings of
 * a sensor with a chosen response.  A seed always gives the same run.  Times are nanoseconds since
 * the begin of the run.
 */
#ifndef PWRTRACE_TESTS_KNOWN_TRUTH_H
#define PWRTRACE_TESTS_KNOWN_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRUTH_SLEEPS_AFTER_NS 1e9

/* A class: a kernel or a copy.  An execution takes duration_ns, with a standard deviation of 1 %,
 * and draws dynamic_w on top of the static power of the device, with a standard deviation of the
 * part `variation`.  executions, time_s, static_j and dynamic_j are sums over the run, without
 * replays. */
struct truth_class {
	char name[32];
	bool copy;
	double duration_ns, dynamic_w, variation;
	uint64_t executions;
	double time_s, static_j, dynamic_j;
};

/* An execution of the class classes[class_index]. */
struct truth_execution {
	double begin_ns, end_ns;
	uint32_t class_index, stream;
	double dynamic_w;
	double speed;    /* of the device's clock, as a part of the highest */
	unsigned number; /* in its run, from 0 */
	bool replayed;   /* by record --replay, and none of the program's */
};

/* When a class was replayed. */
struct truth_replay {
	double begin_ns, end_ns;
	uint32_t class_index;
	uint64_t executions;
	double off_w; /* what the device draws more then, whatever runs */
};

/* How the program runs its classes. */
struct truth_scenario {
	const char *name;
	const char *help;
	double dwell_ms[2]; /* range of the time that one class runs alone, log-uniform */
	double loop_ms;     /* length of a sequence that is repeated; 0: no loop */
	double phase_ms;    /* length of a phase, which uses a part of the classes; 0: no phases */
	double idle_ms[2];  /* range of the length of an idle stretch, log-uniform */
	double idle_part;   /* probability of an idle stretch after each dwell */
	double cold;        /* power after an idle stretch, as a part of the steady power */
	double memory;      /* weight of the power of what ran just before, in an execution's */
	double limit_w;     /* power limit, for which the device lowers its clock; 0: none */
	unsigned streams;
	unsigned run;      /* executions of a class at a time, from idle; 0: as the dwell has it */
	double overshoot;  /* part by which the first of them draws more; it fades fast */
	double sag;        /* part by which it draws less; it fades slowly */
	double slow;       /* part by which it takes longer; it fades at once */
	bool memory_bound; /* every second class is: the clock moves its power less, its duration
			      not */
	bool pairs;        /* the second class always follows the first */
	bool in_turns;     /* the classes run one after the other, each once for a dwell */
	bool replicates;   /* in a loop, executions vary in the same way each time */
	double asleep; /* static power after TRUTH_SLEEPS_AFTER_NS without work, as a part of it;
			  0: the device never sleeps */
};

struct truth_options {
	const struct truth_scenario *scenario;
	uint64_t seed;
	double seconds, static_w;
	double drift_w; /* standard deviation of the static power as time goes by */
	double shortest_us, longest_us;
	double variation;
	double rise;  /* how much the power of a class depends on its duration, from 0 to 1 */
	uint64_t run; /* runs of one seed have the same classes; another run draws other numbers */
	double differs;  /* relative standard deviation of a class's power from run to run */
	double zeros;    /* part by which the first class draws less, as a product of zeros does */
	double replay_s; /* how long each kernel is replayed after the program's work; 0: not */
	double replay_less;    /* part by which kernels draw less then */
	double replay_differs; /* standard deviation of that part from kernel to kernel */
	double replay_off_w;   /* the same of the static power from replay to replay */
	double replay_part;    /* part of a replay's time in which its kernel runs; 0: all of it */
	unsigned classes, copies;
};

struct truth {
	struct truth_options options;
	struct truth_class *classes;
	struct truth_execution *executions; /* by begin_ns */
	size_t execution_count;
	struct truth_replay *replays; /* one for each kernel, or none */
	size_t replay_count;
	double end_ns, idle_j, replay_j, total_j;
	/* Power as a step function: power_w[i] from edge_ns[i] to the next edge; energy_j[i] is the
	 * energy up to edge_ns[i]. */
	double *edge_ns, *energy_j, *power_w;
	size_t edge_count;
	uint64_t random, variation_random;
	unsigned number; /* of the next execution in its run */
	double shown;    /* the last value of a sensor that may stand still */
	struct truth_clock {
		double now_ns, mean_w, speed; /* speed: 1 without a limit */
	} clock;
};

/* A sensor.  A gauge shows at time u the mean power of [u - lag_ns - window_ns, u - lag_ns],
 * convolved with an exponential of time constant tail_ns; a counter shows the energy used up to u -
 * lag_ns. A reading comes every period_ns, and late by up to jitter_ns.  gain: watts shown per true
 * watt.  noise_w, noise_part: the noise of a reading, absolute and relative.  Every ten seconds the
 * sensor stands still for stands_ns: it shows one value. */
struct truth_sensor {
	double period_ns, window_ns, lag_ns, tail_ns, jitter_ns, stands_ns;
	double gain, noise_w, noise_part;
	double ceiling_w; /* the greatest value of a gauge; 0: no such limit */
	bool counter;
};

extern const struct truth_scenario truth_scenarios[]; /* ended by a NULL name */

struct truth *truth_make(const struct truth_options *options);
void truth_free(struct truth *truth);

/* For truth_make: sets the energies, in all and by class, and the steps of power by the executions.
 */
void truth_set_power(struct truth *truth);

/* The speed of the device's clock at time_ns, as a part of the highest: that of the last execution
 * to begin, or a fifth while the device sleeps. */
double truth_speed_at(const struct truth *truth, double time_ns);

/* The energy used up to time_ns, in joules. */
double truth_energy_until(const struct truth *truth, double time_ns);

/* The value of the sensor at time_ns: watts of a gauge, joules of a counter. */
double truth_reading(struct truth *truth, const struct truth_sensor *sensor, double time_ns);

/* The update of the sensor that is due at due_ns: with jitter it comes at time_ns, and with noise
 * it has this value, which is never negative.  Call it once for each update, in the order of time:
 * the noise comes from the run's random numbers. */
struct truth_update {
	double time_ns, value;
};
struct truth_update truth_update(
	struct truth *truth, const struct truth_sensor *sensor, double due_ns);

/* Random numbers: uniform in [0, 1), log-uniform in a range, standard normal. */
double truth_uniform(struct truth *truth);
double truth_log_uniform(struct truth *truth, const double range[2]);
double truth_normal(struct truth *truth);

#endif
