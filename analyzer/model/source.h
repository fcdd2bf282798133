/* SPDX-License-Identifier: MIT */
/*
 * Sources of energy: the power curve of a sensor, and the devices that it measures.
 *
 * Where several sensors measure the same domain of a device (a gauge and a counter, or sensors of
 * two recordings), the one with the most readings counts, and the others fill its holes, so that no
 * energy counts twice.  Where no sensor measures a device, the sensor "model" estimates its power.
 * A sensor of the whole machine, as a wall meter (part_of "*"), counts where no other sensor has
 * readings.
 */
#ifndef PWRTRACE_SOURCE_H
#define PWRTRACE_SOURCE_H

#include <string.h>

#include "analyzer/model/model.h"

struct source {
	const struct model_sensor *sensor;
	const struct model_recording *recording;
	struct model_span span; /* of the recording, and of those of sources that fill its holes */
	const char *device;     /* the device that it measures, as reports call it */
	bool top_level; /* counts in totals: its domain is no part of another, or was asked for */
	bool estimated; /* intervals have no energy; power is static_mw, + dynamic_mw when busy */
	uint64_t static_mw;
	uint64_t dynamic_mw;
	GArray *curve;    /* struct curve_interval */
	bool *covers;     /* by index in model->gpus: whether it measures that device */
	GArray *replays;  /* struct model_span: when replays held up its machine; NULL: never */
	uint64_t gap_ns;  /* time of the program without known power, or only blurred */
	GPtrArray *alike; /* const struct source *: same kind of sensor, same model of device */
	bool fills;       /* it only fills holes of another source: less than half of it counts */
};

/* The recording that a process (its number in a sub-trace) made, or NULL. */
const struct model_recording *source_recording(
	const struct model *model, unsigned trace, uint32_t process_number);

/* Whether what a sensor says of its device, and that one's PCI address, are a device's: its UUID,
 * PCI address, name, kind or ordinal, or "*". */
bool source_names(const char *device, const char *pci, const struct model_gpu *gpu);

/* Whether a sensor of a recording measures a device: same machine, and a name of it. */
bool source_measures(const struct model_recording *recording, const struct model_sensor *sensor,
	const struct model_gpu *gpu);

/* How many devices of a process share a sensor, as the partitions of a card do: devices of one API
 * with the sensor's UUID or PCI address, in the process that has the most. */
guint source_devices(const struct model *model, const struct model_sensor *sensor);

/* The one device that a source measures, an index in model->gpus; MODEL_NONE: there are several. */
uint32_t source_gpu(const struct model *model, const struct source *source);

/* Returns all sources (struct source): measured ones before estimates, top-level ones before
 * others; free with sources_free.  domain: the domain to count as top-level; NULL: those that are
 * no part of another. */
GArray *sources_of(const struct model *model, const char *domain);
void sources_free(GArray *sources);

/* Whether both were read on one machine. */
static inline bool source_shares_machine(const struct source *a, const struct source *b)
{
	return strcmp(a->recording->machine, b->recording->machine) == 0;
}

/* Whether both measure the same domain of the same device. */
static inline bool source_measures_same(const struct source *a, const struct source *b)
{
	return source_shares_machine(a, b) && strcmp(a->device, b->device) == 0 &&
	       strcmp(a->sensor->domain, b->sensor->domain) == 0;
}

/* Sets alike of all sources.  Sensors of the same kind, driver, domain and period, on devices of
 * the same name, have the same response. */
void sources_find_alike(const struct model *model, GArray *sources);

/* Whether a source measures a device (its index in model->gpus, or MODEL_NONE). */
static inline bool source_covers(const struct source *source, uint32_t gpu)
{
	return gpu != MODEL_NONE && source->covers[gpu];
}

/* Whether a source measures any device that is in the traces. */
bool source_covers_any(const struct model *model, const struct source *source);

#endif
