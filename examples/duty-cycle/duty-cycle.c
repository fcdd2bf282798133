/* SPDX-License-Identifier: MIT */
/*
 * A device that computes, or moves memory, for a chosen share of the time: a known pattern of
 * power, with data whose bits toggle (random) or do not (zeros).
 */
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <pwrtrace/pwrtrace.h>

#include "../opencl-example.h"

#define NS_PER_S 1000000000ULL
#define NS_PER_MS 1000000ULL
#define LAUNCHES_PER_BUSY_TIME 16
#define COMPUTE_ITEMS (1 << 16)
#define MEMORY_ITEMS (1 << 22)

struct settings {
	double duty;
	double period_ms;
	double seconds;
	bool compute;
	bool memory;
	bool random_data;
};

/* A kernel whose running time grows with its argument `repeats`. */
struct load {
	const char *name;
	cl_kernel kernel;
	size_t items;
	double operations_per_repeat; /* of every item: FLOP or bytes */
	const char *unit;
	cl_mem from;
	cl_mem to;
	cl_int repeats;
	uint64_t launch_ns; /* how long one launch takes, by calibration */
	unsigned long launches;
	uint64_t busy_ns;
};

/* Both read their data from memory, so that no compiler knows it to be zero.  memory strides far
 * from one repeat to the next, so that no cache has what it reads. */
static const char source[] =
	"kernel void compute(global const float4 *from, global float4 *to, int repeats)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	float4 a = from[i], b = from[i + 1], x = a, y = b;\n"
	"	for (int n = 0; n < 16 * repeats; n++) {\n"
	"		x = fma(x, a, b);\n"
	"		y = fma(y, b, a);\n"
	"	}\n"
	"	to[i] = x + y;\n"
	"}\n"
	"kernel void memory(global const float4 *from, global float4 *to, int repeats)\n"
	"{\n"
	"	uint items = get_global_size(0);\n"
	"	for (uint n = 0; n < repeats; n++) {\n"
	"		uint i = (get_global_id(0) + n * 1000003) % items;\n"
	"		to[i] = from[i];\n"
	"	}\n"
	"}\n";

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static void sleep_until(uint64_t time_ns)
{
	const struct timespec time = {time_ns / NS_PER_S, time_ns % NS_PER_S};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
		;
}

/* Launches the load once and waits for it.  Returns how long that took. */
static uint64_t run_once(struct gpu *gpu, struct load *load)
{
	const struct argument arguments[] = {
		ARGUMENT(load->from), ARGUMENT(load->to), ARGUMENT(load->repeats)};
	const uint64_t begin_ns = now_ns();

	gpu_launch(gpu, load->kernel, 1, &load->items, 3, arguments);
	gpu_finish(gpu);
	return now_ns() - begin_ns;
}

/* Whatever else the machine does makes a launch longer, never shorter. */
static uint64_t fastest_of_three(struct gpu *gpu, struct load *load)
{
	uint64_t fastest_ns = UINT64_MAX;

	for (int i = 0; i < 3; i++) {
		const uint64_t once_ns = run_once(gpu, load);

		if (once_ns < fastest_ns)
			fastest_ns = once_ns;
	}
	return fastest_ns;
}

/* Doubles the repeats until one launch takes target_ns. */
static void calibrate(struct gpu *gpu, struct load *load, uint64_t target_ns)
{
	pwrtrace_push("calibration");
	load->repeats = 1;
	while ((load->launch_ns = fastest_of_three(gpu, load)) < target_ns &&
		load->repeats < 1 << 20)
		load->repeats *= 2;
	pwrtrace_pop();
}

/* Keeps the device busy for duty × period, to the nearest launch, and idle for the rest of it. */
static void run_period(struct gpu *gpu, struct load *load, const struct settings *settings,
	uint64_t begin_ns, uint64_t period_ns)
{
	const uint64_t busy_end_ns = begin_ns + (uint64_t)(settings->duty * period_ns);

	pwrtrace_push(load->name);
	while (now_ns() + load->launch_ns / 2 < busy_end_ns) {
		load->busy_ns += run_once(gpu, load);
		load->launches++;
	}
	pwrtrace_pop();
	sleep_until(begin_ns + period_ns);
}

static void run(struct gpu *gpu, struct load *loads, size_t count, const struct settings *settings)
{
	const uint64_t period_ns = (uint64_t)(settings->period_ms * NS_PER_MS);
	const uint64_t periods = (uint64_t)ceil(settings->seconds * NS_PER_S / period_ns);
	const uint64_t begin_ns = now_ns();

	for (uint64_t i = 0; i < periods; i++) {
		pwrtrace_mark("duty", settings->duty, "");
		run_period(gpu, &loads[i % count], settings, begin_ns + i * period_ns, period_ns);
	}
}

