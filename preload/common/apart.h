/* SPDX-License-Identifier: MIT */
/* For functions on the path of a launch that are to be called, not inlined: what calls them would
 * save the registers that they need at each launch, also at those that do not come to them. */
#ifndef PWRTRACE_APART_H
#define PWRTRACE_APART_H

#define APART __attribute__((noinline))

#endif
