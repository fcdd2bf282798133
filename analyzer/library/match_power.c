/* SPDX-License-Identifier: MIT */
/* What the power and the time of a class there say of the class here that does the same work. */
#include <math.h>
#include <string.h>

#include "analyzer/library/match_job.h"

#define KERNEL_SPREAD 0.03 /* relative: of a kernel's power between recordings, at equal clock */
#define DATA_SPREAD 0.05   /* relative: between programs, which compute with other data */
#define TIME_DIFFERS 0.1   /* relative: another time at equal clock is other work */
#define EXPONENT 2.        /* of power by clock, where not known: from 1 to 3 */
#define EXPONENT_SPREAD 0.6
#define FOUND_EXPONENT_SPREAD 0.3 /* where it was found there */
#define FOLLOWS_LEAST 0.3         /* of a class whose times tell the clock */
#define CLOCK_MOST 0.5            /* logarithm of a ratio of clocks: times may say anything */

/* The logarithm of the clock here over the clock there, as both were sampled; 0 where one is not
 * known. */
static double sampled_log(
	const struct match_job *job, const struct library_class *told, guint class_index)
{
	double here = job->clocks[class_index].mhz;

	return here > 0 && told->clock_mhz > 0 ? log(here / told->clock_mhz) : 0;
}

/* The same by the times of executions, where these follow the clock. */
static double clock_log(
	const struct match_job *job, const struct library_class *told, guint class_index)
{
	double here_ns = job->clocks[class_index].mean_ns, log_ratio;

	if (!(told->follows > FOLLOWS_LEAST && told->mean_ns > 0 && here_ns > 0))
		return sampled_log(job, told, class_index);
	log_ratio = log(told->mean_ns / here_ns) / told->follows;
	return CLAMP(log_ratio, -CLOCK_MOST, CLOCK_MOST);
}

double match_time_off(const struct match_job *job, const struct library_class *told,
	guint class_index, double follows)
{
	return fabs(log(job->median_ns[class_index] / told->median_ns) +
		    follows * sampled_log(job, told, class_index));
}

bool match_takes_other_time(
	const struct match_job *job, const struct library_class *told, guint class_index)
{
	double either_way = fabs(sampled_log(job, told, class_index)) / 2;

	return !(match_time_off(job, told, class_index, 0.5) <= either_way + log1p(TIME_DIFFERS));
}

double match_power_ratio(
	const struct match_job *job, const struct library_class *told, guint class_index)
{
	double exponent = isfinite(told->exponent) ? told->exponent : EXPONENT;

	return exp(exponent * clock_log(job, told, class_index));
}

static bool same_program(const struct match_job *job, const struct library_message *message)
{
	const char *here = job->source->recording->command;
	size_t length = strcspn(here, " ");

	return strncmp(here, message->program, length) == 0 &&
	       strchr(" ", message->program[length]) != NULL;
}

double match_spread(const struct match_job *job, const struct library_message *message,
	const struct library_class *told, guint class_index)
{
	double clock = (isfinite(told->exponent) ? FOUND_EXPONENT_SPREAD : EXPONENT_SPREAD) *
		       clock_log(job, told, class_index);
	double data = same_program(job, message) ? 0 : DATA_SPREAD;

	return sqrt(KERNEL_SPREAD * KERNEL_SPREAD + data * data + clock * clock);
}
