/* SPDX-License-Identifier: MIT */
#include "preload/engine/sampler/sampler.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/engine/core/lost.h"
#include "preload/engine/core/machine.h"
#include "preload/engine/core/process.h"
#include "preload/engine/core/tp_emit.h"
#include "preload/engine/sampler/reader.h"
#include "preload/power/sources.h"

#define IDLE_POLL_NS (100 * PWRTRACE_NS_PER_MS)
#define REALTIME_EVERY_NS (10 * PWRTRACE_NS_PER_S)
#define STOP_NS (2 * PWRTRACE_NS_PER_S) /* a reading that takes longer is not waited for */

struct sampler {
	struct power_sources sources;
	struct reader *readers;
	size_t reader_count;
	struct {
		size_t said;    /* to the user */
		size_t written; /* since the definitions were written */
	} notes[SOURCES_MAX];
	struct sampler_recording recording;
	struct machine machine;
	bool described; /* the definitions have been written since tracepoints became enabled */
	uint64_t realtime_due_ns;
	bool started;
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t wake;
	const char *why; /* NULL until the recording is to end */
	bool finished;   /* the thread has written everything */
	bool given_up;   /* the thread is late, and must write no more */
};

static void sampler_free(struct sampler *sampler)
{
	sources_close(&sampler->sources);
	pthread_mutex_destroy(&sampler->lock);
	pthread_cond_destroy(&sampler->wake);
	free(sampler->readers);
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
	if (sources_open(&sampler->sources, list, why, size)) {
		sampler_free(sampler);
		return NULL;
	}
	sampler->readers = readers_make(&sampler->sources, &sampler->reader_count);
	if (!sampler->readers) {
		snprintf(why, size, "out of memory");
		sampler_free(sampler);
		return NULL;
	}
	return sampler;
}

/* ---- definitions, notes, clock ---- */

static void describe_tag(const char *tag)
{
	size_t length = strcspn(tag, "=");
	char *key = strndup(tag, length);

	if (key)
		tp_tag(&(struct pwrtrace_tag){
			.process = process_number,
			.key = key,
			.value = tag[length] ? tag + length + 1 : "",
		});
	free(key);
}

/* Tells the user of a sensor's problem (say), or writes it into the trace. */
static void tell(const struct sampler *sampler, const struct power_sensor *sensor,
	const char *source, bool say)
{
	if (!sensor->problem)
		return;
	if (say)
		sampler->recording.say(source, sensor->problem);
	else
		lost_write(reader_event(sensor), sensor->problem, 1);
}

/* Tells of sensors that cannot be read, though others can; and, if power must be estimated, of the
 * sensors that were found. */
static void tell_problems(const struct sampler *sampler, bool say)
{
	for (size_t i = 0; i < sampler->sources.count; i++) {
		const struct power_source *source = &sampler->sources.list[i];

		/* Those of one device have one problem. */
		for (size_t k = 0; k < source->sensor_count; k++)
			if (!k || source->sensors[k].problem != source->sensors[k - 1].problem)
				tell(sampler, &source->sensors[k], source->name, say);
	}
	if (say && sampler->sources.passed_over)
		sampler->recording.say(sampler->sources.passed_over, sampler->sources.problem);
}

