/* SPDX-License-Identifier: MIT */
/* The power of devices that do what SIMGPU_NVML_LOAD tells of. */
#ifndef SIMGPU_NVML_LOAD_H
#define SIMGPU_NVML_LOAD_H

#include <stdint.h>

/* What a device has taken until a time of CLOCK_REALTIME: base_w, and three times that while a
 * kernel ran. */
uint64_t sim_load_energy_uj(unsigned int device, uint64_t base_w, uint64_t time_us);

#endif
