/* SPDX-License-Identifier: MIT */
/*
 * A libamdhip64 of our own over the virtual GPUs of cuda_sim.h, which it contains: the same
 * settings and the same truth.  Its contexts are the devices' primary ones.  Settings of its own:
 *
 *   SIMGPU_HIP_VERSION=N    what hipRuntimeGetVersion says, and what it decides (60200000)
 *   SIMGPU_HIP_CARD=PCI,ID  the PCI address and the unique id of the only card; its devices, if
 * there are several, are its partitions
 *   SIMGPU_HIP_FAR=1        devices know the host's memory by other addresses
 *   SIMGPU_HIP_SILENT=1     of kernels it tells neither names nor what they need
 */
#ifndef SIMGPU_HIP_SIM_H
#define SIMGPU_HIP_SIM_H

#include "preload/api/hip_abi.h"

#pragma GCC visibility push(default)
#define HOOK(api, since, ret, name, params, args, role) ret name params;
#include "preload/api/hip.def"
#undef HOOK
#define ENTRY(ret, name, params) ret name params;
#include "tests/simgpu/hip.def"
#pragma GCC visibility pop

#endif
