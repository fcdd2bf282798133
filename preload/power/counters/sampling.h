/* SPDX-License-Identifier: MIT */
/*
 * CUPTI's sampling of counters (PM sampling): how busy the parts of an NVIDIA GPU were in each
 * interval of its own clock.  It replays nothing, needs no context of CUDA, and sees the work of
 * all processes; one process at a time may sample a GPU.
 */
#ifndef PWRTRACE_SAMPLING_H
#define PWRTRACE_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/common/uuid.h"
#include "pwrtrace/parts.h"

/* begin_ns and end_ns of the GPU's clock; share: of the most that each part can do, 0 to 1. */
struct sample {
	uint64_t begin_ns, end_ns;
	double share[PWRTRACE_PARTS];
};

struct sampling;

/* Takes hold of the counters of the device that the CUDA driver numbers so.  Returns NULL with one
 * line in why (size bytes): what refuses and what to do. */
struct sampling *sampling_open(unsigned device, uint64_t interval_ns, char *why, size_t size);
void sampling_close(struct sampling *sampling);

/* Begins.  Returns false with the reason in why. */
bool sampling_start(struct sampling *sampling, char *why, size_t size);

/* Calls take for each interval that ended since the last call, but for those that the GPU had no
 * room for.  Returns false with the reason in why. */
bool sampling_decode(struct sampling *sampling,
	void (*take)(void *context, const struct sample *sample), void *context, char *why,
	size_t size);

/* How many devices the CUDA driver has; -1, with the reason in why, where there is no driver.  Then
 * the UUID of each, "GPU-...". */
int sampling_devices(char *why, size_t size);
void sampling_uuid(unsigned device, char uuid[UUID_TEXT_BYTES]);

#endif
