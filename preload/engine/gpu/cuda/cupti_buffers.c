/* SPDX-License-Identifier: MIT */
/* The buffers that CUPTI fills with records.  Only a handful is in use: a few slots hold the spare
 * ones.  An empty launch took 7 to 8 % longer than without CUPTI where buffers were kept, 26 %
 * where each was allocated (medians of 3 pairs, H100 with CUDA 13; their intervals overlap).  What
 * else was tried is in tests/gpu/cupti_floor.py. */
#include <stdlib.h>

#include "preload/engine/gpu/cuda/cupti.h"

#define HEADER_BYTES 64 /* of struct cupti_buffer, so that the records behind it are aligned */
#define BUFFER_BYTES (1 << 20)
#define BUFFER_SLOTS 32
#define BUFFERS_AT_FIRST 4

static struct cupti_buffer *slots[BUFFER_SLOTS]; /* spare buffers */
static struct cupti_buffer *filled;              /* newest first */
static uint64_t dropped;

static struct cupti_buffer *new_buffer(void)
{
	struct cupti_buffer *buffer = aligned_alloc(HEADER_BYTES, HEADER_BYTES + BUFFER_BYTES);

	if (buffer)
		buffer->records = (uint8_t *)buffer + HEADER_BYTES;
	return buffer;
}

void cupti_recycle(struct cupti_buffer *buffer)
{
	for (int i = 0; i < BUFFER_SLOTS; i++) {
		struct cupti_buffer *none = NULL;

		if (__atomic_compare_exchange_n(
			    &slots[i], &none, buffer, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			return;
	}
	free(buffer);
}

/* CUPTI calls this on a launching thread: so buffers are allocated in advance, if possible. */
static void request_buffer(uint8_t **records, size_t *bytes, size_t *max_records)
{
	struct cupti_buffer *buffer = NULL;

	for (int i = 0; i < BUFFER_SLOTS && !buffer; i++)
		buffer = __atomic_exchange_n(&slots[i], NULL, __ATOMIC_ACQUIRE);
	if (!buffer)
		buffer = new_buffer();
	*records = buffer ? buffer->records : NULL;
	*bytes = buffer ? BUFFER_BYTES : 0;
	*max_records = 0;
}

static void complete_buffer(
	CUcontext context, uint32_t stream, uint8_t *records, size_t bytes, size_t valid_bytes)
{
	struct cupti_buffer *buffer = (struct cupti_buffer *)(records - HEADER_BYTES);
	size_t count = 0;

	(void)bytes;
	if (cupti.cuptiActivityGetNumDroppedRecords &&
		cupti.cuptiActivityGetNumDroppedRecords(context, stream, &count) == CUPTI_SUCCESS)
		__atomic_fetch_add(&dropped, count, __ATOMIC_RELAXED);
	buffer->valid_bytes = valid_bytes;
	buffer->next = __atomic_load_n(&filled, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(
		&filled, &buffer->next, buffer, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

bool cupti_register_buffers(void)
{
	for (int i = 0; i < BUFFERS_AT_FIRST; i++) {
		struct cupti_buffer *buffer = new_buffer();

		if (buffer)
			cupti_recycle(buffer);
	}
	return cupti.cuptiActivityRegisterCallbacks(request_buffer, complete_buffer) ==
	       CUPTI_SUCCESS;
}

struct cupti_buffer *cupti_filled(void)
{
	struct cupti_buffer *newest = __atomic_exchange_n(&filled, NULL, __ATOMIC_ACQUIRE);
	struct cupti_buffer *oldest = NULL;

	while (newest) {
		struct cupti_buffer *next = newest->next;

		newest->next = oldest;
		oldest = newest;
		newest = next;
	}
	return oldest;
}

const CUpti_Activity *cupti_next(const struct cupti_buffer *buffer, const CUpti_Activity *record)
{
	CUpti_Activity *next = (CUpti_Activity *)record;

	if (cupti.cuptiActivityGetNextRecord(buffer->records, buffer->valid_bytes, &next) !=
		CUPTI_SUCCESS)
		return NULL;
	return next;
}

void cupti_flush(bool all)
{
	cupti.cuptiActivityFlushAll(all ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
}

uint64_t cupti_dropped(void)
{
	return __atomic_exchange_n(&dropped, 0, __ATOMIC_RELAXED);
}
