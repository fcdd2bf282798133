/* SPDX-License-Identifier: MIT */
/* The types in which the rows of apis.def are written. */
#ifndef PWRTRACE_APIS_H
#define PWRTRACE_APIS_H

#include "preload/api/cuda_abi.h"
#include "preload/api/cupti_abi.h"
#include "preload/api/hip_abi.h"
#include "preload/api/nccl_abi.h"
#include "preload/api/nvtx_abi.h"
#include "preload/api/opencl_abi.h"

#endif
