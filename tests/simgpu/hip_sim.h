/* SPDX-License-Identifier: MIT */
/*
 * A simulated libamdhip64.  It contains the simulated GPUs of cuda_sim.h, with the same settings
 * and the same record of the truth; each device has its primary context only.  Settings of its own:
 *
 *   SIMGPU_HIP_VERSION=N    the version of the runtime, which also decides which functions it has
 *                           and how they behave (60200000)
 *   SIMGPU_HIP_CARD=PCI,ID  the PCI address and the unique id of the only card; if there are
 *                           several devices, they are its partitions
 *   SIMGPU_HIP_FAR=1        devices know the host's memory by other addresses
 *   SIMGPU_HIP_SILENT=1     the runtime tells neither the names of kernels nor what they need
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
