/* SPDX-License-Identifier: MIT */
/*
 * Runs the same few kernels over and over; the simulated sensor measures what they draw.
 *
 *	PROGRAM [ROUNDS]
 *
 * A round (default 200) takes about 25 ms, and there is a pause before the first and after the
 * last.  A kernel's name says for how many ns it runs and how many watts it adds
 * (tests/simgpu/nvml_load.h).  The includer defines what is declared below.
 */
#ifndef LOOP_H
#define LOOP_H

#include <unistd.h>

#include "common.h"

#define PAUSE_US 400000

#define CLASSES 6

/* Kernels are known by a number less than CLASSES from when they were made. */
static void make_kernel(size_t kernel, const char *name);
static void launch_kernel(size_t kernel, unsigned long times);
static void wait_for_all(void);

static void run_loop(int argc, char **argv)
{
	static const struct {
		const char *name;
		unsigned long times;
	} classes[CLASSES] = {
		{"_Z4heatILm1000000ELm500EEvv", 5},
		{"_Z4heatILm400000ELm120EEvv", 10},
		{"_Z4heatILm2500000ELm330EEvv", 2},
		{"_Z4heatILm250000ELm620EEvv", 16},
		{"_Z4heatILm700000ELm210EEvv", 6},
		{"_Z4heatILm150000ELm430EEvv", 12},
	};
	unsigned long rounds = argc > 1 ? number(argv[1]) : 200;

	for (size_t i = 0; i < CLASSES; i++)
		make_kernel(i, classes[i].name);
	usleep(PAUSE_US);
	for (unsigned long round = 0; round < rounds; round++) {
		for (size_t i = 0; i < CLASSES; i++)
			launch_kernel(i, classes[i].times);
		wait_for_all();
	}
	usleep(PAUSE_US);
	print_started();
}

#endif
