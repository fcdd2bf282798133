/* SPDX-License-Identifier: MIT */
#include "tests/simgpu/nvml_load.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEVICES_MAX 16
#define KEPT_NS UINT64_C(3000000000) /* how far back samples reach */
#define IDLE_NS UINT64_C(10000000)
#define KERNELS_MAX (1 << 18)

/* The kernels, in the order of the file, which is that of their begin times. */
static struct kernel {
	unsigned int device;
	uint64_t begin_ns, end_ns;
	uint64_t power_w;      /* on top of the base power; 0: twice the base power */
	uint64_t all_ended_ns; /* when this kernel and all before it have ended */
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

/* heat<NANOSECONDS, WATTS>, mangled. */
static uint64_t power_of(const char *line)
{
	const char *second = strstr(line, "ELm");

	return second ? strtoull(second + strlen("ELm"), NULL, 10) : 0;
}

/* What a kernel draws in relation to that, by its number since the devices were idle for 10 ms: the
 * numbers in SIMGPU_NVML_NUMBERS, of which the last one holds for all further kernels. */
static double part_of_number(const struct kernel *kernel)
{
	static unsigned int number;
	const char *numbers = getenv("SIMGPU_NVML_NUMBERS");
	double part = 1;
	char *end;

	number = count && kernel->begin_ns < kernel[-1].all_ended_ns + IDLE_NS ? number + 1 : 0;
	for (unsigned int i = 0; numbers && i <= number && *numbers; i++, numbers = end) {
		part = strtod(numbers, &end);
		end += *end == ',';
	}
	return part;
}

/* Reads what was appended to the file, but for a line that is not whole yet.  A kernel is listed
 * there at its begin or before. */
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

		if (!strchr(line, '\n') && strlen(line) + 1 < sizeof(line))
			return;
		if (sscanf(line,
			    "kernel pid=%*d device=%u context=%*u stream=%*u begin_ns=%llu "
			    "end_ns=%llu",
			    &kernel->device, &begin_ns, &end_ns) == 3) {
			kernel->begin_ns = begin_ns;
			kernel->end_ns = kernel->all_ended_ns = end_ns;
			kernel->power_w =
				(uint64_t)((double)power_of(line) * part_of_number(kernel));
			if (count && kernel[-1].all_ended_ns > end_ns)
				kernel->all_ended_ns = kernel[-1].all_ended_ns;
			count++;
		}
		place = ftell(file);
	}
}

static uint64_t power_w_of(const struct kernel *kernel, uint64_t base_w)
{
	return kernel->power_w ? kernel->power_w : 2 * base_w * (kernel->device + 1);
}

/* The energy of the device's kernels up to then on top of the base power, in W·ns.  The sum of
 * those that ended long ago is kept and not computed again. */
static uint64_t taken_until(unsigned int device, uint64_t base_w, uint64_t now_ns)
{
	static struct {
		size_t next;
		uint64_t sum;
	} ended[DEVICES_MAX];
	uint64_t sum;
	size_t i;

	for (i = ended[device].next; i < count && kernels[i].all_ended_ns + KEPT_NS < now_ns; i++)
		if (kernels[i].device == device)
			ended[device].sum += power_w_of(&kernels[i], base_w) *
					     (kernels[i].end_ns - kernels[i].begin_ns);
	ended[device].next = i;
	sum = ended[device].sum;
	for (; i < count && kernels[i].begin_ns < now_ns; i++) {
		uint64_t end_ns = kernels[i].end_ns < now_ns ? kernels[i].end_ns : now_ns;

		if (kernels[i].device == device)
			sum += power_w_of(&kernels[i], base_w) * (end_ns - kernels[i].begin_ns);
	}
	return sum;
}

uint64_t sim_load_energy_uj(unsigned int device, uint64_t base_w, uint64_t time_us)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	uint64_t now_ns = time_us * 1000 - (uint64_t)offset_ns(), sum;

	pthread_mutex_lock(&lock);
	read_more();
	sum = taken_until(device, base_w, now_ns);
	pthread_mutex_unlock(&lock);
	return base_w * (device + 1) * time_us + sum / 1000;
}
