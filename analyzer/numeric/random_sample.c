/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/random_sample.h"

struct random_sample random_sample_new(void)
{
	return (struct random_sample){
		.values = g_array_new(FALSE, FALSE, sizeof(double)), .stride = 1};
}

void random_sample_free(struct random_sample *sample)
{
	if (sample->values)
		g_array_free(sample->values, TRUE);
}

/* Keeps one of each pair, at random. */
static void thin_out(struct random_sample *sample, GRand *random)
{
	double *values = random_sample_values(sample);

	for (guint i = 0; 2 * i + 1 < sample->values->len; i++)
		values[i] = values[2 * i + (g_rand_int(random) & 1)];
	g_array_set_size(sample->values, sample->values->len / 2);
	sample->stride *= 2;
}

void random_sample_add(struct random_sample *sample, double value, guint most, GRand *random)
{
	uint64_t at = sample->seen++;

	if (at % sample->stride == 0)
		sample->next = at + g_rand_int(random) % sample->stride;
	if (at != sample->next)
		return;
	g_array_append_val(sample->values, value);
	if (sample->values->len == most)
		thin_out(sample, random);
}
