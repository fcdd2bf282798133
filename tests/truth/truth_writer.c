/* SPDX-License-Identifier: MIT */
/*
 * Writes a trace of a made-up run (known_truth.h) into the given directory, and prints its truth as
 * JSON: the energy of each class in this run, multiplied by the gain of the sensor.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/truth/truth_counters.h"
#include "tests/truth/truth_settings.h"
#include "tests/writers/ctf_writer.h"

#define PID 1
#define COUNTERS 2     /* the number of the first one's sensor */
#define STATES 3       /* number of the sensor of states */
#define CLOCK_MHZ 1980 /* the highest */
#define BEGIN_NS UINT64_C(1000000000000)
#define ANCHOR_NS PWRTRACE_NS_PER_S
#define TAPS 256
#define TAILS 7 /* the exponential tail is cut off after this many time constants */

static struct truth_settings settings;
static char host[16], boot[40], uuid[16];

/* The error of the device's clock, which is read beside the host's once a second: up to
 * clock_error_ns in between. */
static uint64_t stamp(double time_ns)
{
	double phase = 2 * M_PI * time_ns / (double)ANCHOR_NS;

	return BEGIN_NS + (uint64_t)llround(time_ns + settings.clock_error_ns * sin(phase));
}

/* The integral of the tail from its begin; 1 at its end. */
static double faded(double since_ns, double tail_ns)
{
	if (since_ns <= 0)
		return 0;
	return tail_ns > 0 ? -expm1(-since_ns / tail_ns) : 1;
}

static void write_calibration(struct ctf_writer *writer)
{
	const struct truth_sensor *sensor = &settings.sensor;
	double step_ns = (sensor->window_ns + TAILS * sensor->tail_ns) / TAPS;

	ctf_write_sensor_calibration(writer, &(struct pwrtrace_sensor_calibration){.process = PID,
						     .sensor = 1,
						     .taps = TAPS,
						     .jitter_ns = (uint64_t)sensor->jitter_ns,
						     .noise_w = sensor->noise_w,
						     .gain = sensor->gain,
						     .calibrated = "2026-11-21T09:00:00Z"});
	for (uint32_t tap = 0; tap < TAPS; tap++) {
		double middle_ns = (tap + 0.5) * step_ns;

		ctf_write_sensor_response(writer,
			&(struct pwrtrace_sensor_response){.process = PID,
				.sensor = 1,
				.tap = tap,
				.lag_ns = llround(sensor->lag_ns + tap * step_ns),
				.weight = faded(middle_ns, sensor->tail_ns) -
					  faded(middle_ns - sensor->window_ns, sensor->tail_ns)});
	}
}

/* Whether the trace tells the device's clock. */
static bool has_states(const struct truth *truth)
{
	return truth->replay_count || truth->options.scenario->asleep > 0;
}

