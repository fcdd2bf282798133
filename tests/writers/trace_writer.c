/* SPDX-License-Identifier: MIT */
/*
 * Writes a synthetic recording of any size, for tests and benchmarks: launches round-robin over
 * kernels, device streams and layers, on one device whose power is known.  Without -o the events go
 * to the LTTng sessions that record pwrtrace:*; -o DIR makes a trace in DIR without LTTng.  -e adds
 * an energy counter of the same device and domain, -l the times in which layers were open.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "preload/engine/core/tp_emit.h"
#include "tests/writers/ctf_writer.h"

#define POWER_MW 100000

static struct {
	unsigned long launches;
	unsigned kernels, device_streams, flow_streams, in_flight, per_layer;
	uint64_t kernel_ns, gap_ns, sample_ns, counter_ns, pause_every;
	const char *dir;
} options = {
	.launches = 1000000,
	.kernels = 16,
	.device_streams = 2,
	.flow_streams = 2,
	.in_flight = 64,
	.kernel_ns = 8000,
	.gap_ns = 2000,
	.sample_ns = 20 * PWRTRACE_NS_PER_MS,
	.pause_every = 20000,
};

static struct ctf_writer *writer;

#define EMIT(name, ...)                                                                            \
	do {                                                                                       \
		struct pwrtrace_##name event = {__VA_ARGS__};                                      \
                                                                                                   \
		if (writer)                                                                        \
			ctf_write_##name(writer, &event);                                          \
		else                                                                               \
			tp_##name(&event);                                                         \
	} while (0)

static const char usage[] =
	"usage: trace_writer [-n launches] [-k kernels] [-q device streams] [-s flow streams]\n"
	"                    [-f launches in flight] [-p sample period ms] [-e counter period ms]\n"
	"                    [-l launches for which a layer is open] [-w pause every N] [-o DIR]\n";

static uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * PWRTRACE_NS_PER_S + now.tv_nsec;
}

static void parse_options(int argc, char **argv)
{
	for (int letter; (letter = getopt(argc, argv, "n:k:q:s:f:p:e:l:w:o:")) != -1;) {
		switch (letter) {
		case 'n':
			options.launches = strtoul(optarg, NULL, 10);
			break;
		case 'k':
			options.kernels = atoi(optarg);
			break;
		case 'q':
			options.device_streams = atoi(optarg);
			break;
		case 's':
			options.flow_streams = atoi(optarg);
			break;
		case 'f':
			options.in_flight = atoi(optarg);
			break;
		case 'p':
			options.sample_ns = strtoul(optarg, NULL, 10) * PWRTRACE_NS_PER_MS;
			break;
		case 'e':
			options.counter_ns = strtoul(optarg, NULL, 10) * PWRTRACE_NS_PER_MS;
			break;
		case 'l':
			options.per_layer = strtoul(optarg, NULL, 10);
			break;
		case 'w':
			options.pause_every = strtoul(optarg, NULL, 10);
			break;
		case 'o':
			options.dir = optarg;
			break;
		default:
			fputs(usage, stderr);
			exit(2);
		}
	}
}

static void define_sensor(uint32_t pid, uint32_t sensor, uint64_t period_ns, const char *quantity)
{
	EMIT(sensor_def, .process = pid, .sensor = sensor, .period_ns = period_ns,
		.window_ns = PWRTRACE_UNKNOWN_U64, .lag_ns = PWRTRACE_UNKNOWN_U64,
		.read_cost_ns = 1000, .poll_ns = period_ns, .resolution_uw = PWRTRACE_UNKNOWN_U64,
		.resolution_nj = PWRTRACE_UNKNOWN_U64, .source = "replay", .device = "cpu",
		.device_name = "", .pci = "", .driver = "", .domain = "package-0", .part_of = "",
		.quantity = quantity);
}

static void define(uint32_t pid, uint64_t begin_ns)
{
	EMIT(recording, pid, PWRTRACE_SCHEMA, begin_ns, 0, "testhost", "boot", "trace_writer",
		"replay");
	EMIT(process, pid, PWRTRACE_SCHEMA, 1, begin_ns, 0, "testhost", "boot", "/bin/app", pid);
	EMIT(device, pid, 1, 0, 8, "opencl", "cpu", "Test device", "Test", "1.0", "uuid-1", "");
	define_sensor(pid, 1, options.sample_ns, "power");
	if (options.counter_ns)
		define_sensor(pid, 2, options.counter_ns, "energy");
	for (uint32_t i = 1; i <= options.device_streams; i++)
		EMIT(stream_def, pid, i, 1, 1, 0, 0);
	EMIT(layer_def, pid, 1, 0, "api", "", "model");
	for (uint32_t i = 2; i <= 5; i++) {
		char name[32];

		snprintf(name, sizeof(name), "block%u", i - 2);
		EMIT(layer_def, pid, i, 1, "api", "", name);
	}
}

static void kernel_name(unsigned kernel, char name[32])
{
	snprintf(name, 32, "kernel_%02u", kernel);
}

/* Blocks 0 to 3 take turns: one for so many launches, else one for each. */
static uint32_t layer_of(unsigned long i)
{
	return i / (options.per_layer ? options.per_layer : 1) % 4 + 2;
}

