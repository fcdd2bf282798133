/* SPDX-License-Identifier: MIT */
/*
 * How busy the parts of NVIDIA's GPUs are, by counters that CUPTI samples every millisecond.  Each
 * device has a thread of its own, as a sample takes some 100 µs of it.
 */
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/clock.h"
#include "preload/common/conf.h"
#include "preload/power/core/notes.h"
#include "preload/power/core/power.h"
#include "preload/power/counters/sampling.h"

#define INTERVAL_NS PWRTRACE_NS_PER_MS
#define POLL_NS (200 * PWRTRACE_NS_PER_MS)
#define WRITE_NS (50 * PWRTRACE_NS_PER_MS)
/* The first polls follow each other quickly, until the clocks have been compared often enough. */
#define FIRST_COMPARED 20
#define FIRST_POLLS_MOST 200
#define FIRST_POLL_NS (10 * PWRTRACE_NS_PER_MS)
#define DRIFT_PPM 20 /* by which the clocks differ at most */
/* After the first seconds, as many as PWRTRACE_COUNTERS says, samples of BURST_NS are kept of each
 * EVERY_NS: an analysis takes 200 blocks of half a second (counted.h), and all samples of an hour
 * would be 0.6 GB. */
#define EVERY_NS (10 * PWRTRACE_NS_PER_S)
#define BURST_NS (1050 * PWRTRACE_NS_PER_MS)
#define FINISH_NS PWRTRACE_NS_PER_S
#define COMPARED 64  /* polls: the clocks differ by the least lead of so many */
#define QUEUED 16384 /* readings, a power of two: 16 s */
#define LEAD_NONE INT64_MAX

static const char *const part_domains[] = {
#define PART(word, domain, ...) [PWRTRACE_PART_##word] = domain,
#include "pwrtrace/parts.def"
#undef PART
};

/* What a sensor of each part says: until time_ns of CLOCK_MONOTONIC it was busy for so long. */
struct reading {
	uint64_t time_ns;
	uint64_t busy_ns[PWRTRACE_PARTS];
};

struct counted_device {
	struct sampling *sampling;
	uint64_t whole_ns; /* from the first sample on: until then all are kept */
	char uuid[UUID_TEXT_BYTES];
	char problem[POWER_WHY_MAX]; /* "": none */
	pthread_t thread;
	bool started, running;

	/* The thread's own.  The GPU's clock is ahead of CLOCK_MONOTONIC by at most how far the end
	 * of the first sample of a poll is ahead of the begin of the poll before, which did not see
	 * it.  Where no sample between is missing, this is less than an interval too much. */
	int64_t lead_ns[COMPARED];
	unsigned polls, compared;
	uint64_t polled_ns; /* when the last poll began */
	int64_t ahead_ns;   /* of the GPU's clock, by which times are converted */
	uint64_t seen_ns;   /* the end of the last sample that was decoded; 0: none */
	uint64_t begin_ns;  /* of the first sample; 0: none */
	uint64_t end_ns;    /* of the last one; 0: none */
	bool passed_over;   /* the last one was not kept */
	double busy_ns[PWRTRACE_PARTS];
	struct sample early[QUEUED / 4]; /* before the clocks have been compared */
	size_t early_count;
	bool early_done;
	bool first_of_poll;
	unsigned noted; /* holes */

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t wake;
	bool stop;
	struct reading queue[QUEUED];
	size_t made, written[PWRTRACE_PARTS];
	char said[POWER_WHY_MAX]; /* what the thread has to say; "": nothing */
};

struct counters {
	struct counted_device *devices;
	struct power_sensor *sensors; /* PWRTRACE_PARTS of each device */
	size_t count;
	uint64_t whole_ns;
	struct power_notes notes; /* what threads have said */
};

/* ---- the thread ---- */

__attribute__((format(printf, 2, 3))) static void note(
	struct counted_device *device, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	pthread_mutex_lock(&device->lock);
	vsnprintf(device->said, sizeof(device->said), format, args);
	pthread_mutex_unlock(&device->lock);
	va_end(args);
}

