/* SPDX-License-Identifier: MIT */
/*
 * How a sensor responds to power, in three numbers: it averages over a window, through a filter of
 * first order, after a lag.
 *
 *   h(t) = boxcar of window_ns * exp(-t / tail_ns) / tail_ns, shifted by lag_ns   (integral 1, h >=
 * 0)
 */
#ifndef PWRTRACE_SHAPE_H
#define PWRTRACE_SHAPE_H

struct response_shape {
	double lag_ns, window_ns, tail_ns;
};

/* The parameters of a shape, as they are varied: the lag; the window, about its middle; the tail,
 * with the mean delay unchanged.  Varied like this they are told apart. */
enum { SHAPE_LAG, SHAPE_WINDOW, SHAPE_TAIL, SHAPE_PARAMETERS };

/* A shape with each parameter changed by so many ns; window and tail are cut at 0. */
struct response_shape response_shape_moved(
	const struct response_shape *shape, const double by_ns[SHAPE_PARAMETERS]);

/* The two shapes of a difference quotient by a parameter, the one with more of it first.  Returns
 * their distance in units of unit_ns. */
double response_shape_sides(const struct response_shape *shape, int parameter, double unit_ns,
	struct response_shape sides[2]);

/*
 * Computes a Gauss-Newton step of a shape's parameters, each in a unit of its own, from the
 * information matrix (P x P, upper triangle) and the score of a likelihood.  Window and tail, whose
 * present lengths are in length, stay non-negative; each parameter moves by SHAPE_STEP_MOST at
 * most. Returns the gain, in twice the logarithm of the likelihood; 0 where there is no step.
 */
#define SHAPE_STEP_MOST 0.2 /* units: slopes are not constant over more */
double response_shape_step(const double information[SHAPE_PARAMETERS * SHAPE_PARAMETERS],
	const double score[SHAPE_PARAMETERS], const double length[SHAPE_PARAMETERS],
	double by[SHAPE_PARAMETERS]);

/* H, the integral of h up to a time: 0 to 1. */
double response_shape_below(const struct response_shape *shape, double t_ns);

/* The mean of h; the time after which less than 1e-6 of it is left. */
double response_shape_mean_ns(const struct response_shape *shape);
double response_shape_end_ns(const struct response_shape *shape);

/*
 * The equivalent boxcar of a response has the same mean and the length 1 / (integral of h squared),
 * equation (5) of analyzer/regress/README.md.  That of a boxcar is itself; that of a filter of
 * first order is twice its time constant long.
 */
double response_shape_equivalent_window_ns(const struct response_shape *shape);
double response_shape_equivalent_lag_ns(const struct response_shape *shape);

#endif
