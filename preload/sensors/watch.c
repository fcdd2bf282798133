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
#include "preload/common/plain.h"
#include "preload/power/sources.h"
#include "preload/sensors/listing.h"
#include "preload/sensors/opening.h"
#include "preload/sensors/sensors.h"

#define COST_SHARE 100 /* a reading may take this part of the time between two */

/* One sensor, and its values since it was shown last. */
struct live_sensor {
	struct power_sink sink; /* first: a sink's address is this struct's */
	const struct power_source *source;
	size_t index;
	uint64_t poll_ns, due_ns;
	bool counter;
	double sum_w;
	unsigned values;
	uint64_t first_ns, last_ns; /* of a counter's values; 0: none */
	uint64_t first_uj, last_uj;
	double power_w; /* as shown; NaN: not known */
};

struct live_view {
	struct power_sources sources;
	struct live_sensor *list;
	size_t count;
};

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

static const struct power_sensor *sensor_of(const struct live_sensor *live)
{
	return &live->source->sensors[live->index];
}

/* ---- readings ---- */

static void take_value(const struct power_sink *sink, uint64_t time_ns, uint64_t value)
{
	struct live_sensor *live = (struct live_sensor *)sink;

	if (live->counter) {
		/* One that began anew says nothing of the time before. */
		if (!live->first_ns || value < live->last_uj) {
			live->first_ns = time_ns;
			live->first_uj = value;
		}
		live->last_ns = time_ns;
		live->last_uj = value;
	} else {
		live->sum_w += (double)value / 1e3;
	}
	live->values++;
}

static void take_state(
	const struct power_sink *sink, const struct pwrtrace_device_state *device_state)
{
	(void)sink;
	(void)device_state;
}

static void read_sensor(struct live_sensor *live, uint64_t now_ns)
{
	const struct power_source *source = live->source;

	if (source->ops->read)
		source->ops->read(source->state, live->index);
	live->sink.now_ns = now_ns;
	source->ops->write(source->state, live->index, &live->sink);
}

/* Where nothing new came, the last power stands. */
static void settle(struct live_sensor *live)
{
	uint64_t passed_ns = live->last_ns - live->first_ns;

	if (live->counter && passed_ns)
		live->power_w = 1e3 * (double)(live->last_uj - live->first_uj) / (double)passed_ns;
	else if (!live->counter && live->values)
		live->power_w = live->sum_w / live->values;
	live->first_ns = live->last_ns;
	live->first_uj = live->last_uj;
	live->sum_w = 0;
	live->values = 0;
}

static uint64_t min_ns(uint64_t a_ns, uint64_t b_ns)
{
	return a_ns < b_ns ? a_ns : b_ns;
}