static int64_t least_lead_ns(const struct counted_device *device)
{
	int64_t least_ns = LEAD_NONE;

	for (size_t i = 0; i < COMPARED; i++)
		if (device->lead_ns[i] < least_ns)
			least_ns = device->lead_ns[i];
	return least_ns;
}

/* Follows what the polls tell of the clocks without steps, which would misdate samples. */
static void follow_clock(struct counted_device *device, uint64_t passed_ns)
{
	int64_t target_ns = least_lead_ns(device);
	int64_t most_ns = (int64_t)(passed_ns * DRIFT_PPM / 1000000);
	int64_t by_ns = target_ns - device->ahead_ns;

	if (device->compared < FIRST_COMPARED || device->ahead_ns == LEAD_NONE)
		device->ahead_ns = target_ns;
	else if (target_ns != LEAD_NONE)
		device->ahead_ns += by_ns > most_ns ? most_ns : by_ns < -most_ns ? -most_ns : by_ns;
}

/* counts: else it begins anew, by a value below all others. */
static void add_reading(struct counted_device *device, uint64_t gpu_ns, bool counts)
{
	struct reading *reading = &device->queue[device->made % QUEUED];

	reading->time_ns = gpu_ns - (uint64_t)device->ahead_ns;
	for (size_t i = 0; i < PWRTRACE_PARTS; i++) {
		device->busy_ns[i] = counts ? device->busy_ns[i] : 0;
		reading->busy_ns[i] = counts ? (uint64_t)device->busy_ns[i] + 1 : 0;
	}
	device->made++;
}

static bool is_kept(const struct counted_device *device, const struct sample *sample)
{
	uint64_t past_ns = sample->begin_ns - device->begin_ns;

	return past_ns < device->whole_ns || past_ns % EVERY_NS < BURST_NS;
}

/* A sample begins where the one before ended, give or take 2 µs, unless one between is missing. */
static bool is_hole(uint64_t end_ns, const struct sample *next)
{
	return (int64_t)(next->begin_ns - end_ns) > (int64_t)INTERVAL_NS / 2;
}

static void take_in_order(struct counted_device *device, const struct sample *sample)
{
	bool hole = is_hole(device->end_ns, sample);
	bool passed_over = device->passed_over;

	if (hole && device->end_ns && !device->noted++)
		note(device, "%s lost samples of its counters; what runs then is not counted",
			device->uuid);
	device->begin_ns = device->begin_ns ? device->begin_ns : sample->begin_ns;
	device->end_ns = sample->end_ns;
	device->passed_over = !is_kept(device, sample);
	if (device->passed_over)
		return;
	pthread_mutex_lock(&device->lock);
	if (hole || passed_over)
		add_reading(device, sample->begin_ns, false);
	for (size_t i = 0; i < PWRTRACE_PARTS; i++)
		device->busy_ns[i] +=
			sample->share[i] * (double)(sample->end_ns - sample->begin_ns);
	add_reading(device, sample->end_ns, true);
	pthread_mutex_unlock(&device->lock);
}

static void take(void *context, const struct sample *sample)
{
	struct counted_device *device = context;

	if (device->first_of_poll && device->seen_ns && !is_hole(device->seen_ns, sample)) {
		device->lead_ns[device->polls % COMPARED] =
			(int64_t)(sample->end_ns - device->polled_ns);
		device->compared++;
	}
	device->first_of_poll = false;
	device->seen_ns = sample->end_ns;
	/* The first one began when the counters were enabled. */
	if (sample->end_ns - sample->begin_ns > 2 * INTERVAL_NS)
		return;
	if (device->early_done)
		take_in_order(device, sample);
	else if (device->early_count < QUEUED / 4)
		device->early[device->early_count++] = *sample;
}

