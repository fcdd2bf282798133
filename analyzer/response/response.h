/* SPDX-License-Identifier: MIT */
/*
 * A sensor's response h: a reading at time u is the integral of h(t) P(u - t) over t >= lag, where
 * P is power, h >= 0 is constant on taps of equal length, and its integral is 1.
 */
#ifndef PWRTRACE_RESPONSE_H
#define PWRTRACE_RESPONSE_H

#include "analyzer/model/model.h"
#include "analyzer/response/shape.h"

#define RESPONSE_TAPS_MAX 512      /* enough for errors below a thousandth */
#define RESPONSE_SHORTEST_NS 1000. /* a shorter window is one of this length, a tail none */
#define RESPONSE_TAILS 7 /* time constants after which an exponential is cut: e^-7 < 0.1 % */

struct response {
	double begin_ns; /* negative where readings are stamped too early */
	double step_ns;
	guint taps;
	double below[RESPONSE_TAPS_MAX + 1];    /* integral of h up to a tap: 0 to 1 */
	double integral[RESPONSE_TAPS_MAX + 1]; /* of that, in ns */
};

/* Fills in response with the taps of a shape, whose tail is cut. */
void response_of_shape(struct response *response, const struct response_shape *shape);

/* Fills in response from the taps of a calibration (struct model_tap); returns false where they are
 * too few, too many or not evenly spaced. */
bool response_of_taps(struct response *response, const GArray *taps);

/* Moves a response by by_ns, and makes it longer about its middle by the part stretch. */
void response_move(struct response *response, double by_ns, double stretch);

/* Its end, its mean and its standard deviation, in ns. */
double response_end_ns(const struct response *response);
double response_mean_ns(const struct response *response);
double response_deviation_ns(const struct response *response);

/* The length and the begin of the equivalent boxcar (shape.h), in ns. */
double response_window_ns(const struct response *response);
double response_lag_ns(const struct response *response);

/* H, the integral of h from -infinity to t, and the integral of H in ns. */
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

double response_integral_ns(const struct response *response, double t_ns);

#endif
