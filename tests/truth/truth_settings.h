/* SPDX-License-Identifier: MIT */
/*
 * A made-up run (known_truth.h) as words, KEY=VALUE, and its truth as JSON: what the writer of
 * traces, the program on the simulated GPU and that GPU's sensors share.
 */
#ifndef PWRTRACE_TESTS_TRUTH_SETTINGS_H
#define PWRTRACE_TESTS_TRUTH_SETTINGS_H

#include "tests/truth/known_truth.h"

struct truth_settings {
	struct truth_options options;
	struct truth_sensor sensor;
	double clock_error_ns; /* of a device's clock that is compared once a second, in between */
	bool states_window;    /* the trace says window and lag of the sensor */
	bool calibrated;       /* it has the sensor's response, as one that was calibrated */
	unsigned device;       /* its number: each is alone on a host of its own */
};

/* Without a word, a varied load of 60 s and a sensor of 100 ms. */
extern const struct truth_settings truth_settings_default;

/* Takes the words of text, separated by blanks, or ends the program, with usage on stderr. */
void truth_settings_take(struct truth_settings *settings, const char *text);

/* On stdout: what each class took in this run, as the sensor would count it (with its gain). */
void truth_print(const struct truth *truth, const struct truth_sensor *sensor);

#endif
