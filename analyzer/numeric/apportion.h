/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_APPORTION_H
#define PWRTRACE_APPORTION_H

#include <stddef.h>
#include <stdint.h>

/* Splits an amount into whole parts in proportion to the weights, by largest remainders: the parts
 * add up to the amount exactly, and each is less than one off.  The weights' sum must not be 0 and
 * must fit 64 bits.  The parts may take the place of the weights. */
void apportion(uint64_t amount, const uint64_t *weights, size_t count, uint64_t *parts);

/* By what to multiply weights that add up to whole, which is not 0, before they are rounded: their
 * sum then fits, whatever their unit is and however much of it there is. */
static inline double apportion_scale(double whole)
{
	return 0x1p60 / whole;
}

#endif
