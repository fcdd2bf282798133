/* SPDX-License-Identifier: MIT */
#include "analyzer/response/calibration/gain.h"

#define BLOCKS 12   /* of the jackknife; Student's t below is for 11 */
#define BLOCK_MIN 4 /* observations of each sensor, or there is no gain */

/* Computes the mean power of the observations within a span of time, each shifted by the mean
 * delay.  Returns false where they are too few. */
static bool mean_w(const GArray *observations, const struct calibrated_response *response,
	double begin_s, double end_s, double *mean)
{
	double centroid_s = response_shape_mean_ns(&response->shape) / 1e9;
	double sum_ws = 0, sum_s = 0;
	guint count = 0;

	for (guint i = 1; i < observations->len; i++) {
		const struct load_observation *observation = &LOAD_OBSERVATION(observations, i);
		double step_s = observation->time_s - observation[-1].time_s;
		double to_s = observation->time_s - centroid_s;
		/* A gauge's reading stands for the time around its centroid, a counter's for that
		 * before. */
		double from_s = to_s - (observation->width_s > 0 ? observation->width_s : step_s);
		double shift_s = observation->width_s > 0 ? 0 : step_s / 2;
		double common_s = MIN(end_s, to_s + shift_s) - MAX(begin_s, from_s + shift_s);

		if (common_s <= 0)
			continue;
		sum_ws += observation->power_w * common_s;
		sum_s += common_s;
		count++;
	}
	*mean = sum_ws / sum_s;
	return count >= BLOCK_MIN;
}

struct estimate gain_between(const GArray *observations, const struct calibrated_response *response,
	const GArray *reference, const struct calibrated_response *reference_response)
{
	double above[BLOCKS], below[BLOCKS], above_w = 0, below_w = 0, mean = 0, squares = 0;
	double begin_s, end_s, gain;

	begin_s = MAX(
		LOAD_OBSERVATION(observations, 0).time_s, LOAD_OBSERVATION(reference, 0).time_s);
	end_s = MIN(LOAD_OBSERVATION(observations, observations->len - 1).time_s,
		LOAD_OBSERVATION(reference, reference->len - 1).time_s);
	for (int i = 0; i < BLOCKS; i++) {
		double from_s = begin_s + (end_s - begin_s) * i / BLOCKS;
		double to_s = begin_s + (end_s - begin_s) * (i + 1) / BLOCKS;

		if (!mean_w(observations, response, from_s, to_s, &above[i]) ||
			!mean_w(reference, reference_response, from_s, to_s, &below[i]))
			return ESTIMATE_UNKNOWN;
		above_w += above[i];
		below_w += below[i];
	}
	gain = above_w / below_w;
	for (int i = 0; i < BLOCKS; i++)
		mean += (above_w - above[i]) / (below_w - below[i]) / BLOCKS;
	for (int i = 0; i < BLOCKS; i++)
		squares += pow((above_w - above[i]) / (below_w - below[i]) - mean, 2);
	/* Student's t for BLOCKS - 1 degrees of freedom. */
	double half = 2.201 * sqrt(squares * (BLOCKS - 1) / BLOCKS);

	return (struct estimate){gain, gain - half, gain + half};
}