static bool poll_once(struct counted_device *device)
{
	char why[POWER_WHY_MAX];
	uint64_t begin_ns = clock_now_ns();

	device->first_of_poll = true;
	device->lead_ns[device->polls % COMPARED] = LEAD_NONE;
	if (!sampling_decode(device->sampling, take, device, why, sizeof(why))) {
		note(device, "%s; the utilization of the GPU is not known from here on", why);
		return false;
	}
	follow_clock(device, begin_ns - device->polled_ns);
	device->polled_ns = begin_ns;
	device->polls++;
	if (device->compared < FIRST_COMPARED)
		return true;
	for (size_t i = 0; i < device->early_count; i++)
		take_in_order(device, &device->early[i]);
	device->early_count = 0;
	device->early_done = true;
	return true;
}

/* Returns whether to go on. */
static bool pause_until(struct counted_device *device, uint64_t until_ns)
{
	struct timespec until = clock_timespec(until_ns);
	bool stop;

	pthread_mutex_lock(&device->lock);
	while (!device->stop &&
		pthread_cond_clockwait(&device->wake, &device->lock, CLOCK_MONOTONIC, &until) == 0)
		;
	stop = device->stop;
	pthread_mutex_unlock(&device->lock);
	return !stop;
}

static uint64_t next_poll_ns(const struct counted_device *device)
{
	bool first = device->compared < FIRST_COMPARED && device->polls < FIRST_POLLS_MOST;

	return device->polled_ns + (first ? FIRST_POLL_NS : POLL_NS);
}

static void *sample_device(void *argument)
{
	struct counted_device *device = argument;
	char why[POWER_WHY_MAX];
	bool goes_on;

	device->polled_ns = clock_now_ns();
	if (!sampling_start(device->sampling, why, sizeof(why))) {
		note(device, "%s; the utilization of the GPU is not known", why);
		sampling_close(device->sampling);
		return NULL;
	}
	do /* at the end once more */
		goes_on = pause_until(device, next_poll_ns(device));
	while (poll_once(device) && goes_on);
	sampling_close(device->sampling);
	return NULL;
}

