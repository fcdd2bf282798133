/* SPDX-License-Identifier: MIT */
#include "preload/engine/core/lost.h"

#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"

void lost_write(const char *what, const char *why, uint64_t count)
{
	if (count)
		tp_lost(&(struct pwrtrace_lost){
			.process = process_number, .count = count, .what = what, .why = why});
}
