/* SPDX-License-Identifier: MIT */
/*
 * The power of every sensor, live: on a terminal a table that is drawn anew in its place, elsewhere
 * a line for each value.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/common/log.h"
#include "preload/power/sources.h"
#include "preload/sensors/sensors.h"

#define COST_SHARE 100 /* a reading may take this part of the time between two */

/* One sensor, and what it said since it was shown last. */
struct watched {
	struct power_sink sink; /* first: a sink's address is this struct's */
	const struct source *source;
	size_t index;
	uint64_t poll_ns, due_ns;
	bool counter;
	double sum_w;
	unsigned values;
	uint64_t first_ns, last_ns; /* of a counter's values; 0: none */
	uint64_t first_uj, last_uj;
	double power_w; /* as shown; NaN: not known */
};

struct watch {
	struct sources sources;
	struct watched *list;
	size_t count;
};

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

static const struct power_sensor *sensor_of(const struct watched *watched)
{
	return &watched->source->sensors[watched->index];
}

/* ---- readings ---- */

static void take_value(const struct power_sink *sink, uint64_t time_ns, uint64_t value)
{
	struct watched *watched = (struct watched *)sink;

	if (watched->counter) {
		/* One that began anew says nothing of the time before. */
		if (!watched->first_ns || value < watched->last_uj) {
			watched->first_ns = time_ns;
			watched->first_uj = value;
		}
		watched->last_ns = time_ns;
		watched->last_uj = value;
	} else {
		watched->sum_w += (double)value / 1e3;
	}
	watched->values++;
}

static void take_state(
	const struct power_sink *sink, const struct pwrtrace_device_state *device_state)
{
	(void)sink;
	(void)device_state;
}

static void read_watched(struct watched *watched, uint64_t now_ns)
{
	const struct source *source = watched->source;

	if (source->ops->read)
		source->ops->read(source->state, watched->index);
	watched->sink.now_ns = now_ns;
	source->ops->write(source->state, watched->index, &watched->sink);
}

/* Where nothing new came, the last power stands. */
static void settle(struct watched *watched)
{
	uint64_t passed_ns = watched->last_ns - watched->first_ns;

	if (watched->counter && passed_ns)
		watched->power_w =
			1e3 * (double)(watched->last_uj - watched->first_uj) / (double)passed_ns;
	else if (!watched->counter && watched->values)
		watched->power_w = watched->sum_w / watched->values;
	watched->first_ns = watched->last_ns;
	watched->first_uj = watched->last_uj;
	watched->sum_w = 0;
	watched->values = 0;
}

static uint64_t min_ns(uint64_t a_ns, uint64_t b_ns)
{
	return a_ns < b_ns ? a_ns : b_ns;
}

