/* SPDX-License-Identifier: MIT */
/*
 * The few declarations of roctracer's binary interface that we use (4.1, ROCm 5 and 6), so that no
 * vendor header is needed to build; names and values are its own.
 */
#ifndef PWRTRACE_ROCTRACER_ABI_H
#define PWRTRACE_ROCTRACER_ABI_H

#include <stddef.h>
#include <stdint.h>

enum {
	ACTIVITY_DOMAIN_HIP_OPS = 2,
	ACTIVITY_DOMAIN_HIP_API = 3,
	ACTIVITY_API_PHASE_ENTER = 0,
	HIP_OP_ID_DISPATCH = 0,
	HIP_OP_ID_COPY = 1,
};

typedef int roctracer_status_t;
typedef void roctracer_pool_t;

/* A record of domain HIP_OPS. */
typedef struct {
	uint32_t domain, kind, op;
	uint64_t correlation_id, begin_ns, end_ns;
	int device_id;
	uint64_t queue_id;
	union {
		size_t bytes;
		const char *kernel_name; /* of a dispatch: NULL until ROCm 5.3 */
	};
} roctracer_record_t;

typedef struct {
	uint32_t mode;
	size_t buffer_size;
	void (*alloc_fun)(char **memory, size_t size, void *arg);
	void *alloc_arg;
	void (*buffer_callback_fun)(const char *begin, const char *end, void *arg);
	void *buffer_callback_arg;
} roctracer_properties_t;

/* The beginning of the data of every callback of domain HIP_API. */
struct roctracer_call {
	uint64_t correlation_id;
	uint32_t phase;
};

typedef void roctracer_callback(uint32_t domain, uint32_t cid, const void *data, void *arg);

#endif