static void define(struct ctf_writer *writer, const struct truth *truth)
{
	const struct truth_sensor *sensor = &settings.sensor;
	bool stated = settings.states_window;
	uint64_t window_ns = stated ? (uint64_t)sensor->window_ns : PWRTRACE_UNKNOWN_U64;
	uint64_t lag_ns = stated ? (uint64_t)sensor->lag_ns : PWRTRACE_UNKNOWN_U64;

	ctf_write_recording(writer, &(struct pwrtrace_recording){PID, PWRTRACE_SCHEMA, BEGIN_NS, 0,
					    host, boot, "truth_writer", "replay"});
	ctf_write_process(writer, &(struct pwrtrace_process){PID, PWRTRACE_SCHEMA, 0, BEGIN_NS, 0,
					  host, boot, "/bin/truth", PID});
	ctf_write_device(writer,
		&(struct pwrtrace_device){PID, 1, 0, 132, "cuda", "gpu",
			settings.counters ? TRUTH_COUNTED_DEVICE : "GPU", "Test", "1", uuid, ""});
	for (uint32_t i = 1; i <= 2; i++)
		ctf_write_stream_def(writer, &(struct pwrtrace_stream_def){PID, i, 1, 1, 0, 0});
	ctf_write_sensor_def(writer, &(struct pwrtrace_sensor_def){.process = PID,
					     .sensor = 1,
					     .period_ns = (uint64_t)sensor->period_ns,
					     .window_ns = window_ns,
					     .lag_ns = lag_ns,
					     .read_cost_ns = 1000,
					     .source = "replay",
					     .device = uuid,
					     .domain = "gpu",
					     .part_of = "",
					     .quantity = sensor->counter ? "energy" : "power",
					     .poll_ns = (uint64_t)sensor->period_ns,
					     .resolution_uw = PWRTRACE_UNKNOWN_U64,
					     .resolution_nj = PWRTRACE_UNKNOWN_U64,
					     .device_name = "",
					     .pci = "",
					     .driver = ""});
	if (settings.calibrated)
		write_calibration(writer);
	if (settings.counters)
		truth_define_counters(writer, COUNTERS, uuid);
	if (has_states(truth))
		ctf_write_sensor_def(writer, &(struct pwrtrace_sensor_def){.process = PID,
						     .sensor = STATES,
						     .period_ns = (uint64_t)sensor->period_ns,
						     .source = "replay",
						     .device = uuid,
						     .domain = "gpu",
						     .part_of = "",
						     .quantity = "state",
						     .poll_ns = (uint64_t)sensor->period_ns,
						     .device_name = "",
						     .pci = "",
						     .driver = ""});
	for (unsigned i = 0; i < truth->options.classes; i++)
		if (!truth->classes[i].copy)
			ctf_write_kernel_def(writer, &(struct pwrtrace_kernel_def){.process = PID,
							     .kernel = i + 1,
							     .global_x = 1024,
							     .global_y = 1,
							     .global_z = 1,
							     .local_x = 64,
							     .local_y = 1,
							     .local_z = 1,
							     .api = "cuda",
							     .name = truth->classes[i].name,
							     .arguments = ""});
}

static void write_state(struct ctf_writer *writer, uint64_t time_ns, double speed)
{
	ctf_write_device_state(writer, &(struct pwrtrace_device_state){.process = PID,
					       .sensor = STATES,
					       .time_ns = time_ns,
					       .sm_clock_mhz = (uint32_t)lround(CLOCK_MHZ * speed),
					       .memory_clock_mhz = PWRTRACE_UNKNOWN_U32,
					       .limit_mw = PWRTRACE_UNKNOWN_U32,
					       .temperature_c = PWRTRACE_UNKNOWN_U32,
					       .throttle_reasons = PWRTRACE_UNKNOWN_U64,
					       .edpp_limit_mw = PWRTRACE_UNKNOWN_U32,
					       .sm_percent = PWRTRACE_UNKNOWN_U32,
					       .tensor_percent = PWRTRACE_UNKNOWN_U32,
					       .memory_percent = PWRTRACE_UNKNOWN_U32});
}

static void write_readings(struct ctf_writer *writer, struct truth *truth)
{
	const struct truth_sensor *sensor = &settings.sensor;

	for (double due_ns = sensor->period_ns; due_ns < truth->end_ns;
		due_ns += sensor->period_ns) {
		struct truth_update update = truth_update(truth, sensor, due_ns);
		uint64_t time_ns = BEGIN_NS + (uint64_t)llround(update.time_ns);

		ctf_writer_at(writer, time_ns, 0);
		if (has_states(truth))
			write_state(writer, time_ns, truth_speed_at(truth, update.time_ns));
		if (sensor->counter)
			ctf_write_energy_counter(
				writer, &(struct pwrtrace_energy_counter){PID, 1, time_ns,
						(uint64_t)llround(update.value * 1e6)});
		else
			ctf_write_power_sample(
				writer, &(struct pwrtrace_power_sample){
						PID, 1, time_ns, llround(update.value * 1e3)});
	}
}

