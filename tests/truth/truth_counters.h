/* SPDX-License-Identifier: MIT */
/*
 * Counters of how busy the parts of an H100 are in a made-up run: each class keeps some of them
 * busy, so much that what they draw (utilization_power.def) is its power, but for 14 %.
 */
#ifndef PWRTRACE_TESTS_TRUTH_COUNTERS_H
#define PWRTRACE_TESTS_TRUTH_COUNTERS_H

#include "tests/truth/known_truth.h"
#include "tests/writers/ctf_writer.h"

#define TRUTH_COUNTED_DEVICE "NVIDIA H100 80GB HBM3"

/* Defines a sensor for each part, from number `first` on.  device: its UUID. */
void truth_define_counters(struct ctf_writer *writer, uint32_t first, const char *device);

/* Where counters are written: the run's begin, the greatest error of their clock as time goes by,
 * and a flow stream without other events. */
struct truth_counting {
	uint64_t begin_ns;
	double error_ns;
	unsigned stream;
};

/* Writes them every millisecond of the run. */
void truth_write_counters(struct ctf_writer *writer, uint32_t first, const struct truth *truth,
	const struct truth_counting *counting);

#endif
