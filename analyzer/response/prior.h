/* SPDX-License-Identifier: MIT */
/* Constants of the prior, equation (8) of analyzer/regress/README.md. */
#ifndef PWRTRACE_PRIOR_H
#define PWRTRACE_PRIOR_H

/* The largest standard deviation of the classes' dynamic powers about their mean, as a part of the
 * highest reading.  Kernels on an H200 of 700 W draw 150 to 700 W, so that about 200 W would do
 * there; but where the sensor averages over a loop its highest reading is only the loop's mean, so
 * that it is not less. */
#define PRIOR_SPREAD 0.4

/* The lowest and the highest power of a sensor are these quantiles of its readings, so that
 * outliers do not count. */
#define PRIOR_OUTLIERS 0.02

/* The prior standard deviation of an influence's factor. */
#define PRIOR_FACTOR 0.3

#endif