static void launch(uint32_t pid, unsigned long i, uint64_t enqueue_ns)
{
	if (options.per_layer && i % options.per_layer == 0) {
		if (i)
			EMIT(layer_pop, pid, pid, layer_of(i - 1), enqueue_ns);
		EMIT(layer_push, .process = pid, .tid = pid, .layer = layer_of(i),
			.begin_ns = enqueue_ns);
	}
}

static void execute(uint32_t pid, unsigned long i, uint64_t enqueue_ns, uint64_t begin_ns)
{
	char name[32];

	kernel_name(i % options.kernels, name);
	EMIT(kernel_exec, pid, pid, i + 1, i % options.kernels + 1, i % options.device_streams + 1,
		layer_of(i), 0, 0, enqueue_ns, 500, (int32_t)(begin_ns - enqueue_ns),
		(uint32_t)options.kernel_ns, name);
}

static void write_sample(uint32_t pid, uint64_t time_ns)
{
	EMIT(power_sample, pid, 1, time_ns, POWER_MW);
}

static void write_counter(uint32_t pid, uint64_t time_ns)
{
	EMIT(energy_counter, pid, 2, time_ns, time_ns / PWRTRACE_NS_PER_MS * POWER_MW);
}

/* Calls emit every period_ns, up to now_ns. */
static void write_due(void (*emit)(uint32_t pid, uint64_t time_ns), uint32_t pid,
	uint64_t period_ns, uint64_t *next_ns, uint64_t now_ns)
{
	for (; period_ns && *next_ns <= now_ns; *next_ns += period_ns)
		emit(pid, *next_ns);
}

/* Launches lead executions by in_flight, as in a program that fills its queues. */
static void run(uint32_t pid, uint64_t begin_ns)
{
	uint64_t step_ns = options.kernel_ns + options.gap_ns, next_sample_ns = begin_ns;
	uint64_t next_counter_ns = begin_ns;
	unsigned long total = options.launches + options.in_flight;
	uint64_t end_ns = begin_ns + 10000 + total * step_ns;

	for (unsigned long i = 0; i < total; i++) {
		uint64_t now_ns = begin_ns + 10000 + i * step_ns;

		if (writer)
			ctf_writer_at(writer, now_ns, i % options.flow_streams);
		write_due(write_sample, pid, options.sample_ns, &next_sample_ns, now_ns);
		write_due(write_counter, pid, options.counter_ns, &next_counter_ns, now_ns);
		if (i < options.launches)
			launch(pid, i, now_ns);
		if (i >= options.in_flight)
			execute(pid, i - options.in_flight, now_ns - options.in_flight * step_ns,
				now_ns - step_ns);
		if (!writer && options.pause_every && i % options.pause_every == 0)
			usleep(10000);
	}
	write_sample(pid, end_ns);
	if (options.counter_ns)
		write_counter(pid, end_ns);
	EMIT(process_end, pid, end_ns);
	EMIT(recording_end, pid, end_ns, "ended");
}

int main(int argc, char **argv)
{
	uint32_t pid = getpid();
	uint64_t begin_ns;

	parse_options(argc, argv);
	if (options.dir) {
		writer = ctf_writer_open(
			options.dir, options.flow_streams, 1 << 20, PWRTRACE_SCHEMA);
		if (!writer) {
			perror(options.dir);
			return 1;
		}
	}
	begin_ns = monotonic_ns();
	if (writer)
		ctf_writer_at(writer, begin_ns, 0);
	define(pid, begin_ns);
	for (unsigned i = 0; i < options.kernels; i++) {
		char name[32];

		kernel_name(i, name);
		EMIT(kernel_def, .process = pid, .kernel = i + 1, .global_x = 1024, .global_y = 1,
			.global_z = 1, .local_x = 64, .local_y = 1, .local_z = 1, .api = "opencl",
			.name = name, .arguments = "");
	}
	run(pid, begin_ns);
	return writer && ctf_writer_close(writer) ? 1 : 0;
}
