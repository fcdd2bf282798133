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

/* What of a shape can be changed by itself: the lag; the window, about its middle; the tail, with
 * the mean delay as it is. */
enum { SHAPE_LAG, SHAPE_WINDOW, SHAPE_TAIL, SHAPE_PARAMETERS };

/* A shape with each changed by so many ns; neither window nor tail gets negative. */
struct response_shape response_shape_moved(
	const struct response_shape *shape, const double by_ns[SHAPE_PARAMETERS]);

/* The two shapes whose difference is a parameter's slope, the one with more of it first; returns by
 * how much it differs between them, in units of unit_ns. */
double response_shape_sides(const struct response_shape *shape, int parameter, double unit_ns,
	struct response_shape sides[2]);

/*
 * The step by which a shape's parameters, in units of their own, gain most in a likelihood of this
 * information (P x P, upper triangle) and score, while neither window nor tail, which are length
 * long, gets negative: a step of Gauss and Newton, of each parameter SHAPE_STEP_MOST at most.
 * Returns that gain, in twice the logarithm of the likelihood; 0 where there is no step.
 */
#define SHAPE_STEP_MOST 0.2 /* units: further away slopes are others */
double response_shape_step(const double information[SHAPE_PARAMETERS * SHAPE_PARAMETERS],
	const double score[SHAPE_PARAMETERS], const double length[SHAPE_PARAMETERS],
	double by[SHAPE_PARAMETERS]);

/* The integral of h up to a time. */
double response_shape_below(const struct response_shape *shape, double t_ns);

/* The mean of h; the time after which less than 1e-6 of it is left. */
double response_shape_mean_ns(const struct response_shape *shape);
double response_shape_end_ns(const struct response_shape *shape);

/*
 * Any response has an equivalent boxcar: the one of the same mean whose length is 1 / (the integral
 * of h squared).  Of a boxcar that is itself, of a filter of first order it is twice its time
 * constant.
 */
double response_shape_equivalent_window_ns(const struct response_shape *shape);
double response_shape_equivalent_lag_ns(const struct response_shape *shape);

#endif
