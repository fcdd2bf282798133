/* SPDX-License-Identifier: MIT */
/*
 * Units and conventions that both halves share.
 *
 * In traces and in sums that must close, whole numbers: times are nanoseconds (_ns), energies
 * nanojoules (_nj) or microjoules (_uj), powers milliwatts (_mw) or microwatts (_uw), sizes bytes
 * (_bytes).  In mathematics and in what is printed from it, doubles: seconds (_s), joules (_j),
 * watts
 * (_w).  1 mW for 1 ns is 1 pJ, so a power in mW times a time in ns is an
 * energy in pJ.
 */
#ifndef PWRTRACE_UNITS_H
#define PWRTRACE_UNITS_H

#include <stdint.h>

#define PWRTRACE_NS_PER_S UINT64_C(1000000000)
#define PWRTRACE_NS_PER_MS UINT64_C(1000000)
#define PWRTRACE_PJ_PER_NJ UINT64_C(1000)
#define PWRTRACE_NJ_PER_UJ UINT64_C(1000)
#define PWRTRACE_NJ_PER_J UINT64_C(1000000000)

#define PWRTRACE_UNKNOWN_U32 UINT32_MAX
#define PWRTRACE_UNKNOWN_U64 UINT64_MAX
#define PWRTRACE_UNKNOWN_I32 INT32_MIN

#endif
