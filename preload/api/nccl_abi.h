/* SPDX-License-Identifier: MIT */
/*
 * What we use of NCCL's binary interface, which is RCCL's too, so that no vendor header is needed
 * to build.  Opaque handles are plain pointers, enumerations int; tests/abi/abi_nccl.c compares it
 * with NVIDIA's header.
 */
#ifndef PWRTRACE_NCCL_ABI_H
#define PWRTRACE_NCCL_ABI_H

#include <stddef.h>
#include <stdint.h>

/* NCCL's name (with nccl before it), value. */
#define NCCL_CONSTANTS(CONSTANT)                                                                   \
	CONSTANT(Success, 0)                                                                       \
	CONSTANT(InternalError, 3)                                                                 \
	CONSTANT(InProgress, 7)

enum {
#define CONSTANT(name, value) PWR_NCCL_##name = value,
	NCCL_CONSTANTS(CONSTANT)
#undef CONSTANT
};

/* How many bytes an element has, by its type: ncclInt8, ncclUint8, ncclInt32 ... ncclFloat8e5m2. */
#define NCCL_TYPE_BYTES                                                                            \
	{                                                                                          \
		1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1                                                 \
	}

typedef int32_t nccl_result;
typedef void *nccl_communicator;
typedef void *nccl_stream;

/* By value: what one rank makes and all pass, so that they meet. */
struct nccl_unique_id {
	char bytes[128];
};

#endif
