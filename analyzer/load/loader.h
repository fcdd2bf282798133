/* SPDX-License-Identifier: MIT */
/*
 * A model that is being loaded, and what is known of the traces only until then: which launches
 * wait for their executions, what clocks said, when waits returned.
 */
#ifndef PWRTRACE_LOADER_H
#define PWRTRACE_LOADER_H

#include "analyzer/model/model.h"

/* By the device's clock; both 0: not known, or as in the execution. */
struct raw_times {
	uint64_t begin_ns;
	uint64_t end_ns;
};

/* Of an execution, which call launched it.  Eight bytes, as there are millions. */
struct launch_call {
	uint32_t correlation;
	uint32_t length_ns; /* of time; PWRTRACE_UNKNOWN_U32: not known, or longer */
};

struct clocks;
struct join;
struct waits;

struct loader {
	struct model *model;
	struct clocks *clocks;
	struct join *join; /* launches and executions that wait for each other */
	struct waits *waits;
	GArray *raw_times;        /* struct raw_times, by execution as far as there are any */
	GArray *calls;            /* struct launch_call, by execution */
	GHashTable *memory_index; /* index in memories, by name, kind and size */
	GHashTable *mark_index;   /* index in marks + 1, by name and unit */
	uint32_t last_process;    /* which was asked for */
	uint32_t newest_schema;   /* of the traces */
};

/* layers: also when layers were open, and when each execution was launched. */
struct loader *loader_new(bool layers);

/* Frees it and not its model. */
void loader_free(struct loader *loader);

/* The model's own copy of a text, one for all equal texts, in valid UTF-8. */
const char *loader_text(struct loader *loader, const char *text);

/* What tells machines apart: the boot, which containers on one have in common, else the host. */
const char *loader_machine(struct loader *loader, const char *host, const char *boot_id);

/* Notes the schema of a trace, where it says so. */
void loader_schema(struct loader *loader, uint32_t schema);

/* A sub-trace tells of that moment, too. */
void loader_reach(struct loader *loader, unsigned trace, uint64_t time_ns);

/* The index of a process of a sub-trace, or the process itself, made where it is new. */
uint32_t loader_process(struct loader *loader, unsigned trace, uint32_t pid);
struct model_process *loader_process_at(struct loader *loader, unsigned trace, uint32_t pid);

#endif
