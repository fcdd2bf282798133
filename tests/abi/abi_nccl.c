/* SPDX-License-Identifier: MIT */
/*
 * Compares preload/api/nccl_abi.h and nccl.def with NVIDIA's header of NCCL, where that is
 * installed: that this file compiles is the test.
 */
#if __has_include(<cuda_runtime_api.h>) && __has_include(<nccl.h>)

#include <nccl.h>

#include "preload/api/nccl_abi.h"

#define CONSTANT(name, value) _Static_assert((int)nccl##name == (value), #name);
NCCL_CONSTANTS(CONSTANT)

_Static_assert(sizeof(struct nccl_unique_id) == sizeof(ncclUniqueId), "ncclUniqueId");
_Static_assert(sizeof(nccl_result) == sizeof(ncclResult_t), "ncclResult_t");
_Static_assert(sizeof(nccl_communicator) == sizeof(ncclComm_t), "ncclComm_t");
_Static_assert(sizeof(nccl_stream) == sizeof(cudaStream_t), "cudaStream_t");
_Static_assert(sizeof(int) == sizeof(ncclDataType_t), "ncclDataType_t");
_Static_assert(sizeof(int) == sizeof(ncclRedOp_t), "ncclRedOp_t");

/* Of RCCL alone. */
ncclResult_t ncclAllToAll(const void *from, void *to, size_t count, ncclDataType_t type,
	ncclComm_t comm, cudaStream_t stream);

/* A call by a row compiles with NVIDIA's prototype. */
#define nccl_communicator ncclComm_t
#define HOOK(api, index, ret, name, params, args, role)                                            \
	static inline ret check_##name params                                                      \
	{                                                                                          \
		return (ret)name args;                                                             \
	}
/* A unique id is a struct without a name, and PLAIN rows have no arguments. */
#define JOINS(...)
#define PLAIN(...)
#include "preload/api/nccl.def"
#undef HOOK

_Static_assert(sizeof((char[])NCCL_TYPE_BYTES) == ncclNumTypes, "ncclNumTypes");
_Static_assert(ncclInt8 == 0 && ncclUint8 == 1 && ncclInt32 == 2 && ncclUint32 == 3 &&
		       ncclInt64 == 4 && ncclUint64 == 5 && ncclFloat16 == 6 && ncclFloat32 == 7 &&
		       ncclFloat64 == 8 && ncclBfloat16 == 9 && ncclFloat8e4m3 == 10 &&
		       ncclFloat8e5m2 == 11,
	"NCCL_TYPE_BYTES");

#endif
