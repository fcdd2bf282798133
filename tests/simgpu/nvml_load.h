/* SPDX-License-Identifier: MIT */
/* The power of devices that run the kernels listed in the file SIMGPU_NVML_LOAD. */
#ifndef SIMGPU_NVML_LOAD_H
#define SIMGPU_NVML_LOAD_H

#include <stdint.h>

/* The energy that a device has used up to a time of CLOCK_REALTIME.  It draws base_w, and while a
 * kernel runs the watts that its name asks for on top (heat<NANOSECONDS, WATTS>), or else twice
 * base_w.  The result is wrong for a time more than 3 s before that of an earlier call. */
uint64_t sim_load_energy_uj(unsigned int device, uint64_t base_w, uint64_t time_us);

#endif
