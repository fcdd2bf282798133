/* SPDX-License-Identifier: MIT */
/* The power of devices that do what SIMGPU_NVML_LOAD tells of. */
#ifndef SIMGPU_NVML_LOAD_H
#define SIMGPU_NVML_LOAD_H

#include <stdint.h>

/* What a device has taken until a time of CLOCK_REALTIME: base_w, and so much more while a kernel
 * ran as its name says (heat<NANOSECONDS, WATTS>), else twice base_w.  Times that are less than a
 * question before by more than 3 s are answered wrongly. */
uint64_t sim_load_energy_uj(unsigned int device, uint64_t base_w, uint64_t time_us);

#endif
