/* SPDX-License-Identifier: MIT */
/* The pure parts of the RAPL source. */
#ifndef PWRTRACE_RAPL_H
#define PWRTRACE_RAPL_H

#include <stdint.h>

/* Returns how far a counter went from before_uj to now_uj, with at most one wrap at range_uj
 * (powercap's max_energy_range_uj).  All in microjoules. */
uint64_t rapl_advance_uj(uint64_t before_uj, uint64_t now_uj, uint64_t range_uj);

#endif