static void sleep_until(uint64_t time_ns)
{
	struct timespec until = clock_timespec(time_ns);

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

/* Reads what is due until it is time to show. */
static void read_until(struct live_view *view, uint64_t until_ns)
{
	for (uint64_t now_ns = clock_now_ns(); !interrupted && now_ns < until_ns;
		now_ns = clock_now_ns()) {
		uint64_t next_ns = until_ns;

		for (size_t i = 0; i < view->count; i++) {
			struct live_sensor *live = &view->list[i];

			if (live->due_ns <= now_ns) {
				read_sensor(live, now_ns);
				live->due_ns = now_ns + live->poll_ns;
			}
			next_ns = min_ns(next_ns, live->due_ns);
		}
		sleep_until(next_ns);
	}
}

/* ---- showing ---- */

static void show_table(const struct live_view *view, bool again)
{
	if (again)
		printf("\033[%zuA", view->count + 1);
	printf("\033[2K%10s  %s\n", "POWER", "SENSOR");
	for (size_t i = 0; i < view->count; i++) {
		const struct live_sensor *live = &view->list[i];
		char device[128];

		plain_copy(device, sizeof(device), text_or_empty(sensor_of(live)->device));
		fputs("\033[2K", stdout);
		if (isnan(live->power_w))
			printf("%10s", "unknown");
		else
			printf("%8.1f W", live->power_w);
		printf("  %s, %s (%s %s)\n", device, sensor_of(live)->domain, live->source->name,
			sensor_kind(sensor_of(live)));
	}
}

static void show_lines(const struct live_view *view, uint64_t begin_ns)
{
	double time_s = (double)(clock_now_ns() - begin_ns) / 1e9;

	for (size_t i = 0; i < view->count; i++) {
		const struct live_sensor *live = &view->list[i];
		char device[128];

		plain_copy(device, sizeof(device), text_or_empty(sensor_of(live)->device));
		printf("%.3f\t%s\t%s\t%s\t%s\t", time_s, live->source->name, device,
			sensor_of(live)->domain, sensor_kind(sensor_of(live)));
		if (isnan(live->power_w))
			puts("unknown");
		else
			printf("%.3f\n", live->power_w);
	}
}

/* ---- all of it ---- */

static bool has_power(const struct power_source *source, size_t i)
{
	const struct power_sensor *sensor = &source->sensors[i];

	return !sensor->problem && source->ops->write &&
	       (strcmp(sensor->quantity, "power") == 0 || strcmp(sensor->quantity, "energy") == 0);
}

static void add_sensor(struct live_view *view, const struct power_source *source, size_t index,
	uint64_t begin_ns, uint64_t interval_ns)
{
	const struct power_sensor *sensor = &source->sensors[index];
	uint64_t cost_ns = source_read_cost_ns(source, index) * COST_SHARE;
	uint64_t poll_ns = min_ns(sensor->poll_ns, interval_ns / 2);

	view->list[view->count++] = (struct live_sensor){
		.sink = {.begin_ns = begin_ns, .value = take_value, .state = take_state},
		.source = source,
		.index = index,
		.poll_ns = poll_ns > cost_ns ? poll_ns : cost_ns,
		.counter = strcmp(sensor->quantity, "energy") == 0,
		.power_w = NAN,
	};
}

/* Returns 0, or an exit status after saying what is wrong. */
static int find_sensors(
	struct live_view *view, const char *power, uint64_t begin_ns, uint64_t interval_ns)
{
	size_t count = 0;

	if (opening_in_time(&view->sources, sources_open, power))
		return SENSORS_BAD_INPUT;
	for (size_t i = 0; i < view->sources.count; i++)
		count += view->sources.list[i].sensor_count;
	view->list = calloc(count + 1, sizeof(*view->list));
	view->count = 0;
	for (size_t i = 0; view->list && i < view->sources.count; i++)
		for (size_t k = 0; k < view->sources.list[i].sensor_count; k++)
			if (has_power(&view->sources.list[i], k))
				add_sensor(view, &view->sources.list[i], k, begin_ns, interval_ns);
	if (view->count)
		return 0;
	log_error("there is no sensor to watch; pwrtrace sensors says what is missing");
	return SENSORS_BAD_INPUT;
}

static void show(struct live_view *view, unsigned interval_ms, unsigned count, uint64_t begin_ns)
{
	bool terminal = isatty(STDOUT_FILENO);

	for (unsigned shown = 0; !interrupted && (!count || shown < count); shown++) {
		read_until(
			view, begin_ns + (shown + 1) * (uint64_t)interval_ms * PWRTRACE_NS_PER_MS);
		if (interrupted)
			break;
		for (size_t i = 0; i < view->count; i++)
			settle(&view->list[i]);
		if (terminal)
			show_table(view, shown > 0);
		else
			show_lines(view, begin_ns);
		if (fflush(stdout))
			break;
	}
}

int sensors_watch(const char *power, unsigned interval_ms, unsigned count)
{
	struct sigaction action = {.sa_handler = interrupt};
	struct live_view view = {0};
	uint64_t begin_ns = clock_now_ns();
	int status =
		find_sensors(&view, power, begin_ns, (uint64_t)interval_ms * PWRTRACE_NS_PER_MS);

	if (!status) {
		sigaction(SIGINT, &action, NULL);
		sigaction(SIGTERM, &action, NULL);
		show(&view, interval_ms, count, clock_now_ns());
	}
	sources_close(&view.sources);
	free(view.list);
	return status;
}
