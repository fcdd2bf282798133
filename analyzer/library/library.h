/* SPDX-License-Identifier: MIT */
/*
 * Libraries: powers that recordings have told, for the reports of others.
 *
 * A library is a set of messages, one for each sensor of each recording.  A message has what the
 * readings of that recording told of the powers of its classes, without what had been assumed
 * before: equivalent measurements, each of a sum of powers with a variance of 1.  A message has an
 * id, so that libraries merge as sets do: in any order, and nothing counts twice.
 * pwrtrace-library(1) describes the file.
 */
#ifndef PWRTRACE_LIBRARY_H
#define PWRTRACE_LIBRARY_H

#include <stdio.h>

#include "analyzer/regress/fit.h"

/* The work of a class: what executions of one power have in common, in any program.  Strings are ""
 * and numbers 0 where they do not apply. */
struct library_work {
	const char *kind; /* "kernel", "graph", or a copy's or fill's as in struct model_memory */
	const char *name; /* of a kernel, as the compiler mangled it; of a copy, the call; of a
			   * graph, its signature */
	uint64_t grid[3]; /* work-items, as in kernel_def */
	uint32_t block[3], shared_bytes;
	uint64_t bytes; /* of a copy, a fill or a collective's kernel */
};

/* A class of a message. */
struct library_class {
	struct library_work work;
	uint64_t executions;
	double median_ns; /* of its executions' times */
	/* NaN where not known: the time to which the power belongs (their mean, or their median
	 * where power was found to follow each one's speed), the mean clock of the device
	 * meanwhile, how closely times follow the clock (clock_field_follows; 1 where they stand
	 * for it), the power's exponent by the clock. */
	double mean_ns, clock_mhz, follows, exponent;
	double dynamic_w; /* as that recording's own fit has it, with its deviation */
	double deviation_w;
	double prior_w, prior_deviation_w; /* what the message leaves out (tell.c) */
};

/* A class was measured where its deviation is less than this part of its prior's: then what others
 * of its size draw tells nothing more of it (regression.c). */
#define LIBRARY_MEASURED 0.5

struct library_message {
	const char *id;                       /* of the recording and the sensor */
	const char *program;                  /* as recorded */
	const char *device, *board;           /* the model of device; which one: UUID, or "" */
	const char *driver, *source, *domain; /* of the sensor */
	/* The response of the sensor, where the readings left no other one likely. */
	bool has_response;
	struct response_shape response;
	GArray *classes; /* struct library_class */
	/* The equivalent measurements: sum[row] is known of the sum over the classes of
	 * part[row][class] * dynamic power, in units of its standard deviation. */
	guint rows;
	double *part, *sum;
};

struct library {
	char *path;          /* the file; NULL: none */
	GPtrArray *messages; /* struct library_message *, by id */
	GStringChunk *strings;
};

struct library *library_new(void);
void library_free(struct library *library);

/* A message without classes, whose strings are the library's; library_add takes it. */
struct library_message *library_message_new(void);
void library_message_free(struct library_message *message);

/* Adds a message, unless one with its id is there: then frees it and returns false. */
bool library_add(struct library *library, struct library_message *message);

/* Moves the messages of another library into this one; those that it has already are dropped. */
void library_merge(struct library *library, struct library *other);

/* A copy of a text that lives as long as the library. */
const char *library_text(struct library *library, const char *text);

/* The work of an origin, with the texts of the model; kind "" where it is not known. */
struct library_work library_work_of(const struct model *model, const struct model_origin *origin);

/* Whether both are the same work, or kernels of one name with other shapes. */
bool library_same_work(const struct library_work *a, const struct library_work *b);
bool library_other_shape(const struct library_work *a, const struct library_work *b);

/* The id of the message that a source's recording makes.  g_free it. */
char *library_id(const struct source *source);

/* The device that a source measures, as a model has it; NULL: none is known. */
const struct model_gpu *library_gpu(const struct model *model, const struct source *source);

/* What a fit tells, for library_add; its strings become the library's.  NULL: nothing. */
struct library_message *library_tell(
	struct library *library, const struct model *model, const struct fit *fit);

/* Reads a file.  Returns NULL, after an error message, where it cannot be used. */
struct library *library_read(const char *path);

/* Writes JSON in the schema pwrtrace-library/1. */
void library_write(FILE *out, const struct library *library);

/* The remember function of a struct fit_memory whose library is a struct library. */
struct remembered *library_remember(const void *library, const struct model *model,
	const struct source *source, const struct classes *classes);

/* Writes the kernels whose power is known to 5 % from here alone, a line each, as
 * PWRTRACE_REPLAY_KNOWN of pwrtrace-environment(7) takes them. */
void library_write_known(FILE *out, const struct library *library);

/* Where the user's own library lies, whether it is there or not.  g_free it. */
char *library_own_path(void);

#endif
