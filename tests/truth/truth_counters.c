/* SPDX-License-Identifier: MIT */
#include "tests/truth/truth_counters.h"

#include <math.h>
#include <stdlib.h>

#include "pwrtrace/parts.h"

#define PROCESS 1
#define INTERVAL_NS 1e6
#define SPREAD 0.14
#define EDGE_NS 2.5e3        /* by which work and what is counted of it differ at both ends */
#define NOISE 0.005          /* of an interval's share */
#define ERROR_PERIOD_NS 60e9 /* of the counters' clock */

static const char *const domains[PWRTRACE_PARTS] = {
#define PART(word, domain, ...) [PWRTRACE_PART_##word] = domain,
#include "pwrtrace/parts.def"
#undef PART
};

static const double full_w[PWRTRACE_PARTS] = {
#define UTILIZATION_DEVICE(name, compute, issue, tensor, cache, read, write, spread)               \
	[PWRTRACE_PART_compute] = (compute), [PWRTRACE_PART_issue] = (issue),                      \
	[PWRTRACE_PART_tensor] = (tensor), [PWRTRACE_PART_cache] = (cache),                        \
	[PWRTRACE_PART_read] = (read), [PWRTRACE_PART_write] = (write),
#include "analyzer/regress/utilization/utilization_power.def"
#undef UTILIZATION_DEVICE
};

/* What kinds of kernels keep busy: products, reductions, arithmetic. */
static const double kinds[][PWRTRACE_PARTS] = {
	{[PWRTRACE_PART_compute] = 0.9,
		[PWRTRACE_PART_issue] = 0.2,
		[PWRTRACE_PART_tensor] = 0.6,
		[PWRTRACE_PART_cache] = 0.4,
		[PWRTRACE_PART_read] = 0.2},
	{[PWRTRACE_PART_compute] = 0.9,
		[PWRTRACE_PART_issue] = 0.2,
		[PWRTRACE_PART_cache] = 0.6,
		[PWRTRACE_PART_read] = 0.8,
		[PWRTRACE_PART_write] = 0.4},
	{[PWRTRACE_PART_compute] = 0.9,
		[PWRTRACE_PART_issue] = 0.9,
		[PWRTRACE_PART_cache] = 0.2,
		[PWRTRACE_PART_read] = 0.2,
		[PWRTRACE_PART_write] = 0.2},
};

#define KINDS (sizeof(kinds) / sizeof(*kinds))

struct shares {
	double of_part[PWRTRACE_PARTS];
};

/* By class; for free(). */
static struct shares *shares_of(struct truth *random, const struct truth *truth)
{
	struct shares *shares = calloc(truth->options.classes, sizeof(*shares));

	for (unsigned i = 0; i < truth->options.classes; i++) {
		const double *kind = kinds[(size_t)(truth_uniform(random) * KINDS)];
		double power_w = 0, scale = 1 + SPREAD * truth_normal(random);

		for (int part = 0; part < PWRTRACE_PARTS; part++)
			power_w += full_w[part] * kind[part];
		scale *= truth->classes[i].dynamic_w / power_w;
		for (int part = 0; part < PWRTRACE_PARTS; part++)
			shares[i].of_part[part] = fmin(fmax(scale * kind[part], 0), 1);
	}
	return shares;
}

void truth_define_counters(struct ctf_writer *writer, uint32_t first, const char *device)
{
	for (uint32_t part = 0; part < PWRTRACE_PARTS; part++)
		ctf_write_sensor_def(writer, &(struct pwrtrace_sensor_def){.process = PROCESS,
						     .sensor = first + part,
						     .period_ns = (uint64_t)INTERVAL_NS,
						     .window_ns = PWRTRACE_UNKNOWN_U64,
						     .lag_ns = PWRTRACE_UNKNOWN_U64,
						     .source = "counters",
						     .device = device,
						     .domain = domains[part],
						     .part_of = "",
						     .quantity = "busy",
						     .poll_ns = PWRTRACE_UNKNOWN_U64,
						     .resolution_uw = PWRTRACE_UNKNOWN_U64,
						     .resolution_nj = PWRTRACE_UNKNOWN_U64,
						     .device_name = "",
						     .pci = "",
						     .driver = ""});
}

/* By interval, for how long a part was busy; for free(). */
static double *intervals_of(
	const struct truth *truth, const struct shares *shares, int part, size_t count)
{
	struct truth random = {.random = truth->options.seed}; /* the same for all parts */
	double *busy_ns = calloc(count, sizeof(*busy_ns));

	for (size_t i = 0; i < truth->execution_count; i++) {
		const struct truth_execution *execution = &truth->executions[i];
		double share = shares[execution->class_index].of_part[part];
		double now_ns = execution->begin_ns + EDGE_NS * truth_normal(&random), next_ns;
		double end_ns = execution->end_ns + EDGE_NS * truth_normal(&random);

		for (; now_ns < end_ns; now_ns = next_ns) {
			size_t interval = (size_t)(now_ns / INTERVAL_NS);

			next_ns = fmin((double)(interval + 1) * INTERVAL_NS, end_ns);
			if (interval < count)
				busy_ns[interval] += share * (next_ns - now_ns);
		}
	}
	return busy_ns;
}

/* How far the clock of the counters is off. */
static double late_ns(double time_ns, double error_ns)
{
	return error_ns * sin(2 * M_PI * time_ns / ERROR_PERIOD_NS);
}

void truth_write_counters(struct ctf_writer *writer, uint32_t first, const struct truth *truth,
	const struct truth_counting *counting)
{
	size_t count = (size_t)(truth->end_ns / INTERVAL_NS);
	struct truth random = {.random = truth->options.seed}; /* the run's own stay as they are */
	struct shares *shares = shares_of(&random, truth);
	double *busy_ns[PWRTRACE_PARTS], sum_ns[PWRTRACE_PARTS] = {0};

	for (int part = 0; part < PWRTRACE_PARTS; part++)
		busy_ns[part] = intervals_of(truth, shares, part, count);
	for (size_t i = 0; i < count; i++) {
		double end_ns = (double)(i + 1) * INTERVAL_NS;
		uint64_t time_ns = counting->begin_ns +
				   (uint64_t)llround(end_ns + late_ns(end_ns, counting->error_ns));

		ctf_writer_at(writer, counting->begin_ns + (uint64_t)end_ns, counting->stream);
		for (uint32_t part = 0; part < PWRTRACE_PARTS; part++) {
			double own_ns = busy_ns[part][i];

			if (own_ns > 0)
				own_ns += NOISE * INTERVAL_NS * truth_normal(&random);
			sum_ns[part] += fmax(own_ns, 0);
			ctf_write_busy_counter(
				writer, &(struct pwrtrace_busy_counter){PROCESS, first + part,
						time_ns, (uint64_t)llround(sum_ns[part]) + 1});
		}
	}
	for (int part = 0; part < PWRTRACE_PARTS; part++)
		free(busy_ns[part]);
	free(shares);
}
