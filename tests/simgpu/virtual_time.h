/* SPDX-License-Identifier: MIT */
/* The clocks of a process that has libvirtual-time.so preloaded (virtual_time.c). */
#ifndef SIMGPU_VIRTUAL_TIME_H
#define SIMGPU_VIRTUAL_TIME_H

#include <stdint.h>

/* CLOCK_MONOTONIC, and how far CLOCK_REALTIME is ahead of it, when time begins. */
#define VIRTUAL_BEGIN_NS UINT64_C(1000000000000)
#define VIRTUAL_REALTIME_AHEAD_NS UINT64_C(1700000000000000000)

#endif
