/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/budget.h"

#include "preload/common/clock.h"
#include "pwrtrace/units.h"

/* Until the speed is measured: for copies within the device, a tenth of the bandwidth of devices
 * with memory of their own; to the host, the speed of a driver's copy to pageable memory that is
 * touched for the first time. */
static const double assumed_bytes_per_s[COPY_TARGETS] = {
	[COPY_TO_DEVICE] = 100e9,
	[COPY_TO_HOST] = 2e9,
};

#define LEAST_NS (60 * PWRTRACE_NS_PER_S)
#define PART 10 /* of the time that the process has run */

static uint64_t allowed_ns, spent_ns, start_ns;
static struct {
	uint64_t bytes, ns;
} copied[COPY_TARGETS];

void budget_start(uint64_t all_ns)
{
	allowed_ns = all_ns;
	start_ns = clock_now_ns();
}

uint64_t budget_all_ns(void)
{
	uint64_t grown_ns;

	if (allowed_ns != BUDGET_GROWS)
		return allowed_ns;
	grown_ns = (clock_now_ns() - start_ns) / PART;
	return grown_ns > LEAST_NS ? grown_ns : LEAST_NS;
}

uint64_t budget_left_ns(void)
{
	uint64_t all = budget_all_ns(), spent = budget_spent_ns();

	return all > spent ? all - spent : 0;
}

uint64_t budget_spent_ns(void)
{
	return __atomic_load_n(&spent_ns, __ATOMIC_RELAXED);
}

void budget_spend(uint64_t ns)
{
	__atomic_fetch_add(&spent_ns, ns, __ATOMIC_RELAXED);
}

/* A thread that reads one number before the other is written is off by one piece of a copy, which
 * does not matter. */
void budget_copied(enum copy_target target, uint64_t bytes, uint64_t ns)
{
	__atomic_fetch_add(&copied[target].ns, ns, __ATOMIC_RELAXED);
	__atomic_fetch_add(&copied[target].bytes, bytes, __ATOMIC_RELAXED);
}

bool budget_is_measured(enum copy_target target)
{
	return __atomic_load_n(&copied[target].bytes, __ATOMIC_RELAXED) >= BUDGET_SAMPLE_BYTES;
}

double budget_bytes_per_s(enum copy_target target)
{
	uint64_t ns = __atomic_load_n(&copied[target].ns, __ATOMIC_RELAXED);

	if (!budget_is_measured(target) || !ns)
		return assumed_bytes_per_s[target];
	return (double)__atomic_load_n(&copied[target].bytes, __ATOMIC_RELAXED) / (double)ns *
	       PWRTRACE_NS_PER_S;
}

uint64_t budget_copy_ns(enum copy_target target, uint64_t bytes)
{
	return (uint64_t)((double)bytes / budget_bytes_per_s(target) * PWRTRACE_NS_PER_S);
}
