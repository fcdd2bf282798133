/* SPDX-License-Identifier: MIT */
/*
 * A simulated libnccl.so.2 on the simulated CUDA (cuda_sim.h).  Every collective, and every group
 * of them, is one kernel of one shape, which takes SIM_NCCL_LATENCY_NS and SIM_NCCL_GB_S, and of
 * rank r as if it waited for the higher ones: SIM_NCCL_SKEW_NS for each of them.  Ranks do not
 * meet, and no data moves.
 */
#ifndef SIMGPU_NCCL_SIM_H
#define SIMGPU_NCCL_SIM_H

#include "preload/api/nccl_abi.h"

#define SIM_NCCL_LATENCY_NS 10000
#define SIM_NCCL_GB_S 100
#define SIM_NCCL_SKEW_NS 50000

#pragma GCC visibility push(default)
#define HOOK(api, index, ret, name, params, args, role) ret name params;
#include "preload/api/nccl.def"
#undef HOOK

nccl_result ncclGetUniqueId(struct nccl_unique_id *id);
/* Makes of comm, by a way that no recorder knows. */
nccl_result ncclCommShrink(nccl_communicator comm, int *without, int count, nccl_communicator *made,
	void *config, int flags);
#pragma GCC visibility pop

#endif
