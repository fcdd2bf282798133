/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "preload/engine/core/handles.h"
#include "preload/engine/gpu/nccl/nccl.h"

#define COMMUNICATORS_MAX (1 << 14)

static struct communicator communicators[COMMUNICATORS_MAX];
static uint32_t count; /* the first is not used: its number means none */
static struct handles numbers;
static uint64_t refused;

/* FNV-1a. */
uint64_t communicator_id(const void *bytes, size_t length)
{
	const unsigned char *at = bytes;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
	return hash ? hash : 1;
}

void communicator_add(nccl_communicator handle, uint64_t id, uint32_t rank, uint32_t size)
{
	uint32_t number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);

	if (number >= COMMUNICATORS_MAX) {
		__atomic_store_n(&count, COMMUNICATORS_MAX, __ATOMIC_RELAXED);
		number = 0;
	} else {
		communicators[number] = (struct communicator){.id = id, .rank = rank, .size = size};
	}
	handles_set(&numbers, handle, number);
}

void communicator_forget(nccl_communicator handle)
{
	handles_set(&numbers, handle, 0);
}

struct communicator *communicator_of(nccl_communicator handle)
{
	uint32_t number = handles_get(&numbers, handle);

	if (!number) {
		communicator_add(handle, 0, 0, 0);
		number = handles_get(&numbers, handle);
	}
	if (number)
		return &communicators[number];
	__atomic_fetch_add(&refused, 1, __ATOMIC_RELAXED);
	return NULL;
}

uint64_t communicators_refused(void)
{
	return __atomic_exchange_n(&refused, 0, __ATOMIC_RELAXED);
}

uint32_t communicator_count(struct communicator *communicator)
{
	return ++communicator->collectives;
}

static uint32_t count_at(uint32_t **counts, const struct communicator *communicator, uint32_t peer)
{
	if (peer >= communicator->size)
		return 0;
	if (!*counts)
		*counts = calloc(communicator->size, sizeof(**counts));
	return *counts ? ++(*counts)[peer] : 0;
}

uint32_t communicator_count_sent(struct communicator *communicator, uint32_t peer)
{
	return count_at(&communicator->sent, communicator, peer);
}

uint32_t communicator_count_received(struct communicator *communicator, uint32_t peer)
{
	return count_at(&communicator->received, communicator, peer);
}
