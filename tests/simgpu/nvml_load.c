/* SPDX-License-Identifier: MIT */
#include "tests/simgpu/nvml_load.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define KERNELS_MAX 65536

/* In the order of the file, which is that of their times. */
static struct kernel {
	unsigned int device;
	uint64_t begin_ns, end_ns;
} kernels[KERNELS_MAX];
static size_t count;

static int64_t offset_ns(void)
{
	static int64_t offset;
	struct timespec real, monotonic;

	if (offset)
		return offset;
	clock_gettime(CLOCK_MONOTONIC, &monotonic);
	clock_gettime(CLOCK_REALTIME, &real);
	return offset = (real.tv_sec - monotonic.tv_sec) * INT64_C(1000000000) +
			(real.tv_nsec - monotonic.tv_nsec);
}

/* Takes up what the file has grown by.  A kernel is told of when it begins or before. */
static void read_more(void)
{
	static FILE *file;
	static long place;
	char line[512];

	if (!file)
		file = fopen(getenv("SIMGPU_NVML_LOAD"), "re");
	if (!file)
		return;
	fseek(file, place, SEEK_SET);
	while (count < KERNELS_MAX && fgets(line, sizeof(line), file)) {
		struct kernel *kernel = &kernels[count];
		unsigned long long begin_ns, end_ns;

		if (sscanf(line,
			    "kernel pid=%*d device=%u context=%*u stream=%*u begin_ns=%llu "
			    "end_ns=%llu",
			    &kernel->device, &begin_ns, &end_ns) == 3) {
			kernel->begin_ns = begin_ns;
			kernel->end_ns = end_ns;
			count++;
		}
		place = ftell(file);
	}
}

uint64_t sim_load_energy_uj(unsigned int device, uint64_t base_w, uint64_t time_us)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	uint64_t now_ns = time_us * 1000 - (uint64_t)offset_ns(), busy_ns = 0;

	pthread_mutex_lock(&lock);
	read_more();
	for (size_t i = 0; i < count; i++) {
		uint64_t end_ns = kernels[i].end_ns < now_ns ? kernels[i].end_ns : now_ns;

		if (kernels[i].device == device && end_ns > kernels[i].begin_ns)
			busy_ns += end_ns - kernels[i].begin_ns;
	}
	pthread_mutex_unlock(&lock);
	return base_w * ((device + 1) * (time_us + 2 * busy_ns / 1000));
}