static struct load create_load(struct gpu *gpu, const char *name, size_t items,
	double operations_per_repeat, const char *unit, bool random_data)
{
	/* One element more than items: compute reads two neighbours. */
	const size_t elements = 4 * (items + 1), bytes = elements * sizeof(float);
	float *data = calloc(elements, sizeof(*data));
	struct load load = {.name = name, .items = items, .unit = unit};

	if (!data)
		die("out of memory");
	load.operations_per_repeat = operations_per_repeat;
	load.kernel = gpu_kernel(gpu, name);
	load.from = gpu_buffer(gpu, bytes);
	load.to = gpu_buffer(gpu, bytes);
	for (size_t i = 0; random_data && i < elements; i++)
		data[i] = rand() / (float)RAND_MAX - 0.5f;
	gpu_write(gpu, load.from, data, bytes);
	free(data);
	return load;
}

/* The factors are smaller than one half, so that the sums stay finite. */
static void finish_load(struct gpu *gpu, struct load *load)
{
	const double operations = load->operations_per_repeat * load->repeats * load->items;
	float result[4];

	gpu_read(gpu, load->to, result, sizeof(result));
	for (size_t i = 0; i < 4; i++)
		if (!isfinite(result[i]))
			die("wrong result: %s computed %g", load->name, result[i]);
	printf("%s: %lu launches", load->name, load->launches);
	if (load->launches)
		printf(", %.1f %s", load->launches * operations / load->busy_ns, load->unit);
	putchar('\n');
	clReleaseMemObject(load->from);
	clReleaseMemObject(load->to);
	clReleaseKernel(load->kernel);
}

/* Returns whether text is the second of two words; any other word ends the program. */
static bool choice(const char *option, const char *text, const char *first, const char *second)
{
	if (strcmp(text, first) && strcmp(text, second)) {
		fprintf(stderr, "%s: --%s %s: neither %s nor %s\n", program_invocation_short_name,
			option, text, first, second);
		exit(2);
	}
	return !strcmp(text, second);
}

static struct settings parse_options(int argc, char **argv)
{
	static const struct option options[] = {
		{"duty", required_argument, NULL, 'd'},
		{"period-ms", required_argument, NULL, 'p'},
		{"seconds", required_argument, NULL, 's'},
		{"kernel", required_argument, NULL, 'k'},
		{"data", required_argument, NULL, 'r'},
		{0},
	};
	struct settings settings = {
		.duty = 0.5, .period_ms = 100, .seconds = 4, .compute = true, .memory = true};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'd':
			settings.duty = number_option("duty", optarg, 0, 1);
			break;
		case 'p':
			settings.period_ms = number_option("period-ms", optarg, 1, 1e6);
			break;
		case 's':
			settings.seconds = number_option("seconds", optarg, 0, 1e6);
			break;
		case 'k':
			if (!strcmp(optarg, "both"))
				break;
			settings.memory = choice("kernel", optarg, "compute", "memory");
			settings.compute = !settings.memory;
			break;
		case 'r':
			settings.random_data = choice("data", optarg, "zeros", "random");
			break;
		default:
			exit(2);
		}
	}
	if (optind < argc) {
		fprintf(stderr, "usage: duty-cycle [--duty 0..1] [--period-ms N] [--seconds N] "
				"[--kernel compute|memory|both] [--data zeros|random]\n");
		exit(2);
	}
	return settings;
}

int main(int argc, char **argv)
{
	const struct settings settings = parse_options(argc, argv);
	const uint64_t launch_ns =
		settings.duty * settings.period_ms * NS_PER_MS / LAUNCHES_PER_BUSY_TIME;
	struct gpu gpu = gpu_open(source);
	struct load loads[2];
	size_t count = 0;

	/* 16 iterations of two FMAs on four floats; 16 bytes read and 16 written. */
	if (settings.compute)
		loads[count++] = create_load(&gpu, "compute", COMPUTE_ITEMS, 16 * 2 * 4 * 2,
			"GFLOP/s", settings.random_data);
	if (settings.memory)
		loads[count++] =
			create_load(&gpu, "memory", MEMORY_ITEMS, 32, "GB/s", settings.random_data);
	for (size_t i = 0; i < count; i++)
		calibrate(&gpu, &loads[i], launch_ns);
	run(&gpu, loads, count, &settings);
	for (size_t i = 0; i < count; i++)
		finish_load(&gpu, &loads[i]);
	gpu_close(&gpu);
	return 0;
}
