/* SPDX-License-Identifier: MIT */
/*
 * A sensor's response h: what a reading at u says is the integral of h(t) P(u - t) over t >= lag,
 * where h >= 0 is constant on steps of one length and its integral is 1.
 */
#ifndef PWRTRACE_RESPONSE_H
#define PWRTRACE_RESPONSE_H

#include "analyzer/model/model.h"
#include "analyzer/response/shape.h"

#define RESPONSE_TAPS_MAX 512
#define RESPONSE_SHORTEST_NS 1000. /* a shorter window is one of this length, a tail none */
#define RESPONSE_TAILS 7 /* an exponential is cut where this many time constants have passed */

struct response {
	double begin_ns; /* may be negative: stamped too early */
	double step_ns;
	guint taps;
	double below[RESPONSE_TAPS_MAX + 1];    /* integral of h up to a tap: 0 to 1 */
	double integral[RESPONSE_TAPS_MAX + 1]; /* of that, in ns */
};

void response_of_shape(struct response *response, const struct response_shape *shape);

/* A calibrated one (struct model_tap); false where the taps make none. */
bool response_of_taps(struct response *response, const GArray *taps);

/* Makes it later, and longer about its middle. */
void response_move(struct response *response, double by_ns, double stretch);

/* Where it ends; its mean. */
double response_end(const struct response *response);
double response_mean(const struct response *response);

/* The box that is like it, of the same mean and the same integral of the square: how long it is,
 * and where it begins. */
double response_window(const struct response *response);
double response_lag(const struct response *response);

/* The integral of h from -infinity to t, and the integral of that. */
static inline double response_below(const struct response *response, double t_ns)
{
	double place = (t_ns - response->begin_ns) / response->step_ns, part;
	guint tap;

	if (place <= 0)
		return 0;
	if (place >= response->taps)
		return 1;
	tap = (guint)place;
	part = place - tap;
	return response->below[tap] + part * (response->below[tap + 1] - response->below[tap]);
}

double response_integral(const struct response *response, double t_ns);

#endif
