/* SPDX-License-Identifier: MIT */
/*
 * NCCL and RCCL: which collective operations a program calls.  Their kernels are seen as those of
 * CUDA or HIP; this back end writes the event `collective`, whose times tell which kernels are its.
 *
 * nccl.c has the wrappers, communicators.c what is known of communicators, collectives.c joins
 * operations with the end of their group and writes them.
 */
#ifndef PWRTRACE_NCCL_H
#define PWRTRACE_NCCL_H

#include "preload/api/nccl_abi.h"
#include "preload/engine/gpu/gpu.h"

extern const struct gpu_back_end nccl_back_end;

/* ---- communicators: on the launching threads; of one communicator, one at a time ---- */

/* A communicator as one rank has it.  Never freed. */
struct communicator {
	uint64_t id;               /* as in events.def */
	uint32_t rank, size;       /* size 0: not known yet */
	uint32_t collectives;      /* so many were called */
	uint32_t splits;           /* so many were made of it */
	uint32_t *sent, *received; /* by rank: so many were sent, received; NULL: not yet */
};

/* Returns an id that all who give the same bytes get; never 0. */
uint64_t communicator_id(const void *bytes, size_t length);

/* Notes what a handle is from now on; id and size may be 0. */
void communicator_add(nccl_communicator handle, uint64_t id, uint32_t rank, uint32_t size);

/* Notes that a handle is no more. */
void communicator_forget(nccl_communicator handle);

/* Returns what is known of a handle; adds it, without an id, where it is new.  NULL where there is
 * no room for more. */
struct communicator *communicator_of(nccl_communicator handle);

/* Returns how often that was so since the last call. */
uint64_t communicators_refused(void);

/* Counts an operation; peer: the rank of a send or receive.  Returns its sequence, 0 where memory
 * runs out or there is no such rank. */
uint32_t communicator_count(struct communicator *communicator);
uint32_t communicator_count_sent(struct communicator *communicator, uint32_t peer);
uint32_t communicator_count_received(struct communicator *communicator, uint32_t peer);

/* ---- collectives: on the collector's thread ---- */

/* As take and harvest of struct gpu_api. */
bool collectives_take(const struct gpu_work *work);
bool collectives_harvest(bool last);

/* In a forked child: forgets the parent's. */
void collectives_forget(void);

#endif
