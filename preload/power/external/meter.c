/* SPDX-License-Identifier: MIT */
#include "preload/power/external/meter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/common/clock.h"
#include "preload/power/external/watts.h"

#define POLL_NS (10 * PWRTRACE_NS_PER_MS)
#define VALUES_MAX 1000000 /* that nobody has written: then the meter is too fast for us */
#define LATE_NS (60 * PWRTRACE_NS_PER_S) /* more than a line takes to come */

#define NAME_KEPT_MAX 52 /* what a number may follow */

static struct meter *open_meters;

static const char blanks[] = " \t,;\r";

int meter_parse(const char *line, struct meter_value *value)
{
	const char *first = line + strspn(line, blanks);
	const char *second = first + strcspn(first, blanks);
	const char *rest;
	char *end;

	second += strspn(second, blanks);
	if (!*first || *first == '#')
		return 0;
	value->time_ns = PWRTRACE_UNKNOWN_U64;
	if (*second) {
		errno = 0;
		value->time_ns = strtoull(first, &end, 10);
		if (errno || *first < '0' || *first > '9' || !strchr(blanks, *end))
			return -1;
	}
	rest = watts_parse_mw(*second ? second : first, &value->power_mw);
	return rest && !rest[strspn(rest, blanks)] ? 1 : -1;
}

static bool is_in_use(const char *name)
{
	for (const struct meter *meter = open_meters; meter; meter = meter->next)
		if (strcmp(meter->name, name) == 0)
			return true;
	return false;
}

/* Two meters are two domains, also where the same program reads them. */
static void name_domain(struct meter *meter, const char *name, size_t length)
{
	int kept = (int)(length < NAME_KEPT_MAX ? length : NAME_KEPT_MAX);

	snprintf(meter->name, sizeof(meter->name), "%.*s", kept, name);
	for (unsigned int number = 2; is_in_use(meter->name); number++)
		snprintf(meter->name, sizeof(meter->name), "%.*s-%u", kept, name, number);
}

void meter_begin(struct meter *meter, int fd, const char *name)
{
	const char *end = name + strcspn(name, " \t");
	const char *begin = end;

	while (begin > name && begin[-1] != '/')
		begin--;
	meter->fd = fd;
	name_domain(meter, begin, (size_t)(end - begin));
	meter->next = open_meters;
	open_meters = meter;
	meter->read_ns = clock_now_ns();
	meter->sensor = (struct power_sensor){
		.device = "*",
		.domain = meter->name,
		.part_of = "*",
		.quantity = "power",
		.period_ns = PWRTRACE_UNKNOWN_U64,
		.window_ns = PWRTRACE_UNKNOWN_U64,
		.lag_ns = PWRTRACE_UNKNOWN_U64,
		.poll_ns = POLL_NS,
		.batched = true,
	};
}

static bool near(uint64_t a_ns, uint64_t b_ns)
{
	return (a_ns > b_ns ? a_ns - b_ns : b_ns - a_ns) < LATE_NS;
}

/* Which clock it has shows with its first line. */
static uint64_t place(struct meter *meter, uint64_t stamp_ns, uint64_t now_ns)
{
	if (meter->clock == METER_CLOCK_NOT_KNOWN)
		meter->clock = near(stamp_ns, now_ns) ? METER_MONOTONIC
			       : near(stamp_ns, now_ns + meter->realtime_offset_ns)
				       ? METER_REALTIME
				       : METER_CLOCK_ITS_OWN;
	switch (meter->clock) {
	case METER_MONOTONIC:
		return stamp_ns;
	case METER_REALTIME:
		return stamp_ns - meter->realtime_offset_ns;
	default:
		return stamp_clock_time(&meter->stamps, stamp_ns, now_ns);
	}
}

static void take_line(struct meter *meter, uint64_t now_ns)
{
	struct meter_value value, *grown;
	int parsed;

	meter->line[meter->line_length] = 0;
	meter->line_length = 0;
	parsed = meter_parse(meter->line, &value);
	if (parsed < 0 && !meter->refused) {
		power_notes_add(&meter->notes, "power_sample",
			"%s wrote \"%.60s\", which is neither \"watts\" nor \"time_ns watts\"",
			meter->name, meter->line);
		meter->refused = true;
	}
	if (parsed <= 0 || meter->count == VALUES_MAX)
		return;
	if (meter->count == meter->capacity) {
		size_t capacity = meter->capacity ? 2 * meter->capacity : 256;

		grown = reallocarray(meter->values, capacity, sizeof(*grown));
		if (!grown)
			return;
		meter->values = grown;
		meter->capacity = capacity;
	}
	if (value.time_ns != PWRTRACE_UNKNOWN_U64)
		value.time_ns = place(meter, value.time_ns, now_ns);
	meter->values[meter->count++] = value;
}

static void take_bytes(struct meter *meter, const char *bytes, size_t length, uint64_t now_ns)
{
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] == '\n')
			take_line(meter, now_ns);
		else if (meter->line_length < METER_LINE_MAX - 1)
			meter->line[meter->line_length++] = bytes[i];
	}
}

/* Values without a time came one after the other since we looked before. */
static void spread(struct meter *meter, size_t from, uint64_t now_ns)
{
	uint64_t passed_ns = now_ns - meter->read_ns;

	for (size_t i = from; i < meter->count; i++)
		if (meter->values[i].time_ns == PWRTRACE_UNKNOWN_U64)
			meter->values[i].time_ns =
				meter->read_ns + passed_ns * (i - from + 1) / (meter->count - from);
	meter->read_ns = now_ns;
}

bool meter_read(struct meter *meter)
{
	uint64_t now_ns = clock_now_ns();
	size_t before = meter->count;
	char bytes[4096];
	ssize_t length;

	meter->realtime_offset_ns = (uint64_t)clock_realtime_offset_ns();
	while ((length = read(meter->fd, bytes, sizeof(bytes))) > 0)
		take_bytes(meter, bytes, (size_t)length, now_ns);
	spread(meter, before, now_ns);
	return length < 0 && (errno == EAGAIN || errno == EINTR);
}

void meter_end(struct meter *meter)
{
	struct meter **at = &open_meters;

	while (*at != meter)
		at = &(*at)->next;
	*at = meter->next;
	close(meter->fd);
	free(meter->values);
	power_notes_free(&meter->notes);
}

size_t meter_sensors(void *state, const struct power_sensor **sensors)
{
	const struct meter *meter = state;

	*sensors = &meter->sensor;
	return 1;
}

void meter_write(void *state, size_t i, const struct power_sink *sink)
{
	struct meter *meter = state;

	(void)i;
	for (size_t k = 0; k < meter->count; k++) {
		if (meter->values[k].time_ns <= meter->written_ns)
			continue;
		meter->written_ns = meter->values[k].time_ns;
		sink->value(sink, meter->values[k].time_ns, meter->values[k].power_mw);
	}
	meter->count = 0;
}

const struct power_note *meter_note(void *state, size_t i)
{
	const struct meter *meter = state;

	return power_notes_at(&meter->notes, i);
}