/* Returns false while the session is still being started: then nothing else must be written. */
static bool describe(struct sampler *sampler)
{
	if (!tp_recording(&(struct pwrtrace_recording){
		    .process = process_number,
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
		describe_tag(sampler->recording.tags[i]);
	for (size_t i = 0; i < sampler->reader_count; i++)
		reader_describe(&sampler->readers[i]);
	tell_problems(sampler, false);
	for (size_t i = 0; i < sampler->sources.count; i++)
		sampler->notes[i].written = 0;
	return true;
}

/* Writes the definitions if tracepoints have become enabled.  Returns whether they have. */
static bool follow_tracepoints(struct sampler *sampler)
{
	bool enabled = tp_enabled();
	bool begins = enabled && !sampler->described;

	sampler->described = begins ? describe(sampler) : enabled;
	return begins && sampler->described;
}

static const struct power_note *note_of(const struct power_source *source, size_t i)
{
	return source->ops->note ? source->ops->note(source->state, i) : NULL;
}

/* Tells the user the sources' new notes, and writes them once there is a trace. */
static void take_notes(struct sampler *sampler)
{
	for (size_t i = 0; i < sampler->sources.count; i++) {
		const struct power_source *source = &sampler->sources.list[i];
		const struct power_note *note;

		for (; (note = note_of(source, sampler->notes[i].said)); sampler->notes[i].said++)
			sampler->recording.say(source->name, note->why);
		if (!sampler->described)
			continue;
		for (; (note = note_of(source, sampler->notes[i].written));
			sampler->notes[i].written++)
			lost_write(note->what, note->why, 1);
	}
}

/* Writes the wall clock's time by the trace's clock, because the wall clock may be set: so times
 * that other programs log can be found in the trace. */
static void pair_clocks(struct sampler *sampler)
{
	struct clock_pair pair = clock_pair();

	tp_clock_sync(&(struct pwrtrace_clock_sync){.process = process_number,
		.host_ns = pair.now_ns,
		.raw_ns = pair.realtime_ns,
		.error_ns = pair.error_ns});
	sampler->realtime_due_ns = pair.now_ns + REALTIME_EVERY_NS;
}

/* ---- the thread ---- */

static bool given_up(struct sampler *sampler)
{
	bool result;

	pthread_mutex_lock(&sampler->lock);
	result = sampler->given_up;
	pthread_mutex_unlock(&sampler->lock);
	return result;
}

/* Reads even while nobody records, so that no counter wraps unseen. */
static void sample(struct sampler *sampler, struct reader *reader, uint64_t now_ns)
{
	reader_sample(reader, sampler->described, sampler->recording.begin_ns, now_ns);
}

/* The next point of the sensor's grid: a late reading does not shift those that follow. */
static uint64_t next_due_ns(const struct sampler *sampler, uint64_t poll_ns, uint64_t now_ns)
{
	if (!sampler->described && poll_ns < IDLE_POLL_NS)
		poll_ns = IDLE_POLL_NS;
	return now_ns + poll_ns - now_ns % poll_ns;
}

/* Of the readings that are due, the one that is to be done before the others, or NULL: earliest
 * deadline first, so that expensive ones once a second do not hold up cheap ones every few ms. */
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
		if (given_up(sampler))
			return now_ns;
		reader->due_ns = next_due_ns(sampler, reader->poll_ns, now_ns);
		now_ns = clock_now_ns();
	}
	take_notes(sampler);
	if (sampler->described && (begins || now_ns >= sampler->realtime_due_ns))
		pair_clocks(sampler);
	next_ns = now_ns + IDLE_POLL_NS;
	for (reader = sampler->readers; reader < sampler->readers + sampler->reader_count; reader++)
		if (reader->poll_ns && reader->due_ns < next_ns)
			next_ns = reader->due_ns;
	return next_ns;
}

/* The last samples of all sources that gather at the end, or of all others. */
static void sample_last(struct sampler *sampler, bool gathering, uint64_t end_ns)
{
	for (size_t i = 0; i < sampler->reader_count && !given_up(sampler); i++) {
		struct reader *reader = &sampler->readers[i];

		if (!reader->poll_ns || (reader->source->ops->finish != NULL) != gathering)
			continue;
		sample(sampler, reader, end_ns);
		if (sampler->described)
			reader_finish(reader, end_ns);
	}
}

static void sample_to_the_end(struct sampler *sampler)
{
	uint64_t end_ns = clock_now_ns();

	follow_tracepoints(sampler);
	sample_last(sampler, false, end_ns);
	for (size_t i = 0; i < sampler->sources.count; i++) {
		const struct power_source *source = &sampler->sources.list[i];

		if (source->ops->finish)
			source->ops->finish(source->state);
	}
	sample_last(sampler, true, end_ns);
	if (given_up(sampler))
		return;
	take_notes(sampler);
	pair_clocks(sampler);
	tp_recording_end(&(struct pwrtrace_recording_end){
		.process = process_number, .end_ns = end_ns, .why = sampler->why});
}

/* Returns false once the recording is to end. */
static bool sleep_until(struct sampler *sampler, uint64_t time_ns)
{
	struct timespec until = clock_timespec(time_ns);
	bool goes_on;

	pthread_mutex_lock(&sampler->lock);
	while (!sampler->why && !pthread_cond_timedwait(&sampler->wake, &sampler->lock, &until))
		;
	goes_on = !sampler->why;
	pthread_mutex_unlock(&sampler->lock);
	return goes_on;
}

static void *run(void *argument)
{
	struct sampler *sampler = argument;

	pthread_setname_np(pthread_self(), "pwrtrace-power");
	while (sleep_until(sampler, sample_what_is_due(sampler)))
		;
	sample_to_the_end(sampler);
	pthread_mutex_lock(&sampler->lock);
	sampler->finished = true;
	pthread_cond_signal(&sampler->wake);
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
	machine_read(&sampler->machine);
	tell_problems(sampler, true);
	readers_plan(sampler->readers, sampler->reader_count);
	error = start_thread(sampler);
	sampler->started = !error;
	return error;
}

/* Returns whether the thread wrote everything in time. */
static bool end_thread(struct sampler *sampler, const char *why)
{
	struct timespec until = clock_timespec(clock_now_ns() + STOP_NS);

	pthread_mutex_lock(&sampler->lock);
	sampler->why = why;
	pthread_cond_signal(&sampler->wake);
	while (!sampler->finished &&
		!pthread_cond_timedwait(&sampler->wake, &sampler->lock, &until))
		;
	sampler->given_up = !sampler->finished;
	pthread_mutex_unlock(&sampler->lock);
	return !sampler->given_up;
}

/* If a driver does not answer, the thread that waits for it still uses the sampler, which is
 * therefore not freed. */
static void leave_thread(struct sampler *sampler, const char *why)
{
	pthread_detach(sampler->thread);
	sampler->recording.say("power", "a sensor does not answer; its last readings are missing");
	lost_write("power_sample", "a sensor does not answer", 1);
	tp_recording_end(&(struct pwrtrace_recording_end){
		.process = process_number, .end_ns = clock_now_ns(), .why = why});
}

static void sampler_stop(struct sampler *sampler, const char *why)
{
	if (sampler->started && !end_thread(sampler, why)) {
		leave_thread(sampler, why);
		return;
	}
	if (sampler->started)
		pthread_join(sampler->thread, NULL);
	sampler_free(sampler);
}

const struct sampler_ops sampler_ops = {
	.open = sampler_open,
	.start = sampler_start,
	.stop = sampler_stop,
};
