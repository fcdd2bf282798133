/* SPDX-License-Identifier: MIT */
#include "preload/power/sampler.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/clock.h"
#include "preload/machine.h"
#include "preload/power/power.h"
#include "preload/tp_emit.h"
#include "pwrtrace/units.h"

#define SOURCES_MAX 16
#define IDLE_POLL_NS (100 * PWRTRACE_NS_PER_MS)
#define COST_READINGS 7

struct opened {
	const struct power_source *source;
	void *state;
	uint32_t first_sensor;
	uint64_t read_cost_ns;
	uint64_t due_ns;
};

struct sampler {
	struct opened opened[SOURCES_MAX];
	size_t count;
	char power[256]; /* the sources, as the recording event names them */
	struct sampler_recording recording;
	struct machine machine;
	uint32_t pid;
	bool described; /* the definitions have been written since tracepoints became enabled */
	bool started;
	bool stopping;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
};

static void add_to_text(struct sampler *sampler, const char *item, size_t length)
{
	size_t used = strlen(sampler->power);

	snprintf(sampler->power + used, sizeof(sampler->power) - used, "%s%.*s", used ? "," : "",
		(int)length, item);
}

static uint32_t next_sensor(const struct sampler *sampler)
{
	const struct power_sensor *sensors;
	const struct opened *last;

	if (!sampler->count)
		return 1;
	last = &sampler->opened[sampler->count - 1];
	return last->first_sensor + last->source->sensors(last->state, &sensors);
}

/* item: the source's name, then perhaps ":argument".  Returns 0, or -1 with a line in why. */
static int open_source(struct sampler *sampler, const struct power_source *source, const char *item,
	size_t length, char why[POWER_WHY_MAX])
{
	size_t name_length = strlen(source->name);
	struct opened opened = {.source = source, .first_sensor = next_sensor(sampler)};
	char *argument = NULL;

	if (sampler->count == SOURCES_MAX) {
		snprintf(why, POWER_WHY_MAX, "more than %d sources", SOURCES_MAX);
		return -1;
	}
	if (length > name_length)
		argument = strndup(item + name_length + 1, length - name_length - 1);
	if (argument && !source->argument) {
		snprintf(why, POWER_WHY_MAX, "takes no argument");
		free(argument);
		return -1;
	}
	opened.state = source->open(argument ? argument : "", why);
	free(argument);
	if (!opened.state)
		return -1;
	sampler->opened[sampler->count++] = opened;
	add_to_text(sampler, item, length);
	return 0;
}

static void open_what_is_found(struct sampler *sampler)
{
	char why[POWER_WHY_MAX];

	for (const struct power_source *const *source = power_sources; *source; source++)
		if ((*source)->automatic)
			open_source(
				sampler, *source, (*source)->name, strlen((*source)->name), why);
	if (!sampler->count)
		open_source(sampler, &power_model, power_model.name, strlen(power_model.name), why);
}

static void say_unknown(const char *item, size_t length, char *why, size_t size)
{
	int used = snprintf(
		why, size, "no power source is called \"%.*s\"; there are", (int)length, item);

	for (size_t i = 0; power_sources[i] && used >= 0 && (size_t)used < size; i++)
		used += snprintf(why + used, size - used, "%s %s%s%s", i ? "," : "",
			power_sources[i]->name, power_sources[i]->argument ? ":" : "",
			power_sources[i]->argument ? power_sources[i]->argument : "");
}

static int open_list(struct sampler *sampler, const char *list, char *why, size_t size)
{
	for (;;) {
		size_t length = strcspn(list, ",");
		size_t name_length = strcspn(list, ":,");
		const struct power_source *source = power_find(list, name_length);
		char reason[POWER_WHY_MAX];

		if (!source) {
			say_unknown(list, name_length, why, size);
			return -1;
		}
		if (open_source(sampler, source, list, length, reason)) {
			snprintf(why, size, "%s: %s", source->name, reason);
			return -1;
		}
		if (!list[length])
			return 0;
		list += length + 1;
	}
}

static void sampler_free(struct sampler *sampler)
{
	for (size_t i = 0; i < sampler->count; i++)
		sampler->opened[i].source->close(sampler->opened[i].state);
	pthread_mutex_destroy(&sampler->lock);
	pthread_cond_destroy(&sampler->wake);
	free(sampler);
}

static struct sampler *sampler_open(const char *list, char *why, size_t size)
{
	struct sampler *sampler = calloc(1, sizeof(*sampler));
	pthread_condattr_t attributes;

	if (!sampler) {
		snprintf(why, size, "out of memory");
		return NULL;
	}
	pthread_mutex_init(&sampler->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&sampler->wake, &attributes);
	pthread_condattr_destroy(&attributes);
	if (!*list) {
		open_what_is_found(sampler);
	} else if (open_list(sampler, list, why, size)) {
		sampler_free(sampler);
		return NULL;
	}
	return sampler;
}

/* The least of a few readings: the first ones find cold caches, any may be interrupted. */
static uint64_t measure_read_cost_ns(const struct opened *opened)
{
	uint64_t least_ns = UINT64_MAX;

	if (!opened->source->read)
		return 0;
	for (int i = 0; i < COST_READINGS; i++) {
		uint64_t begin_ns = clock_now_ns();

		opened->source->read(opened->state);
		uint64_t cost_ns = clock_now_ns() - begin_ns;

		least_ns = cost_ns < least_ns ? cost_ns : least_ns;
	}
	return least_ns;
}

