/* SPDX-License-Identifier: MIT */
/*
 * What nvidia-smi --query-gpu=timestamp,... --format=csv writes:
 *
 *   timestamp, clocks.current.sm [MHz], power.draw [W], power.draw.instant [W], temperature.gpu
 *   2025/03/09 14:05:07.123, 1980 MHz, 688.21 W, 701.55 W, 61
 *
 * (The order is free but for timestamp, and units in the rows are missing with "nounits".)  The
 * instant power is the GPU's; power.draw, on many GPUs a mean over a second, is kept beside it.  Of
 * several GPUs without a column that tells them apart nothing can be made: without one, no time may
 * fall or have two values, and rows must not come in bursts (recorded_csv.c).
 */
#include "preload/power/external/recorded_smi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "preload/power/external/watts.h"
#include "pwrtrace/units.h"

enum { IGNORED, TIME, DRAW, INSTANT, CLOCK, TEMPERATURE, UUID, PCI, INDEX, COLUMN_COUNT };

/* Older and newer names. */
static const struct {
	const char *name;
	uint8_t column;
} columns[] = {
	{"timestamp", TIME},
	{"power.draw", DRAW},
	{"power.draw.average", DRAW},
	{"power.draw.instant", INSTANT},
	{"clocks.current.sm", CLOCK},
	{"clocks.sm", CLOCK},
	{"temperature.gpu", TEMPERATURE},
	{"uuid", UUID},
	{"gpu_uuid", UUID},
	{"pci.bus_id", PCI},
	{"gpu_bus_id", PCI},
	{"index", INDEX},
};

/* Without what stands around it: blanks, and in a header the unit. */
static char *trimmed(char *field)
{
	char *end;

	field += strspn(field, " ");
	end = field + strlen(field);
	while (end > field && end[-1] == ' ')
		*--end = 0;
	return field;
}

int recorded_smi_begin(struct recorded_smi *smi, const struct recorded_lines *lines, char *header)
{
	bool has[COLUMN_COUNT] = {false};

	while (header && smi->count < RECORDED_SMI_COLUMNS_MAX) {
		char *field = recorded_take_field(&header);
		uint8_t *column = &smi->column[smi->count++];

		if (!field)
			return recorded_refuse(
				lines, "a quoted field does not end where it should");
		field[strcspn(field, "[")] = 0;
		field = trimmed(field);
		for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
			if (strcmp(field, columns[i].name) == 0)
				*column = columns[i].column;
		has[*column] = true;
	}
	if (!has[DRAW] && !has[INSTANT])
		return recorded_refuse(lines, "nvidia-smi wrote no power here; ask it for "
					      "power.draw.instant or power.draw");
	smi->tells_apart = has[UUID] || has[PCI] || has[INDEX];
	return 0;
}

/* "2025/03/09 14:05:07.123", in the time of the place.  Returns 0 or -1. */
static int parse_time(const char *text, int64_t *time_ns)
{
	struct tm tm = {0};
	unsigned int ms;
	int length = 0;

	if (sscanf(text, "%4d/%2d/%2d %2d:%2d:%2d.%3u%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
		    &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &ms, &length) != 7 ||
		text[length])
		return -1;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	*time_ns = timegm(&tm) * (int64_t)PWRTRACE_NS_PER_S + ms * (int64_t)PWRTRACE_NS_PER_MS;
	return 0;
}

/* "1980 MHz"; "[N/A]" and the like are unknown. */
static uint32_t parse_u32(const char *text)
{
	return text && *text >= '0' && *text <= '9' ? (uint32_t)strtoul(text, NULL, 10)
						    : PWRTRACE_UNKNOWN_U32;
}

static const char alone[] = "gpu"; /* where no column tells GPUs apart */

/* Adds the row where it goes on in time: nvidia-smi repeats one when it is asked too often. */
static int append(const struct recorded_lines *lines, const char *device, const char *domain,
	const char *part_of, const char *quantity, struct recorded_row row)
{
	const struct recorded_row *last;
	struct recorded_series *series =
		recorded_series_of(lines->file, device, domain, part_of, quantity);

	if (!series)
		return recorded_refuse(lines, "out of memory");
	last = series->count ? &series->rows[series->count - 1] : NULL;
	if (!last || row.time_ns > last->time_ns)
		return recorded_append(lines, series, row);
	if (device == alone && memcmp(&row, last, sizeof(row)) != 0)
		return recorded_refuse(lines,
			"the timestamp does not rise; for several GPUs, ask nvidia-smi for index "
			"as well");
	return 0;
}

/* "00000000:41:00.0" is "0000:41:00.0" to everyone else. */
static const char *short_pci(const char *pci)
{
	return strlen(pci) == strlen("00000000:41:00.0") && strncmp(pci, "0000", 4) == 0 ? pci + 4
											 : pci;
}

static int split(const struct recorded_smi *smi, const struct recorded_lines *lines, char *text,
	const char *fields[COLUMN_COUNT])
{
	size_t count = 0;

	while (text) {
		char *field = recorded_take_field(&text);

		if (field && count < smi->count)
			fields[smi->column[count]] = trimmed(field);
		count++;
	}
	return count == smi->count ? 0
				   : recorded_refuse(lines, "%zu fields where %zu are expected",
					     count, smi->count);
}

int recorded_smi_row(struct recorded_smi *smi, const struct recorded_lines *lines, char *text)
{
	const char *fields[COLUMN_COUNT] = {0};
	const char *device;
	struct recorded_row row = {0};
	int64_t time_ns;
	bool instant, draw;
	uint64_t instant_mw = 0, draw_mw = 0;

	if (split(smi, lines, text, fields))
		return -1;
	if (!fields[TIME] || parse_time(fields[TIME], &time_ns))
		return recorded_refuse(lines, "the timestamp is not like 2025/03/09 14:05:07.123");
	if (!smi->begun)
		smi->first_ns = time_ns;
	smi->begun = true;
	if (time_ns < smi->first_ns)
		return recorded_refuse(lines, "the timestamp falls");
	row.time_ns = (uint64_t)(time_ns - smi->first_ns);
	row.sm_clock_mhz = parse_u32(fields[CLOCK]);
	row.temperature_c = parse_u32(fields[TEMPERATURE]);
	if (fields[PCI])
		fields[PCI] = short_pci(fields[PCI]);
	device = fields[UUID]    ? fields[UUID]
		 : fields[PCI]   ? fields[PCI]
		 : fields[INDEX] ? fields[INDEX]
				 : alone;
	instant = fields[INSTANT] && watts_parse_mw(fields[INSTANT], &instant_mw);
	draw = fields[DRAW] && watts_parse_mw(fields[DRAW], &draw_mw);
	row.value = instant ? instant_mw : draw_mw;
	if ((instant || draw) && append(lines, device, "gpu", "", "power", row))
		return -1;
	row.value = draw_mw;
	if (instant && draw && append(lines, device, "power.draw", "*", "power", row))
		return -1;
	return fields[CLOCK] || fields[TEMPERATURE] ? append(lines, device, "gpu", "", "state", row)
						    : 0;
}
