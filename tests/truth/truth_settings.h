/* SPDX-License-Identifier: MIT */
/*
 * A made-up run (known_truth.h) described by words KEY=VALUE, and its truth as JSON.  The writer of
 * traces (truth_writer.c), the program on the simulated GPU (truth_program.c) and that GPU's
 * sensors (tests/simgpu/nvml_truth.c) all take these words, and so make up the same run.
 */
#ifndef PWRTRACE_TESTS_TRUTH_SETTINGS_H
#define PWRTRACE_TESTS_TRUTH_SETTINGS_H

#include "tests/truth/known_truth.h"

struct truth_settings {
	struct truth_options options;
	struct truth_sensor sensor;
	double clock_error_ns;   /* greatest error of the device's clock between two clock_syncs */
	bool counters;           /* the parts of the device are counted (truth_counters.h) */
	double counter_error_ns; /* the greatest error of the counters' clock */
	bool states_window;      /* the trace states window and lag of the sensor */
	bool calibrated;         /* the trace has the sensor's response, as after a calibration */
	unsigned device;         /* the number of the device, which is alone on a host of its own */
};

/* The settings without any word: a varied load of 60 s and a sensor of 100 ms. */
extern const struct truth_settings truth_settings_default;

/* Takes the words of text, which are separated by blanks.  A wrong word ends the program, with
 * usage on stderr. */
void truth_settings_take(struct truth_settings *settings, const char *text);

/* Prints as JSON the energy of each class in this run, multiplied by the gain of the sensor. */
void truth_print(const struct truth *truth, const struct truth_sensor *sensor);

#endif
