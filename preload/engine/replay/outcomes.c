/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/outcomes.h"

#include <stdio.h>

#include "preload/common/clock.h"
#include "preload/common/log.h"
#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/rounds.h"
#include "preload/engine/gpu/short_name.h"
#include "preload/engine/replay/budget.h"
#include "preload/engine/replay/bursts.h"
#include "preload/engine/replay/class.h"
#include "preload/engine/replay/classes.h"
#include "preload/engine/replay/snapshot.h"

static struct {
	unsigned replayed, refused, left, rare;
} outcomes;

#define SECONDS(ns) ((double)(ns) / PWRTRACE_NS_PER_S)

static const char *scaled(char text[32], double bytes, const char *per)
{
	static const char *const units[] = {"B", "kB", "MB", "GB"};
	size_t unit = 0;

	for (; bytes >= 1000 && unit < 3; unit++)
		bytes /= 1000;
	snprintf(text, 32, "%.3g %s%s", bytes, units[unit], per);
	return text;
}

void outcomes_announce(const struct replay *replay, uint64_t length_ns, uint64_t cost_ns)
{
	static bool announced;
	enum copy_target target = snapshot_target(replay);
	unsigned classes = classes_waiting();
	char bytes[32], rate[32];

	if (__atomic_exchange_n(&announced, true, __ATOMIC_RELAXED))
		return;
	log_notice("replay: %u class%s of kernels so far, %g s each; %s of device memory are saved "
		   "on the %s and restored for each, at %s%s: about %.3g s in all; the budget is "
		   "%g s (--replay-budget=SECONDS)",
		classes, classes == 1 ? "" : "es", SECONDS(length_ns),
		scaled(bytes, (double)replay->snapshot.bytes, ""),
		target == COPY_TO_DEVICE ? "device" : "host",
		scaled(rate, budget_bytes_per_s(target), "/s"),
		budget_is_measured(target) ? "" : " (assumed, until it is measured)",
		SECONDS(cost_ns) * classes, SECONDS(budget_all_ns()));
}

void outcomes_show(const struct replay *replay)
{
	char name[SHORT_NAME_MAX + 1];

	if (bursts_launches())
		return;
	short_name(name, gpu_name(gpu_kernel(replay->kernel)->name));
	log_progress("replay: %u done, %u waiting; %.0f of %.0f s; now %s",
		outcomes.replayed + outcomes.refused + outcomes.left, classes_waiting(),
		SECONDS(budget_spent_ns() + clock_now_ns() - replay->begin_ns),
		SECONDS(budget_all_ns()), name);
}

static void write_replay(const struct replay *replay, uint64_t end_ns, const char *reason)
{
	tp_replay(&(struct pwrtrace_replay){.process = process_number,
		.device = replay->device,
		.kernel = replay->kernel,
		.begin_ns = replay->begin_ns,
		.end_ns = end_ns,
		.count = replay->count,
		.reason = reason,
		.needed_ns = replay->needed_ns});
}

void outcomes_write_begin(uint64_t begin_ns)
{
	tp_replay_begin(
		&(struct pwrtrace_replay_begin){.process = process_number, .begin_ns = begin_ns});
}

void outcomes_write(const struct replay *replay, uint64_t end_ns, const char *reason)
{
	unsigned *count = reason == snapshot_too_slow ? &outcomes.left
			  : *reason                   ? &outcomes.refused
						      : &outcomes.replayed;

	/* Classes are counted, not their sizes. */
	if (!replay->of_size)
		__atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
	if (*reason)
		log_debug("%s is not replayed: %s", gpu_name(gpu_kernel(replay->kernel)->name),
			reason);
	write_replay(replay, end_ns, reason);
}

void outcomes_write_part(const struct replay *replay, uint64_t end_ns)
{
	write_replay(replay, end_ns, "");
	outcomes_write_begin(end_ns);
}

void outcomes_write_left(uint32_t kernel, uint32_t device, uint64_t needed_ns, const char *reason)
{
	struct replay replay = {.kernel = kernel,
		.device = device,
		.begin_ns = clock_now_ns(),
		.needed_ns = needed_ns};

	if (reason == class_hardly_ran)
		outcomes.rare++;
	else
		outcomes.left++;
	write_replay(&replay, replay.begin_ns, reason);
}

void outcomes_log(void)
{
	char rare[48] = "";

	if (!(outcomes.replayed + outcomes.refused + outcomes.left + outcomes.rare))
		return;
	if (outcomes.rare)
		snprintf(rare, sizeof(rare), ", and %u that hardly ran", outcomes.rare);
	log_notice("replay: %u class%s of kernels replayed in %.3g s; %u left alone for the budget "
		   "of %g s (--replay-budget=SECONDS)%s; %u refused (pwrtrace report says why)",
		outcomes.replayed, outcomes.replayed == 1 ? "" : "es", SECONDS(budget_spent_ns()),
		outcomes.left, SECONDS(budget_all_ns()), rare, outcomes.refused);
}
