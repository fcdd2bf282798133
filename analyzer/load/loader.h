/* SPDX-License-Identifier: MIT */
/*
 * The state of loading: the model that is being made, and what is needed only until all events have
 * been read, as launches that wait for their executions, and comparisons of clocks.
 */
#ifndef PWRTRACE_LOADER_H
#define PWRTRACE_LOADER_H

#include "analyzer/model/model.h"

/* The call that launched an execution.  Small, since there are millions. */
struct launch_call {
	uint32_t correlation;
	uint32_t length_ns;  /* its duration; PWRTRACE_UNKNOWN_U32: not known, or longer */
	uint32_t conversion; /* of the execution's times (clocks.h) */
	uint32_t tid;        /* the thread; PWRTRACE_UNKNOWN_U32: not told */
};

/* Launches of a process that had not been written as executions at time_ns, and not since. */
struct in_flight {
	uint64_t time_ns;
	uint64_t count;
};

struct clocks;
struct join;
struct waits;

struct loader {
	struct model *model;
	struct clocks *clocks;
	struct join *join; /* launches and executions that wait for each other */
	struct waits *waits;
	struct mapped_array *calls; /* struct launch_call, by execution */
	uint64_t left_out;          /* executions for which there was no room */
	int no_room;                /* errno of the first of these */
	GArray *long_times;         /* struct pwrtrace_long_times, which wait for their execution */
	GArray *in_flight;          /* struct in_flight by process; may be shorter than processes */
	GHashTable *memory_index;   /* index in memories, by name, kind and size */
	GHashTable *mark_index;     /* index in marks + 1, by name and unit */
	GHashTable *paths;          /* of sub-traces that were read: char *, without links */
	guint repeats;              /* how often one of these was to be read again */
	uint32_t last_process;      /* a cache for loader_process() */
	uint32_t newest_schema;     /* the highest schema number of the traces */
};

/* A loader with an empty model.  layers: as in struct load_options. */
struct loader *loader_new(bool layers);

/* Frees the loader, but not its model. */
void loader_free(struct loader *loader);

/* The model's own copy of a text, in valid UTF-8; equal texts get the same pointer. */
const char *loader_text(struct loader *loader, const char *text);

/* The name by which machines are told apart: the boot id, which all containers of a machine have in
 * common; where it is "", the host's name. */
const char *loader_machine(struct loader *loader, const char *host, const char *boot_id);

/* Notes the schema number of a trace, unless it is unknown. */
void loader_schema(struct loader *loader, uint32_t schema);

/* Notes that an event of a sub-trace has this time, for model->last_ns. */
void loader_reach(struct loader *loader, unsigned trace, uint64_t time_ns);

/* The index of a process (its number in a sub-trace), or the process itself, made where it is new.
 * The pointer is valid until the next process is made. */
uint32_t loader_process(struct loader *loader, unsigned trace, uint32_t number);
struct model_process *loader_process_at(struct loader *loader, unsigned trace, uint32_t number);

#endif
