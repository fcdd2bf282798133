/* SPDX-License-Identifier: MIT */
/*
 * Sources of energy: what each sensor measured, of which devices.
 *
 * Of several that measure the same domain of a device (samples and a counter, or two recordings'
 * sensors), the one with the most readings counts and the others fill its holes, so that no joule
 * counts twice; where no sensor measures a device, the source "model" estimates it.  What measures
 * beside the others (part_of "*") counts where no other sensor has readings.
 */
#ifndef PWRTRACE_SOURCE_H
#define PWRTRACE_SOURCE_H

#include <string.h>

#include "analyzer/model/model.h"

struct source {
	const struct model_sensor *sensor;
	const struct model_recording *recording;
	struct model_span span; /* the recording's, with those of sources that fill its holes */
	const char *device;     /* the device it measures, as reports call it */
	bool top_level; /* its joules are summed: of no other domain a part, or the one asked for */
	bool estimated; /* intervals give the time only; power is static_mw + dynamic_mw if busy */
	uint64_t static_mw;
	uint64_t dynamic_mw;
	GArray *curve;   /* struct curve_interval */
	bool *covers;    /* by index in model->gpus */
	uint64_t gap_ns; /* of the recording's span, what nothing measured, or only blurred */
	GPtrArray
		*alike; /* const struct source *: of sensors of its kind on devices of its model */
	bool fills;     /* another one measures most of what it does: it fills that one's holes */
};

/* The recording that a process of a trace made, or NULL. */
const struct model_recording *source_recording(
	const struct model *model, unsigned trace, uint32_t pid);

/* Whether a sensor of a recording is one of the device. */
bool source_measures(const struct model_recording *recording, const struct model_sensor *sensor,
	const struct model_gpu *gpu);

/* How many devices of one API share a sensor, by their address or UUID, in the process where most
 * do: partitions of a card. */
guint source_devices(const struct model *model, const struct model_sensor *sensor);

/* domain: whose joules are asked for; NULL: of whole devices.  Returns the sources (struct source),
 * top-level and real ones first; free with sources_free. */
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

/* Sets alike of each: sensors of one kind, driver and domain on other devices of the same name
 * answer power alike. */
void sources_find_alike(const struct model *model, GArray *sources);

/* Whether it measures a device, by its index in model->gpus or MODEL_NONE. */
static inline bool source_covers(const struct source *source, uint32_t gpu)
{
	return gpu != MODEL_NONE && source->covers[gpu];
}

/* Whether it measures a device that the traces know. */
bool source_covers_any(const struct model *model, const struct source *source);

#endif