/* What replays did may be told after the last one. */
static void write_replays(struct ctf_writer *writer, const struct truth *truth)
{
	ctf_writer_at(writer, stamp(truth->end_ns), 0);
	for (size_t i = 0; i < truth->replay_count; i++) {
		const struct truth_replay *replay = &truth->replays[i];

		ctf_write_replay(writer, &(struct pwrtrace_replay){.process = PID,
						 .device = 1,
						 .kernel = replay->class_index + 1,
						 .begin_ns = stamp(replay->begin_ns),
						 .end_ns = stamp(replay->end_ns),
						 .count = replay->executions,
						 .reason = ""});
	}
}

static void write_executions(struct ctf_writer *writer, const struct truth *truth)
{
	for (size_t i = 0; i < truth->execution_count; i++) {
		const struct truth_execution *execution = &truth->executions[i];
		const struct truth_class *class = &truth->classes[execution->class_index];
		uint64_t begin_ns = stamp(execution->begin_ns);
		uint32_t duration_ns = (uint32_t)(stamp(execution->end_ns) - begin_ns);
		uint32_t correlation = (uint32_t)i + 1, stream = execution->stream + 1;

		ctf_writer_at(writer, begin_ns, 0);
		if (class->copy)
			ctf_write_memory_exec(writer, &(struct pwrtrace_memory_exec){.process = PID,
							      .tid = PID,
							      .correlation = correlation,
							      .stream = stream,
							      .bytes = 1 << 20,
							      .enqueue_ns = begin_ns,
							      .duration_ns = duration_ns,
							      .kind = "copy",
							      .name = class->name});
		else
			ctf_write_kernel_exec(writer, &(struct pwrtrace_kernel_exec){.process = PID,
							      .tid = PID,
							      .correlation = correlation,
							      .kernel = execution->class_index + 1,
							      .stream = stream,
							      .enqueue_ns = begin_ns,
							      .duration_ns = duration_ns,
							      .name = class->name});
	}
}

static void write_clock(struct ctf_writer *writer, uint64_t end_ns)
{
	for (uint64_t now_ns = BEGIN_NS; settings.clock_error_ns > 0 && now_ns < end_ns;
		now_ns += ANCHOR_NS) {
		ctf_writer_at(writer, now_ns, 0);
		ctf_write_clock_sync(writer, &(struct pwrtrace_clock_sync){PID, 1, now_ns, now_ns,
						     (uint64_t)settings.clock_error_ns, 0, 0});
	}
}

int main(int argc, char **argv)
{
	struct ctf_writer *writer;
	struct truth *truth;
	uint64_t end_ns;

	if (argc < 2 || *argv[argc - 1] == '-') {
		fputs("usage: truth_writer [KEY=VALUE]... DIR\n", stderr);
		return 2;
	}
	settings = truth_settings_default;
	for (int i = 1; i < argc - 1; i++)
		truth_settings_take(&settings, argv[i]);
	snprintf(host, sizeof(host), "h%u", settings.device);
	snprintf(boot, sizeof(boot), settings.options.run ? "b%u-%llu" : "b%u", settings.device,
		(unsigned long long)settings.options.run);
	snprintf(uuid, sizeof(uuid), "GPU-%u", settings.device);
	truth = truth_make(&settings.options);
	writer = ctf_writer_open(argv[argc - 1], 2, 1 << 20, PWRTRACE_SCHEMA);
	if (!writer) {
		perror(argv[argc - 1]);
		return 1;
	}
	end_ns = BEGIN_NS + (uint64_t)truth->end_ns;
	ctf_writer_at(writer, BEGIN_NS, 0);
	define(writer, truth);
	write_clock(writer, end_ns);
	write_executions(writer, truth);
	write_replays(writer, truth);
	/* In another stream file, where times may begin anew. */
	write_readings(writer, truth);
	if (settings.counters)
		truth_write_counters(writer, COUNTERS, truth,
			&(struct truth_counting){.begin_ns = BEGIN_NS,
				.error_ns = settings.counter_error_ns,
				.stream = 1});
	ctf_writer_at(writer, end_ns, 0);
	ctf_write_recording_end(writer, &(struct pwrtrace_recording_end){PID, end_ns, "ended"});
	truth_print(truth, &settings.sensor);
	truth_free(truth);
	return ctf_writer_close(writer) ? 1 : 0;
}
