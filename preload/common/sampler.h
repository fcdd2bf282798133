/* SPDX-License-Identifier: MIT */
/*
 * The seam between a recorder and the sampler of power, which is part of the engine
 * (preload/engine/sampler): `struct engine` hands it out.
 */
#ifndef PWRTRACE_SAMPLER_SEAM_H
#define PWRTRACE_SAMPLER_SEAM_H

#include <stddef.h>
#include <stdint.h>

struct sampler;

/* What the recording event says.  All strings are borrowed until stop. */
struct sampler_recording {
	uint64_t begin_ns;
	const char *command;
	const char *const *tags; /* "KEY=VALUE" each */
	size_t tag_count;

	/* Called from the thread: what a source has to tell the user, in one line. */
	void (*say)(const char *source, const char *line);
};

struct sampler_ops {
	/* Opens the sources of a list like "rapl,replay:FILE"; "": every real sensor found, else
	 * the model; ",counters": these, too.  Needs no tracepoints: it also validates the list.
	 * Returns NULL with one line in why (size bytes) when a source is unknown or cannot be
	 * used.  Until it returns, why is the name of the source whose driver it waits for. */
	struct sampler *(*open)(const char *list, char *why, size_t size);

	/* Starts the thread (all signals blocked).  Whenever tracepoints become enabled, the
	 * definitions are written first.  Returns 0 or an errno. */
	int (*start)(struct sampler *sampler, const struct sampler_recording *recording);

	/* Reads and writes a last time, writes recording_end with why, and frees the sampler,
	 * started or not. */
	void (*stop)(struct sampler *sampler, const char *why);
};

#endif
