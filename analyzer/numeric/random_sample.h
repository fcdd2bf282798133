/* SPDX-License-Identifier: MIT */
/* A random sample of numbers that come one after another, of which it is not known how many. */
#ifndef PWRTRACE_RANDOM_SAMPLE_H
#define PWRTRACE_RANDOM_SAMPLE_H

#include <glib.h>
#include <stdint.h>

/* One of each `stride` numbers, chosen at random: numbers that repeat themselves, as the durations
 * in a program do, would else be all alike. */
struct random_sample {
	GArray *values; /* double, in the order in which they came */
	uint64_t seen, stride, next;
};

/* An empty sample; freed with random_sample_free, as is one that is zeroed. */
struct random_sample random_sample_new(void);
void random_sample_free(struct random_sample *sample);

/* Shows it another number.  Where it has `most` then, it keeps half of them, and takes half as many
 * from then on. */
void random_sample_add(struct random_sample *sample, double value, guint most, GRand *random);

/* Its values as an array. */
static inline double *random_sample_values(const struct random_sample *sample)
{
	return (double *)(void *)sample->values->data;
}

#endif