static void describe_sensors(const struct sampler *sampler, const struct opened *opened)
{
	const struct power_sensor *sensors;
	size_t count = opened->source->sensors(opened->state, &sensors);

	for (size_t i = 0; i < count; i++)
		tp_sensor_def(&(struct pwrtrace_sensor_def){
			.pid = sampler->pid,
			.sensor = opened->first_sensor + i,
			.period_ns = sensors[i].period_ns,
			.window_ns = sensors[i].window_ns,
			.lag_ns = sensors[i].lag_ns,
			.read_cost_ns = opened->read_cost_ns,
			.source = opened->source->name,
			.device = sensors[i].device,
			.domain = sensors[i].domain,
			.part_of = sensors[i].part_of,
			.quantity = sensors[i].quantity,
		});
}

static void describe_tag(const struct sampler *sampler, const char *tag)
{
	size_t length = strcspn(tag, "=");
	char *key = strndup(tag, length);

	if (key)
		tp_tag(&(struct pwrtrace_tag){
			.pid = sampler->pid,
			.key = key,
			.value = tag[length] ? tag + length + 1 : "",
		});
	free(key);
}

/* Returns false while recording has not quite begun: nothing else must be written then. */
static bool describe(const struct sampler *sampler)
{
	if (!tp_recording(&(struct pwrtrace_recording){
		    .pid = sampler->pid,
		    .schema = PWRTRACE_SCHEMA,
		    .begin_ns = sampler->recording.begin_ns,
		    .realtime_offset_ns = sampler->machine.realtime_offset_ns,
		    .host = sampler->machine.host,
		    .boot_id = sampler->machine.boot_id,
		    .command = sampler->recording.command,
		    .power = sampler->power,
	    }))
		return false;
	for (size_t i = 0; i < sampler->recording.tag_count; i++)
		describe_tag(sampler, sampler->recording.tags[i]);
	for (size_t i = 0; i < sampler->count; i++)
		describe_sensors(sampler, &sampler->opened[i]);
	return true;
}

/* Reads even while nobody records, so that no counter wraps unseen. */
static void sample(const struct sampler *sampler, const struct opened *opened, uint64_t now_ns)
{
	if (opened->source->read)
		opened->source->read(opened->state);
	if (opened->source->write && sampler->described)
		opened->source->write(
			opened->state, &(struct power_span){
					       .pid = sampler->pid,
					       .first_sensor = opened->first_sensor,
					       .begin_ns = sampler->recording.begin_ns,
					       .now_ns = now_ns,
				       });
}

/* The next point of the source's grid: a late reading does not shift those that follow. */
static uint64_t next_due_ns(const struct opened *opened, uint64_t now_ns)
{
	uint64_t poll_ns = opened->source->poll_ns;

	return now_ns + poll_ns - now_ns % poll_ns;
}

/* One round.  Returns when the next one is due. */
static uint64_t sample_what_is_due(struct sampler *sampler)
{
	uint64_t now_ns = clock_now_ns();
	uint64_t next_ns = now_ns + IDLE_POLL_NS;
	bool enabled = tp_enabled();

	if (enabled && !sampler->described)
		enabled = describe(sampler);
	sampler->described = enabled;
	for (size_t i = 0; i < sampler->count; i++) {
		struct opened *opened = &sampler->opened[i];

		if (!enabled || opened->due_ns <= now_ns) {
			sample(sampler, opened, now_ns);
			opened->due_ns = enabled ? next_due_ns(opened, now_ns) : now_ns;
		}
		if (enabled && opened->due_ns < next_ns)
			next_ns = opened->due_ns;
	}
	return next_ns;
}

static void *run(void *argument)
{
	struct sampler *sampler = argument;

	pthread_setname_np(pthread_self(), "pwrtrace-power");
	pthread_mutex_lock(&sampler->lock);
	while (!sampler->stopping) {
		uint64_t next_ns = sample_what_is_due(sampler);
		struct timespec until = {
			.tv_sec = next_ns / PWRTRACE_NS_PER_S,
			.tv_nsec = next_ns % PWRTRACE_NS_PER_S,
		};

		pthread_cond_timedwait(&sampler->wake, &sampler->lock, &until);
	}
	pthread_mutex_unlock(&sampler->lock);
	return NULL;
}

static int start_thread(struct sampler *sampler)
{
	sigset_t all;
	sigset_t before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&sampler->thread, NULL, run, sampler);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

static int sampler_start(struct sampler *sampler, const struct sampler_recording *recording)
{
	int error;

	sampler->recording = *recording;
	sampler->pid = (uint32_t)getpid();
	machine_read(&sampler->machine);
	for (size_t i = 0; i < sampler->count; i++)
		sampler->opened[i].read_cost_ns = measure_read_cost_ns(&sampler->opened[i]);
	error = start_thread(sampler);
	sampler->started = !error;
	return error;
}

static void sampler_stop(struct sampler *sampler, const char *why)
{
	uint64_t end_ns;

	if (sampler->started) {
		pthread_mutex_lock(&sampler->lock);
		sampler->stopping = true;
		pthread_cond_signal(&sampler->wake);
		pthread_mutex_unlock(&sampler->lock);
		pthread_join(sampler->thread, NULL);
		end_ns = clock_now_ns();
		for (size_t i = 0; i < sampler->count; i++)
			sample(sampler, &sampler->opened[i], end_ns);
		tp_recording_end(&(struct pwrtrace_recording_end){
			.pid = sampler->pid, .end_ns = end_ns, .why = why});
	}
	sampler_free(sampler);
}

const struct sampler_ops sampler_ops = {
	.open = sampler_open,
	.start = sampler_start,
	.stop = sampler_stop,
};
