/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the simulated HIP share.
 *
 * hip.c          entry points made from preload/api/hip.def
 * hip_objects.c  devices, modules, kernels of compiled programs
 * hip_memory.c   memory
 * hip_graphs.c   capture and graphs
 * hip_start.c    how a program finds the runtime; it replaces cuda_resolve.c
 */
#ifndef SIMGPU_HIP_PARTS_H
#define SIMGPU_HIP_PARTS_H

#include "tests/simgpu/cuda_parts.h"
#include "tests/simgpu/hip_sim.h"

/* Makes the device of the calling thread current.  Returns an error where there is no device. */
CUresult hip_use_device(void);

/* What hipRuntimeGetVersion returns. */
int hip_sim_version(void);

/* Remembers the result of a call for hipGetLastError, and returns it. */
hipError_t hip_returned(hipError_t result);

/* The handle of a kernel that a compiled program has registered, NULL where it has not. */
CUfunction hip_function_of(const void *symbol);

/* The host function by which it was registered, or the handle itself. */
void *hip_symbol_of(CUfunction function);

#endif