static void sleep_until(uint64_t time_ns)
{
	struct timespec until = {.tv_sec = (time_t)(time_ns / PWRTRACE_NS_PER_S),
		.tv_nsec = (long)(time_ns % PWRTRACE_NS_PER_S)};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

/* Reads what is due until it is time to show. */
static void read_until(struct watch *watch, uint64_t until_ns)
{
	for (uint64_t now_ns = clock_now_ns(); !interrupted && now_ns < until_ns;
		now_ns = clock_now_ns()) {
		uint64_t next_ns = until_ns;

		for (size_t i = 0; i < watch->count; i++) {
			struct watched *watched = &watch->list[i];

			if (watched->due_ns <= now_ns) {
				read_watched(watched, now_ns);
				watched->due_ns = now_ns + watched->poll_ns;
			}
			next_ns = min_ns(next_ns, watched->due_ns);
		}
		sleep_until(next_ns);
	}
}

/* ---- showing ---- */

static const char *device_of(const struct watched *watched)
{
	const char *device = sensor_of(watched)->device;

	return device ? device : "";
}

static const char *kind_of(const struct watched *watched)
{
	return watched->counter ? "counter" : "gauge";
}

static void show_table(const struct watch *watch, bool again)
{
	if (again)
		printf("\033[%zuA", watch->count + 1);
	printf("\033[2K%10s  %s\n", "POWER", "SENSOR");
	for (size_t i = 0; i < watch->count; i++) {
		const struct watched *watched = &watch->list[i];

		fputs("\033[2K", stdout);
		if (isnan(watched->power_w))
			printf("%10s", "unknown");
		else
			printf("%8.1f W", watched->power_w);
		printf("  %s, %s (%s %s)\n", device_of(watched), sensor_of(watched)->domain,
			watched->source->name, kind_of(watched));
	}
}

static void show_lines(const struct watch *watch, uint64_t begin_ns)
{
	double time_s = (double)(clock_now_ns() - begin_ns) / 1e9;

	for (size_t i = 0; i < watch->count; i++) {
		const struct watched *watched = &watch->list[i];

		printf("%.3f\t%s\t%s\t%s\t%s\t", time_s, watched->source->name, device_of(watched),
			sensor_of(watched)->domain, kind_of(watched));
		if (isnan(watched->power_w))
			puts("unknown");
		else
			printf("%.3f\n", watched->power_w);
	}
}

/* ---- all of it ---- */

static bool has_power(const struct source *source, size_t i)
{
	const struct power_sensor *sensor = &source->sensors[i];

	return !sensor->problem && source->ops->write &&
	       (strcmp(sensor->quantity, "power") == 0 || strcmp(sensor->quantity, "energy") == 0);
}

static void add_watched(struct watch *watch, const struct source *source, size_t index,
	uint64_t begin_ns, uint64_t interval_ns)
{
	const struct power_sensor *sensor = &source->sensors[index];
	uint64_t cost_ns = source_read_cost_ns(source, index) * COST_SHARE;
	uint64_t poll_ns = min_ns(sensor->poll_ns, interval_ns / 2);

	watch->list[watch->count++] = (struct watched){
		.sink = {.begin_ns = begin_ns, .value = take_value, .state = take_state},
		.source = source,
		.index = index,
		.poll_ns = poll_ns > cost_ns ? poll_ns : cost_ns,
		.counter = strcmp(sensor->quantity, "energy") == 0,
		.power_w = NAN,
	};
}

/* Returns 0, or an exit status after saying what is wrong. */
static int find_watched(
	struct watch *watch, const char *power, uint64_t begin_ns, uint64_t interval_ns)
{
	char why[POWER_WHY_MAX];
	size_t count = 0;

	if (sources_open(&watch->sources, power, why, sizeof(why))) {
		log_error("%s", why);
		return SENSORS_BAD_INPUT;
	}
	for (size_t i = 0; i < watch->sources.count; i++)
		count += watch->sources.list[i].sensor_count;
	watch->list = calloc(count + 1, sizeof(*watch->list));
	watch->count = 0;
	for (size_t i = 0; watch->list && i < watch->sources.count; i++)
		for (size_t k = 0; k < watch->sources.list[i].sensor_count; k++)
			if (has_power(&watch->sources.list[i], k))
				add_watched(
					watch, &watch->sources.list[i], k, begin_ns, interval_ns);
	if (watch->count)
		return 0;
	log_error("there is no sensor to watch; pwrtrace sensors says what is missing");
	return SENSORS_BAD_INPUT;
}

static void show(struct watch *watch, unsigned interval_ms, unsigned count, uint64_t begin_ns)
{
	bool terminal = isatty(STDOUT_FILENO);

	for (unsigned shown = 0; !interrupted && (!count || shown < count); shown++) {
		read_until(
			watch, begin_ns + (shown + 1) * (uint64_t)interval_ms * PWRTRACE_NS_PER_MS);
		if (interrupted)
			break;
		for (size_t i = 0; i < watch->count; i++)
			settle(&watch->list[i]);
		if (terminal)
			show_table(watch, shown > 0);
		else
			show_lines(watch, begin_ns);
		if (fflush(stdout))
			break;
	}
}

int sensors_watch(const char *power, unsigned interval_ms, unsigned count)
{
	struct sigaction action = {.sa_handler = interrupt};
	struct watch watch = {0};
	uint64_t begin_ns = clock_now_ns();
	int status =
		find_watched(&watch, power, begin_ns, (uint64_t)interval_ms * PWRTRACE_NS_PER_MS);

	if (!status) {
		sigaction(SIGINT, &action, NULL);
		sigaction(SIGTERM, &action, NULL);
		show(&watch, interval_ms, count, clock_now_ns());
	}
	sources_close(&watch.sources);
	free(watch.list);
	return status;
}
