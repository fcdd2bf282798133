/* SPDX-License-Identifier: MIT */
/* The types in which the rows of apis.def are written. */
#ifndef PWRTRACE_APIS_H
#define PWRTRACE_APIS_H

#include "preload/gpu/cuda_abi.h"
#include "preload/gpu/cupti_abi.h"
#include "preload/gpu/hip_abi.h"
#include "preload/gpu/opencl_abi.h"
#include "preload/layer/nvtx_abi.h"

#endif
