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
#include "preload/power/sources.h"
#include "preload/tp_emit.h"
#include "pwrtrace/units.h"

#define IDLE_POLL_NS (100 * PWRTRACE_NS_PER_MS)
#define COST_SHARE 100 /* a reading may cost this part of the time between two */

/* One sensor: when it is read. */
struct reader {
	const struct source *source;
	size_t index; /* among its source's sensors */
	uint32_t id;
	struct pwrtrace_device_state state; /* as last written; pid 0: not since the definitions */
	uint64_t poll_ns;
	uint64_t read_cost_ns;
	uint64_t due_ns;
};

struct sampler {
	struct sources sources;
	struct reader *readers;
	size_t reader_count;
	struct {
		size_t said;
		size_t written; /* since the definitions were written */
	} notes[SOURCES_MAX];
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

static const struct power_sensor *sensor_of(const struct reader *reader)
{
	return &reader->source->sensors[reader->index];
}

static void sampler_free(struct sampler *sampler)
{
	sources_close(&sampler->sources);
	pthread_mutex_destroy(&sampler->lock);
	pthread_cond_destroy(&sampler->wake);
	free(sampler->readers);
	free(sampler);
}

static int add_readers(struct sampler *sampler)
{
	size_t count = 0;

	for (size_t i = 0; i < sampler->sources.count; i++)
		for (size_t k = 0; k < sampler->sources.list[i].sensor_count; k++)
			count += !sampler->sources.list[i].sensors[k].problem;
	if (!count)
		return 0;
	sampler->readers = calloc(count, sizeof(*sampler->readers));
	if (!sampler->readers)
		return -1;
	for (size_t i = 0; i < sampler->sources.count; i++) {
		const struct source *source = &sampler->sources.list[i];

		for (size_t index = 0; index < source->sensor_count; index++) {
			struct reader *reader = &sampler->readers[sampler->reader_count];

			if (source->sensors[index].problem)
				continue;
			sampler->reader_count++;
			reader->source = source;
			reader->index = index;
			reader->id = (uint32_t)sampler->reader_count;
			reader->poll_ns = source->sensors[index].poll_ns;
		}
	}
	return 0;
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
	if (sources_open(&sampler->sources, list, why, size)) {
		sampler_free(sampler);
		return NULL;
	}
	if (add_readers(sampler)) {
		snprintf(why, size, "out of memory");
		sampler_free(sampler);
		return NULL;
	}
	return sampler;
}

static void read_sensor(const struct reader *reader)
{
	const struct source *source = reader->source;

	if (source->ops->read)
		source->ops->read(source->state, reader->index);
}

/* What is dear is read less often. */
static void measure_readers(struct sampler *sampler)
{
	for (size_t i = 0; i < sampler->reader_count; i++) {
		struct reader *reader = &sampler->readers[i];

		if (!reader->poll_ns)
			continue;
		reader->read_cost_ns = source_read_cost_ns(reader->source, reader->index);
		if (reader->poll_ns < reader->read_cost_ns * COST_SHARE)
			reader->poll_ns = reader->read_cost_ns * COST_SHARE;
	}
}

static uint64_t known(uint64_t value)
{
	return value ? value : PWRTRACE_UNKNOWN_U64;
}

static const char *text_of(const char *text)
{
	return text ? text : "";
}

static void describe_sensor(const struct sampler *sampler, const struct reader *reader)
{
	const struct power_sensor *sensor = sensor_of(reader);

	tp_sensor_def(&(struct pwrtrace_sensor_def){
		.pid = sampler->pid,
		.sensor = reader->id,
		.period_ns = sensor->period_ns,
		.window_ns = sensor->window_ns,
		.lag_ns = sensor->lag_ns,
		.read_cost_ns = reader->read_cost_ns,
		.poll_ns = reader->poll_ns ? reader->poll_ns : PWRTRACE_UNKNOWN_U64,
		.resolution_uw = known(sensor->resolution_uw),
		.resolution_nj = known(sensor->resolution_nj),
		.source = reader->source->ops->name,
		.device = text_of(sensor->device),
		.device_name = text_of(sensor->device_name),
		.pci = text_of(sensor->pci),
		.driver = text_of(sensor->driver),
		.domain = sensor->domain,
		.part_of = text_of(sensor->part_of),
		.quantity = sensor->quantity,
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
static bool describe(struct sampler *sampler)
{
	if (!tp_recording(&(struct pwrtrace_recording){
		    .pid = sampler->pid,
		    .schema = PWRTRACE_SCHEMA,
		    .begin_ns = sampler->recording.begin_ns,
		    .realtime_offset_ns = sampler->machine.realtime_offset_ns,
		    .host = sampler->machine.host,
		    .boot_id = sampler->machine.boot_id,
		    .command = sampler->recording.command,
		    .power = sampler->sources.text,
	    }))
		return false;
	for (size_t i = 0; i < sampler->recording.tag_count; i++)
		describe_tag(sampler, sampler->recording.tags[i]);
	for (size_t i = 0; i < sampler->reader_count; i++) {
		describe_sensor(sampler, &sampler->readers[i]);
		sampler->readers[i].state.pid = 0;
	}
	for (size_t i = 0; i < sampler->sources.count; i++)
		sampler->notes[i].written = 0;
	return true;
}

struct trace_sink {
	struct power_sink sink; /* first: a sink's address is this struct's */
	struct reader *reader;
	uint32_t pid;
};

static void write_value(const struct power_sink *sink, uint64_t time_ns, uint64_t value)
{
	const struct trace_sink *trace = (const struct trace_sink *)sink;
	uint32_t sensor = trace->reader->id;

	if (strcmp(sensor_of(trace->reader)->quantity, "energy") == 0)
		tp_energy_counter(&(struct pwrtrace_energy_counter){.pid = trace->pid,
			.sensor = sensor,
			.time_ns = time_ns,
			.energy_uj = value});
	else
		tp_power_sample(&(struct pwrtrace_power_sample){.pid = trace->pid,
			.sensor = sensor,
			.time_ns = time_ns,
			.power_mw = value});
}

static void write_state(const struct power_sink *sink, const struct pwrtrace_device_state *state)
{
	const struct trace_sink *trace = (const struct trace_sink *)sink;
	struct reader *reader = trace->reader;
	struct pwrtrace_device_state now = *state;

	now.pid = trace->pid;
	now.sensor = reader->id;
	now.time_ns = reader->state.time_ns;
	if (memcmp(&now, &reader->state, sizeof(now)) == 0)
		return;
	now.time_ns = state->time_ns;
	tp_device_state(&now);
	reader->state = now;
}

/* Reads even while nobody records, so that no counter wraps unseen. */
static void sample(struct sampler *sampler, struct reader *reader, uint64_t now_ns)
{
	const struct source *source = reader->source;

	read_sensor(reader);
	if (!source->ops->write || !sampler->described)
		return;
	source->ops->write(source->state, reader->index,
		&(struct trace_sink){
			.sink = {.begin_ns = sampler->recording.begin_ns,
				.now_ns = now_ns,
				.value = write_value,
				.state = write_state},
			.reader = reader,
			.pid = sampler->pid,
		}
			 .sink);
}

static const struct power_note *note_of(const struct source *source, size_t i)
{
	return source->ops->note ? source->ops->note(source->state, i) : NULL;
}

/* Says what sources have to say, and writes it once there is a trace. */
static void take_notes(struct sampler *sampler)
{
	for (size_t i = 0; i < sampler->sources.count; i++) {
		const struct source *source = &sampler->sources.list[i];
		const struct power_note *note;

		for (; (note = note_of(source, sampler->notes[i].said)); sampler->notes[i].said++)
			sampler->recording.say(source->ops->name, note->why);
		if (!sampler->described)
			continue;
		for (; (note = note_of(source, sampler->notes[i].written));
			sampler->notes[i].written++)
			tp_lost(&(struct pwrtrace_lost){.pid = sampler->pid,
				.count = 1,
				.what = note->what,
				.why = note->why});
	}
}

/* The next point of the sensor's grid: a late reading does not shift those that follow. */
static uint64_t next_due_ns(const struct sampler *sampler, uint64_t poll_ns, uint64_t now_ns)
{
	if (!sampler->described && poll_ns < IDLE_POLL_NS)
		poll_ns = IDLE_POLL_NS;
	return now_ns + poll_ns - now_ns % poll_ns;
}

/* Writes the definitions where tracepoints have become enabled.  Returns whether they have. */
static bool follow_tracepoints(struct sampler *sampler)
{
	bool enabled = tp_enabled();
	bool begins = enabled && !sampler->described;

	sampler->described = begins ? describe(sampler) : enabled;
	return begins && sampler->described;
}

/* Of the readings that are due, the one that is to be done before the others, or NULL: earliest
 * deadline first, so that dear ones once a second do not hold up cheap ones every few ms. */
static struct reader *most_urgent(struct sampler *sampler, uint64_t now_ns)
{
	struct reader *urgent = NULL;

	for (size_t i = 0; i < sampler->reader_count; i++) {
		struct reader *reader = &sampler->readers[i];

		if (reader->poll_ns && reader->due_ns <= now_ns &&
			(!urgent || reader->due_ns + reader->poll_ns <
					    urgent->due_ns + urgent->poll_ns))
			urgent = reader;
	}
	return urgent;
}

/* One round, of as many readings as there are sensors.  Returns when the next one is due. */
static uint64_t sample_what_is_due(struct sampler *sampler)
{
	bool begins = follow_tracepoints(sampler);
	uint64_t now_ns = clock_now_ns();
	uint64_t next_ns;
	struct reader *reader;

	for (size_t i = 0; begins && i < sampler->reader_count; i++)
		sampler->readers[i].due_ns = 0;
	for (size_t i = 0; i < sampler->reader_count; i++) {
		reader = most_urgent(sampler, now_ns);
		if (!reader)
			break;
		sample(sampler, reader, now_ns);
		reader->due_ns = next_due_ns(sampler, reader->poll_ns, now_ns);
		now_ns = clock_now_ns();
	}
	take_notes(sampler);
	next_ns = now_ns + IDLE_POLL_NS;
	for (reader = sampler->readers; reader < sampler->readers + sampler->reader_count; reader++)
		if (reader->poll_ns && reader->due_ns < next_ns)
			next_ns = reader->due_ns;
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
	measure_readers(sampler);
	error = start_thread(sampler);
	sampler->started = !error;
	return error;
}

/* The thread of a short recording may never have had its turn. */
static void sample_to_the_end(struct sampler *sampler, const char *why)
{
	uint64_t end_ns = clock_now_ns();

	follow_tracepoints(sampler);
	for (size_t i = 0; i < sampler->reader_count; i++)
		if (sampler->readers[i].poll_ns)
			sample(sampler, &sampler->readers[i], end_ns);
	take_notes(sampler);
	tp_recording_end(&(struct pwrtrace_recording_end){
		.pid = sampler->pid, .end_ns = end_ns, .why = why});
}

static void sampler_stop(struct sampler *sampler, const char *why)
{
	if (sampler->started) {
		pthread_mutex_lock(&sampler->lock);
		sampler->stopping = true;
		pthread_cond_signal(&sampler->wake);
		pthread_mutex_unlock(&sampler->lock);
		pthread_join(sampler->thread, NULL);
		sample_to_the_end(sampler, why);
	}
	sampler_free(sampler);
}

const struct sampler_ops sampler_ops = {
	.open = sampler_open,
	.start = sampler_start,
	.stop = sampler_stop,
};
