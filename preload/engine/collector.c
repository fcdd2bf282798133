/* SPDX-License-Identifier: MIT */
#include "preload/engine/collector.h"

#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/common/layer.h"
#include "preload/engine/core/launch_clock.h"
#include "preload/engine/core/lost.h"
#include "preload/engine/core/machine.h"
#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/gpu/definitions.h"
#include "preload/engine/gpu/device_clock.h"
#include "preload/engine/gpu/records.h"
#include "preload/engine/gpu/rounds.h"
#include "preload/engine/gpu/submit.h"
#include "preload/engine/lanes.h"

#define GIVE_UP_NS (10 * PWRTRACE_NS_PER_S)
#define IN_FLIGHT_PERIOD_NS (100 * PWRTRACE_NS_PER_MS)
#define BUSY_SLEEP_NS (500000)
#define IDLE_SLEEP_NS (10 * PWRTRACE_NS_PER_MS)

static bool end_written;
static uint64_t begin_ns; /* when this process first used a GPU */

/* Returns false if the event was not recorded because the session is still being started: then
 * nothing else must be written. */
static bool write_process(void)
{
	struct machine machine;
	char executable[4096];
	ssize_t length = readlink("/proc/self/exe", executable, sizeof(executable) - 1);

	executable[length > 0 ? length : 0] = 0;
	if (!begin_ns)
		begin_ns = clock_now_ns();
	machine_read(&machine);
	if (!tp_process(&(struct pwrtrace_process){.process = process_number,
		    .pid = (uint32_t)getpid(),
		    .schema = PWRTRACE_SCHEMA,
		    .parent_pid = (uint32_t)getppid(),
		    .begin_ns = begin_ns,
		    .realtime_offset_ns = machine.realtime_offset_ns,
		    .host = machine.host,
		    .boot_id = machine.boot_id,
		    .executable = executable}))
		return false;
	gpu_write_definitions(true);
	device_clock_write();
	end_written = false;
	return true;
}

/* Written as soon as the process begins to end, because processes often die in the exit handlers
 * after ours or in the shutdown of the GPU's runtime.  Work that is still found then is written
 * after this event. */
static void write_end(void)
{
	if (!end_written)
		tp_process_end(&(struct pwrtrace_process_end){
			.process = process_number, .end_ns = clock_now_ns()});
	end_written = true;
}

/* Counts of launches and layers that were lost before they became work. */
static void write_losses(const struct engine_host *host)
{
	/* What else is refused leaves no event behind. */
	static const char *const events[GPU_WORK_KINDS] = {[GPU_WORK_KERNEL] = "kernel_launch",
		[GPU_WORK_MEMORY] = "memory_exec",
		[GPU_WORK_GRAPH] = "graph_launch",
		[GPU_WORK_SYNC] = "sync",
		[GPU_WORK_DEPENDENCY] = "dependency",
		[GPU_WORK_PUSH] = "layer_push",
		[GPU_WORK_POP] = "layer_pop",
		[GPU_WORK_COLLECTIVE] = "collective"};

	for (enum gpu_work_kind kind = 0; kind < GPU_WORK_KINDS; kind++)
		if (events[kind])
			lost_write(events[kind], submit_why_refused(), submit_refused(kind));
	lost_write("kernel_launch", "they came before the recording was open",
		__atomic_exchange_n(host->launches_missed, 0, __ATOMIC_RELAXED));
	lost_write("layer_push", "too many layers were open in each other",
		__atomic_exchange_n(&host->layer_lost->too_deep, 0, __ATOMIC_RELAXED));
	lost_write("layer_push", "the program named too many layers",
		__atomic_exchange_n(&host->layer_lost->too_many, 0, __ATOMIC_RELAXED));
}

/* Writes how much work is under way, now and then, in case the process is killed. */
static void write_in_flight(void)
{
	static uint64_t written_ns;
	static bool any;
	uint64_t now_ns = clock_now_ns();
	uint32_t count = lanes_in_flight() + gpu_records_in_flight();

	if ((!count && !any) || now_ns - written_ns < IN_FLIGHT_PERIOD_NS)
		return;
	tp_in_flight(&(struct pwrtrace_in_flight){
		.process = process_number, .time_ns = now_ns, .count = count});
	written_ns = now_ns;
	any = count;
}

static void gather(const struct gpu_back_end *const *back_ends, const struct round *round)
{
	for (; *back_ends; back_ends++)
		if ((*back_ends)->api->gather)
			(*back_ends)->api->gather(round);
}

static bool harvest(const struct gpu_back_end *const *back_ends, bool last)
{
	bool any = false;

	for (; *back_ends; back_ends++)
		if ((*back_ends)->api->harvest)
			any |= (*back_ends)->api->harvest(last);
	return any;
}

/* Returns whether anything happened. */
static bool collect(const struct engine_host *host, const struct gpu_back_end *const *back_ends,
	const struct round *round)
{
	bool any;

	gather(back_ends, round);
	any = lanes_fetch();
	gpu_write_definitions(false);
	lanes_dispatch();
	any |= lanes_settle();
	any |= harvest(back_ends, round->last);
	write_losses(host);
	write_in_flight();
	if (round->last) {
		lanes_write_unfinished();
		device_clock_write_last();
		write_end();
	}
	return any;
}

void collector_run(const struct engine_host *host, const struct gpu_back_end *const *back_ends)
{
	uint64_t give_up_ns = clock_now_ns() + GIVE_UP_NS;
	uint64_t idle_ns = BUSY_SLEEP_NS;
	bool recording = false, settled = false;

	submit_attach(host);
	gpu_definitions_start(host);
	lanes_reset();
	begin_ns = 0;
	rounds_start(host);
	for (;;) {
		struct round round = round_begin();
		bool enabled = tp_enabled();

		if (enabled && !recording)
			enabled = write_process();
		if (!settled && (enabled || clock_now_ns() > give_up_ns)) {
			settled = true;
			host->settled(enabled);
		}
		recording = enabled;
		launch_clock_compare();
		if (enabled && collect(host, back_ends, &round)) {
			idle_ns = BUSY_SLEEP_NS;
		} else if (!enabled) {
			lanes_fetch();
			if (settled)
				lanes_drop();
		}
		round_end(&round, enabled || !settled, lanes_empty());
		round_sleep(settled ? idle_ns : BUSY_SLEEP_NS);
		if (idle_ns < IDLE_SLEEP_NS)
			idle_ns *= 2;
	}
}
