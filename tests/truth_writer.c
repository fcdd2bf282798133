/* SPDX-License-Identifier: MIT */
/*
 * Writes a trace of a made-up run (known_truth.h) into the directory given and prints the truth of
 * it as JSON: what each class took in this run, as the sensor would count it (with its gain).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/ctf_writer.h"
#include "tests/known_truth.h"

#define PID 1
#define BEGIN_NS UINT64_C(1000000000000)
#define ANCHOR_NS PWRTRACE_NS_PER_S

static struct truth_options options = {.scenario = &truth_scenarios[1],
	.seed = 1,
	.seconds = 60,
	.static_w = 110,
	.shortest_us = 10,
	.longest_us = 5000,
	.variation = 0.03,
	.classes = 20,
	.copies = 2};
static struct truth_sensor sensor = {
	.period_ns = 100e6, .window_ns = 100e6, .gain = 1, .noise_w = 1, .noise_part = 0.005};
static double clock_error_ns;
static bool states_window;
static const char *dir;

static const char usage[] =
	"usage: truth_writer [KEY=VALUE]... DIR\n"
	"scenario= seed= seconds= classes= copies= shortest_us= longest_us= variation= static_w=\n"
	"period_ms= window_ms= lag_ms= tail_ms= jitter_ms= gain= noise_w= noise_part= counter=\n"
	"clock_error_us= states_window=\nscenarios:\n";

__attribute__((noreturn)) static void misused(const char *what)
{
	fprintf(stderr, "truth_writer: %s\n%s", what, usage);
	for (const struct truth_scenario *row = truth_scenarios; row->name; row++)
		fprintf(stderr, "  %-10s %s\n", row->name, row->help);
	exit(2);
}

static void take_scenario(const char *name)
{
	for (options.scenario = truth_scenarios; options.scenario->name; options.scenario++)
		if (strcmp(options.scenario->name, name) == 0)
			return;
	misused(name);
}

static const struct {
	const char *key;
	double *real;
	unsigned *whole;
	double unit;
} settings[] = {
	{"seconds", &options.seconds, NULL, 1},
	{"static_w", &options.static_w, NULL, 1},
	{"shortest_us", &options.shortest_us, NULL, 1},
	{"longest_us", &options.longest_us, NULL, 1},
	{"variation", &options.variation, NULL, 1},
	{"classes", NULL, &options.classes, 1},
	{"copies", NULL, &options.copies, 1},
	{"period_ms", &sensor.period_ns, NULL, 1e6},
	{"window_ms", &sensor.window_ns, NULL, 1e6},
	{"lag_ms", &sensor.lag_ns, NULL, 1e6},
	{"tail_ms", &sensor.tail_ns, NULL, 1e6},
	{"jitter_ms", &sensor.jitter_ns, NULL, 1e6},
	{"gain", &sensor.gain, NULL, 1},
	{"noise_w", &sensor.noise_w, NULL, 1},
	{"noise_part", &sensor.noise_part, NULL, 1},
	{"clock_error_us", &clock_error_ns, NULL, 1e3},
};

static void take_setting(const char *key, const char *value)
{
	if (strcmp(key, "scenario") == 0) {
		take_scenario(value);
		return;
	}
	if (strcmp(key, "seed") == 0)
		options.seed = strtoull(value, NULL, 10);
	else if (strcmp(key, "counter") == 0)
		sensor.counter = *value == '1';
	else if (strcmp(key, "states_window") == 0)
		states_window = *value == '1';
	else {
		for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
			if (strcmp(settings[i].key, key) != 0)
				continue;
			if (settings[i].real)
				*settings[i].real = strtod(value, NULL) * settings[i].unit;
			else
				*settings[i].whole = (unsigned)strtoul(value, NULL, 10);
			return;
		}
		misused(key);
	}
}

static void parse(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char *value = strchr(argv[i], '=');

		if (value) {
			*value++ = 0;
			take_setting(argv[i], value);
		} else {
			dir = argv[i];
		}
	}
	if (!dir || options.copies > options.classes)
		misused("what to write, and where?");
}

/* A device's clock that is compared once a second: off by up to clock_error_ns in between. */
static uint64_t stamp(double time_ns)
{
	double phase = 2 * M_PI * time_ns / (double)ANCHOR_NS;

	return BEGIN_NS + (uint64_t)llround(time_ns + clock_error_ns * sin(phase));
}

