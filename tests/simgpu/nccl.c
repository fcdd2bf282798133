/* SPDX-License-Identifier: MIT */
#include "tests/simgpu/nccl_sim.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "tests/simgpu/cuda_sim.h"

#define NO_PEER -1
#define RANKS_MAX 8 /* of one thread */

struct rank {
	int rank, size;
	CUfunction kernel;
};

/* What a group has to launch for each of its ranks. */
static __thread struct {
	int depth, ranks;
	struct {
		struct rank *rank;
		uint64_t bytes;
		CUstream stream;
	} of[RANKS_MAX];
} group;

nccl_result ncclGetUniqueId(struct nccl_unique_id *id)
{
	return getrandom(id->bytes, sizeof(id->bytes), 0) == sizeof(id->bytes)
		       ? PWR_NCCL_Success
		       : PWR_NCCL_InternalError;
}

static nccl_result make(nccl_communicator *comm, int size, int rank)
{
	static const char name[] = "_Z40ncclDevKernel_AllReduce_Sum_bf16_RING_LL24"
				   "ncclDevKernelArgsStorageILm4096EE";
	struct rank *made;
	CUfunction kernel;
	void *module;

	if (cuModuleLoadData(&module, "") != CUDA_SUCCESS ||
		cuModuleGetFunction(&kernel, module, name) != CUDA_SUCCESS ||
		!(made = malloc(sizeof(*made))))
		return PWR_NCCL_InternalError;
	*made = (struct rank){rank, size, kernel};
	*comm = made;
	return PWR_NCCL_Success;
}

static nccl_result launch(const struct rank *rank, uint64_t bytes, CUstream stream)
{
	uint64_t others = (uint64_t)(rank->size - 1 - rank->rank);

	simgpu_ask(0, SIM_NCCL_LATENCY_NS + bytes / SIM_NCCL_GB_S + others * SIM_NCCL_SKEW_NS);
	return cuLaunchKernel(rank->kernel, 24, 1, 1, 512, 1, 1, 0, stream, NULL, NULL)
		       ? PWR_NCCL_InternalError
		       : PWR_NCCL_Success;
}

static nccl_result run(struct rank *rank, uint64_t bytes, CUstream stream)
{
	int i = 0;

	if (!group.depth)
		return launch(rank, bytes, stream);
	while (i < group.ranks && group.of[i].rank != rank)
		i++;
	if (i == RANKS_MAX)
		return PWR_NCCL_InternalError;
	if (i == group.ranks) {
		group.of[i].rank = rank;
		group.of[i].bytes = 0;
		group.ranks++;
	}
	group.of[i].bytes += bytes;
	group.of[i].stream = stream;
	return PWR_NCCL_Success;
}

static uint64_t type_bytes(int type)
{
	static const uint8_t bytes[] = NCCL_TYPE_BYTES;

	return bytes[type];
}

#define COLLECTIVE(kind, name, params, args, count, peer)                                          \
	nccl_result name params                                                                    \
	{                                                                                          \
		struct rank *rank = comm;                                                          \
		uint64_t comm_size = (uint64_t)rank->size;                                         \
                                                                                                   \
		(void)comm_size;                                                                   \
		return run(rank, (count)*type_bytes(type), stream);                                \
	}
#define JOINS(name, params, args, id, ids, size, rank)                                             \
	nccl_result name params                                                                    \
	{                                                                                          \
		return make(comm, size, rank);                                                     \
	}
#define SPLITS(name, params, args, color)                                                          \
	nccl_result name params                                                                    \
	{                                                                                          \
		(void)config;                                                                      \
		return color < 0 ? PWR_NCCL_Success                                                \
				 : make(made, ((struct rank *)comm)->size, key);                   \
	}
#define COMMUNICATORS(name, params, args)                                                          \
	nccl_result name params                                                                    \
	{                                                                                          \
		nccl_result result = PWR_NCCL_Success;                                             \
                                                                                                   \
		(void)devices;                                                                     \
		for (int i = 0; i < size && result == PWR_NCCL_Success; i++)                       \
			result = make(&comms[i], size, i);                                         \
		return result;                                                                     \
	}
#define LEAVES(name, params, args)                                                                 \
	nccl_result name params                                                                    \
	{                                                                                          \
		free(comm);                                                                        \
		return PWR_NCCL_Success;                                                           \
	}

static nccl_result end_group(void)
{
	nccl_result result = PWR_NCCL_Success;
	int ranks = group.ranks;

	if (--group.depth)
		return result;
	group.ranks = 0;
	for (int i = 0; i < ranks && result == PWR_NCCL_Success; i++)
		result = launch(group.of[i].rank, group.of[i].bytes, group.of[i].stream);
	return result;
}

#define GROUP(name, params, args, opens)                                                           \
	nccl_result name params                                                                    \
	{                                                                                          \
		if (!(opens))                                                                      \
			return end_group();                                                        \
		group.depth++;                                                                     \
		return PWR_NCCL_Success;                                                           \
	}
#define PLAIN(name, params)

#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "preload/api/nccl.def"

nccl_result ncclCommUserRank(nccl_communicator comm, int *rank)
{
	*rank = ((struct rank *)comm)->rank;
	return PWR_NCCL_Success;
}

nccl_result ncclCommCount(nccl_communicator comm, int *size)
{
	*size = ((struct rank *)comm)->size;
	return PWR_NCCL_Success;
}

nccl_result ncclCommShrink(nccl_communicator comm, int *without, int count, nccl_communicator *made,
	void *config, int flags)
{
	return make(made, ((struct rank *)comm)->size - count, ((struct rank *)comm)->rank);
}