/* With all signals blocked: they are the recorder's. */
static void start(struct counted_device *device)
{
	sigset_t all, before;

	device->started = device->running = true;
	device->ahead_ns = LEAD_NONE;
	for (size_t i = 0; i < COMPARED; i++)
		device->lead_ns[i] = LEAD_NONE;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&device->thread, NULL, sample_device, device)) {
		device->running = false;
		note(device, "no thread for the counters; the utilization of the GPU is not known");
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- the source ---- */

/* Ends the threads; one that is held up in the driver goes on running. */
static void finish_counters(void *state)
{
	struct counters *counters = state;
	struct timespec until = clock_timespec(clock_now_ns() + FINISH_NS);

	for (size_t i = 0; i < counters->count; i++) {
		struct counted_device *device = &counters->devices[i];

		pthread_mutex_lock(&device->lock);
		device->stop = true;
		pthread_cond_signal(&device->wake);
		pthread_mutex_unlock(&device->lock);
	}
	for (size_t i = 0; i < counters->count; i++) {
		struct counted_device *device = &counters->devices[i];

		if (!device->running)
			continue;
		if (pthread_clockjoin_np(device->thread, NULL, CLOCK_MONOTONIC, &until)) {
			power_notes_add(&counters->notes, "busy_counter",
				"%s: the driver does not answer; its utilization is not known to "
				"the end",
				device->uuid);
		} else {
			device->running = false;
			device->sampling = NULL; /* its thread has closed it */
		}
	}
}

/* Returns false if its thread is held up in the driver: then what it uses stays. */
static bool close_device(struct counted_device *device)
{
	if (device->running)
		return false;
	sampling_close(device->sampling);
	pthread_mutex_destroy(&device->lock);
	pthread_cond_destroy(&device->wake);
	return true;
}

static void close_counters(void *state)
{
	struct counters *counters = state;
	bool closed = true;

	finish_counters(counters);
	for (size_t i = 0; i < counters->count; i++)
		closed &= close_device(&counters->devices[i]);
	power_notes_free(&counters->notes);
	if (closed)
		free(counters->devices);
	free(counters->sensors);
	free(counters);
}

static void open_device(struct counters *counters, size_t i)
{
	struct counted_device *device = &counters->devices[i];

	pthread_mutex_init(&device->lock, NULL);
	pthread_cond_init(&device->wake, NULL);
	device->whole_ns = counters->whole_ns;
	sampling_uuid((unsigned)i, device->uuid);
	device->sampling =
		sampling_open((unsigned)i, INTERVAL_NS, device->problem, sizeof(device->problem));
	for (size_t part = 0; part < PWRTRACE_PARTS; part++)
		counters->sensors[i * PWRTRACE_PARTS + part] = (struct power_sensor){
			.device = device->uuid,
			.domain = part_domains[part],
			.quantity = "busy",
			.period_ns = INTERVAL_NS,
			.window_ns = PWRTRACE_UNKNOWN_U64,
			.lag_ns = PWRTRACE_UNKNOWN_U64,
			.poll_ns = WRITE_NS,
			.batched = true,
			.problem = device->sampling ? NULL : device->problem,
		};
}

static void *open_counters(const char *argument, char *why)
{
	double whole_s = conf_number(conf.counters);
	struct counters *counters;
	int count = sampling_devices(why, POWER_WHY_MAX);

	(void)argument; /* always "": its row has "" */
	if (count <= 0) {
		if (!count)
			snprintf(why, POWER_WHY_MAX, "the CUDA driver has no device");
		return NULL;
	}
	counters = calloc(1, sizeof(*counters));
	if (counters) {
		/* Named in a list of sources, without the setting: as with it. */
		if (whole_s <= 0)
			whole_s = conf_number(CONF_COUNTERS_ALONE);
		counters->whole_ns = (uint64_t)(whole_s * 1e9);
		counters->devices = calloc((size_t)count, sizeof(*counters->devices));
		counters->sensors =
			calloc((size_t)count * PWRTRACE_PARTS, sizeof(*counters->sensors));
	}
	if (!counters || !counters->devices || !counters->sensors) {
		snprintf(why, POWER_WHY_MAX, "out of memory");
		if (counters)
			close_counters(counters);
		return NULL;
	}
	for (; counters->count < (size_t)count; counters->count++)
		open_device(counters, counters->count);
	return counters;
}

static size_t counters_sensors(void *state, const struct power_sensor **sensors)
{
	const struct counters *counters = state;

	*sensors = counters->sensors;
	return counters->count * PWRTRACE_PARTS;
}

/* Hands over what the thread has decoded; the first time it starts the thread. */
static void write_counter(void *state, size_t i, const struct power_sink *sink)
{
	struct counters *counters = state;
	struct counted_device *device = &counters->devices[i / PWRTRACE_PARTS];
	size_t part = i % PWRTRACE_PARTS, *written = &device->written[part];

	if (!device->started)
		start(device);
	pthread_mutex_lock(&device->lock);
	if (device->made - *written > QUEUED)
		*written = device->made - QUEUED;
	for (; *written < device->made; ++*written) {
		const struct reading *reading = &device->queue[*written % QUEUED];

		sink->value(sink, reading->time_ns, reading->busy_ns[part]);
	}
	pthread_mutex_unlock(&device->lock);
}

static const struct power_note *counters_note(void *state, size_t i)
{
	struct counters *counters = state;

	for (size_t k = 0; k < counters->count; k++) {
		struct counted_device *device = &counters->devices[k];

		pthread_mutex_lock(&device->lock);
		if (*device->said)
			power_notes_add(&counters->notes, "busy_counter", "%s", device->said);
		*device->said = 0;
		pthread_mutex_unlock(&device->lock);
	}
	return power_notes_at(&counters->notes, i);
}

const struct power_ops power_counters = {
	.open = open_counters,
	.sensors = counters_sensors,
	.write = write_counter,
	.finish = finish_counters,
	.note = counters_note,
	.close = close_counters,
};
