/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_APPORTION_H
#define PWRTRACE_APPORTION_H

#include <stddef.h>
#include <stdint.h>

/* Splits an amount into integers in proportion to weights[count], by the method of largest
 * remainders (Hamilton's apportionment): parts[count] add up to the amount exactly, and each
 * differs from its exact share by less than 1.  The sum of the weights must not be 0 and must fit
 * 64 bits. parts may be the same array as weights. */
void apportion(uint64_t amount, const uint64_t *weights, size_t count, uint64_t *parts);

/* The factor for weights in floating point, which add up to whole (above 0), before they are
 * rounded to the integers that apportion() takes: their sum then fits 64 bits, with a resolution of
 * 2^-60. */
static inline double apportion_scale(double whole)
{
	return 0x1p60 / whole;
}

#endif
