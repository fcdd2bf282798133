/* SPDX-License-Identifier: MIT */
#include "preload/engine/core/process.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "pwrtrace/units.h"

uint32_t process_number;

/* The last steps of MurmurHash3: each bit of the input changes half of the bits of the result. */
static uint64_t mixed(uint64_t value)
{
	value ^= value >> 33;
	value *= UINT64_C(0xff51afd7ed558ccd);
	value ^= value >> 33;
	value *= UINT64_C(0xc4ceb9fe1a85ec53);
	return value ^ value >> 33;
}

/* A hash of what tells processes apart: the container's numbering of processes, the pid in it, and
 * the time, since pids are reused and a pid stays when a program executes another. */
static void make_number(void)
{
	struct stat pid_namespace = {0};
	int saved_errno = errno;
	uint64_t hash;

	stat("/proc/self/ns/pid", &pid_namespace);
	hash = mixed(
		clock_now_ns() ^ mixed((uint64_t)pid_namespace.st_ino << 32 ^ (uint64_t)getpid()));
	process_number = (uint32_t)(hash % (PWRTRACE_UNKNOWN_U32 - 1)) + 1;
	errno = saved_errno;
}

static void start(void)
{
	make_number();
	pthread_atfork(NULL, NULL, make_number);
}

void process_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, start);
}