static void define(struct ctf_writer *writer, const struct truth *truth)
{
	uint64_t window_ns = states_window ? (uint64_t)sensor.window_ns : PWRTRACE_UNKNOWN_U64;
	uint64_t lag_ns = states_window ? (uint64_t)sensor.lag_ns : PWRTRACE_UNKNOWN_U64;

	ctf_write_recording(writer, &(struct pwrtrace_recording){PID, PWRTRACE_SCHEMA, BEGIN_NS, 0,
					    "h", "b", "truth_writer", "replay"});
	ctf_write_process(writer, &(struct pwrtrace_process){PID, PWRTRACE_SCHEMA, 0, BEGIN_NS, 0,
					  "h", "b", "/bin/truth"});
	ctf_write_device(writer, &(struct pwrtrace_device){PID, 1, 0, 132, "cuda", "gpu", "GPU",
					 "Test", "1", "GPU-1", ""});
	for (uint32_t i = 1; i <= 2; i++)
		ctf_write_stream_def(writer, &(struct pwrtrace_stream_def){PID, i, 1, 1, 0});
	ctf_write_sensor_def(writer, &(struct pwrtrace_sensor_def){.pid = PID,
					     .sensor = 1,
					     .period_ns = (uint64_t)sensor.period_ns,
					     .window_ns = window_ns,
					     .lag_ns = lag_ns,
					     .read_cost_ns = 1000,
					     .source = "replay",
					     .device = "GPU-1",
					     .domain = "gpu",
					     .part_of = "",
					     .quantity = sensor.counter ? "energy" : "power",
					     .poll_ns = (uint64_t)sensor.period_ns,
					     .resolution_uw = PWRTRACE_UNKNOWN_U64,
					     .resolution_nj = PWRTRACE_UNKNOWN_U64,
					     .device_name = "",
					     .pci = "",
					     .driver = ""});
	for (unsigned i = 0; i < options.classes; i++)
		if (!truth->classes[i].copy)
			ctf_write_kernel_def(
				writer, &(struct pwrtrace_kernel_def){PID, i + 1, 1024, 1, 1, 64, 1,
						1, 0, 0, "cuda", truth->classes[i].name});
}

static void write_readings(struct ctf_writer *writer, struct truth *truth)
{
	for (double now_ns = sensor.period_ns; now_ns < truth->end_ns; now_ns += sensor.period_ns) {
		double late_ns = sensor.jitter_ns * truth_uniform(truth);
		uint64_t time_ns = BEGIN_NS + (uint64_t)llround(now_ns + late_ns);
		double value = fmax(0, truth_reading(truth, &sensor, now_ns + late_ns));

		ctf_writer_at(writer, time_ns, 0);
		if (sensor.counter)
			ctf_write_energy_counter(
				writer, &(struct pwrtrace_energy_counter){
						PID, 1, time_ns, (uint64_t)llround(value * 1e6)});
		else
			ctf_write_power_sample(writer, &(struct pwrtrace_power_sample){PID, 1,
							       time_ns, llround(value * 1e3)});
	}
}

static void write_executions(struct ctf_writer *writer, const struct truth *truth)
{
	for (size_t i = 0; i < truth->execution_count; i++) {
		const struct truth_execution *execution = &truth->executions[i];
		const struct truth_class *class = &truth->classes[execution->class_index];
		uint64_t begin_ns = stamp(execution->begin_ns), end_ns = stamp(execution->end_ns);
		uint32_t correlation = (uint32_t)i + 1, stream = execution->stream + 1;

		ctf_writer_at(writer, begin_ns, 0);
		if (class->copy)
			ctf_write_memory_exec(
				writer, &(struct pwrtrace_memory_exec){PID, PID, correlation,
						stream, 0, 1 << 20, begin_ns, begin_ns, begin_ns,
						begin_ns, end_ns, PWRTRACE_UNKNOWN_U64,
						PWRTRACE_UNKNOWN_U64, "copy", class->name});
		else
			ctf_write_kernel_exec(
				writer, &(struct pwrtrace_kernel_exec){PID, correlation,
						execution->class_index + 1, stream, begin_ns,
						begin_ns, end_ns, PWRTRACE_UNKNOWN_U64,
						PWRTRACE_UNKNOWN_U64, class->name});
	}
}

static void print_truth(const struct truth *truth)
{
	printf("{\"scenario\":\"%s\",\"seed\":%llu,\"executions\":%zu,\"total_j\":%.9f,"
	       "\"idle_j\":%.9f,\"classes\":[",
		options.scenario->name, (unsigned long long)options.seed, truth->execution_count,
		sensor.gain * truth->total_j, sensor.gain * truth->idle_j);
	for (unsigned i = 0; i < options.classes; i++) {
		const struct truth_class *class = &truth->classes[i];

		printf("%s\n {\"name\":\"%s\",\"executions\":%llu,\"time_s\":%.9f,"
		       "\"energy_j\":%.9f,\"static_j\":%.9f,\"dynamic_j\":%.9f}",
			i ? "," : "", class->name, (unsigned long long)class->executions,
			class->time_s, sensor.gain * (class->static_j + class->dynamic_j),
			sensor.gain * class->static_j, sensor.gain * class->dynamic_j);
	}
	printf("]}\n");
}

int main(int argc, char **argv)
{
	struct ctf_writer *writer;
	struct truth *truth;
	uint64_t end_ns;

	parse(argc, argv);
	truth = truth_make(&options);
	writer = ctf_writer_open(dir, 1, 1 << 20);
	if (!writer) {
		perror(dir);
		return 1;
	}
	end_ns = BEGIN_NS + (uint64_t)truth->end_ns;
	ctf_writer_at(writer, BEGIN_NS, 0);
	define(writer, truth);
	for (uint64_t now_ns = BEGIN_NS; clock_error_ns > 0 && now_ns < end_ns;
		now_ns += ANCHOR_NS) {
		ctf_writer_at(writer, now_ns, 0);
		ctf_write_clock_sync(writer, &(struct pwrtrace_clock_sync){PID, 1, now_ns, now_ns,
						     (uint64_t)clock_error_ns});
	}
	write_executions(writer, truth);
	/* Another stream file, so that time begins anew. */
	write_readings(writer, truth);
	ctf_writer_at(writer, end_ns, 0);
	ctf_write_recording_end(writer, &(struct pwrtrace_recording_end){PID, end_ns, "ended"});
	print_truth(truth);
	truth_free(truth);
	return ctf_writer_close(writer) ? 1 : 0;
}
