/* SPDX-License-Identifier: MIT */
#include "preload/engine/layer/mark.h"

#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/submit.h"

void mark_write(const char *name, double value, const char *unit, uint32_t layer, uint64_t time_ns)
{
	tp_mark(&(struct pwrtrace_mark){.process = process_number,
		.tid = gpu_tid(),
		.layer = layer,
		.time_ns = time_ns,
		.value = value,
		.unit = unit,
		.name = name});
}
