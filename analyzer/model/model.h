/* SPDX-License-Identifier: MIT */
/*
 * What the traces say, in memory: facts, which load_traces (load.h) gathers and nobody changes
 * afterwards.
 *
 * Everything that events refer to by (process, id) is kept per process; definitions may be missing.
 * Indexes into the arrays of struct model are stable; strings live as long as the model.
 */
#ifndef PWRTRACE_MODEL_H
#define PWRTRACE_MODEL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "analyzer/model/origin.h"
#include "analyzer/model/table.h"
#include "pwrtrace/events.h"

#define MODEL_NONE UINT32_MAX

/* What the code of a kernel needs, as in the trace: numbers may be PWRTRACE_UNKNOWN_U32, arguments
 * "". */
struct model_code {
	uint32_t registers, scalar_registers, accumulation_registers;
	uint32_t shared_bytes, scratch_bytes, kernarg_bytes;
	uint32_t wavefront_size;
	const char *arguments;
};

/* A definition that was not in the trace leaves a hole: defined is false there. */
struct model_kernel {
	bool defined;
	const char *api;
	const char *name; /* as in the trace, mangled */
	uint64_t global[3];
	uint32_t local[3];
	struct model_code code;
};

/* Of a group; 0 where the trace does not say. */
static inline uint32_t model_shared_bytes(const struct model_kernel *kernel)
{
	return kernel->code.shared_bytes == PWRTRACE_UNKNOWN_U32 ? 0 : kernel->code.shared_bytes;
}

struct model_stream {
	bool defined;
	bool out_of_order;
	uint32_t device, context; /* process-local ids */
	uint32_t clock;           /* of process-local clocks; 0: its device's own */
};

struct model_layer {
	bool defined;
	uint32_t parent;
	const char *name;
};

/* A file whose code was loaded. */
struct model_module {
	bool defined;
	const char *path;
	const char *build_id; /* hexadecimal digits, or "" */
};

/* A frame of call stacks under its caller's. */
struct model_stack {
	bool defined;
	uint32_t parent;   /* 0: none; PWRTRACE_UNKNOWN_U32: frames that were not taken */
	uint32_t module;   /* 0: none */
	uint32_t function; /* of an interpreter; else 0, and where the call returns to: */
	uint64_t address;  /* as the module's file says addresses */
};

/* A function that an interpreter ran. */
struct model_function {
	bool defined;
	const char *name, *file;
	uint32_t line;
};

/* count nodes of a class: a kernel (process-local), or copies or fills of one kind and size. */
struct model_graph_part {
	uint32_t kernel;
	uint32_t count;
	uint64_t bytes;
	const char *kind; /* "kernel", or as that of struct model_memory */
};

static inline bool model_part_is_kernel(const struct model_graph_part *part)
{
	return strcmp(part->kind, "kernel") == 0;
}

struct model_graph {
	bool defined;
	uint32_t nodes;        /* PWRTRACE_UNKNOWN_U32: not known */
	const char *signature; /* equal for graphs of the same kernels and copies, in any process */
	GArray *parts;         /* struct model_graph_part; NULL: none */
	uint64_t units;        /* launches that were timed as one unit */
	uint64_t launches;     /* others: their nodes are executions of their own */
};

struct model_device {
	bool defined;
	uint32_t parent;
	uint32_t compute_units;
	const char *api, *kind, *name, *uuid, *pci;
	uint32_t gpu; /* index in model->gpus of its root, or MODEL_NONE */
};

struct model_process {
	unsigned trace; /* number of the sub-trace: pids mean something only within one */
	uint32_t pid;
	const char *host, *executable;
	const char *machine;   /* the boot, which all containers of a machine share; else host */
	uint64_t begin_ns;     /* 0: not known */
	uint64_t end_ns;       /* 0: not known */
	bool ended;            /* it wrote all events that it had */
	bool cut_off;          /* it, or a program that it was before an exec, did not */
	struct table *kernels; /* struct model_kernel by id, and so on */
	struct table *streams;
	struct table *layers;
	struct table *devices;
	struct table *graphs;
	struct table *modules;
	struct table *stacks;
	struct table *functions;
};

/* A thread opened a layer, or closed one. */
struct model_range {
	uint64_t time_ns;
	uint32_t process;
	uint32_t tid;
	uint32_t layer; /* process-local */
	bool closes;
};

/* A root device, the same one for all processes of a machine. */
struct model_gpu {
	const char *machine, *api, *kind, *name, *uuid, *pci;
	uint32_t ordinal; /* among those of its process, counted from 0 */
	uint32_t compute_units;
};

/* A copy, fill or mapping: what its class is made of. */
struct model_memory {
	const char *name, *kind;
	uint64_t bytes;
};

/* A kernel, a memory operation or a whole graph that the device ran.  Kept small: there are
 * millions. */
struct model_execution {
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t launched_ns; /* may be PWRTRACE_UNKNOWN_U64 */
	uint32_t origin;      /* its number in model->origins */
};

/* Times that are unknown or run backwards are both kept as 0. */
static inline bool model_is_timed(const struct model_execution *execution)
{
	return execution->end_ns != 0;
}

/* When it was launched; where that is not known, when it began. */
static inline uint64_t model_launched_ns(const struct model_execution *execution)
{
	return execution->launched_ns == PWRTRACE_UNKNOWN_U64 ? execution->begin_ns
							      : execution->launched_ns;
}

/* A time from begin_ns to before end_ns. */
struct model_span {
	uint64_t begin_ns;
	uint64_t end_ns;
};

/* The recording launched a kernel again, alone, count times, to learn its power; or could not. */
struct model_replay {
	struct model_span span;
	uint64_t count;
	uint32_t process;   /* index in processes */
	uint32_t kernel;    /* process-local */
	const char *reason; /* why not, or why not for long; else "" */
};

/* pwrtrace record, or who else samples power. */
struct model_recording {
	unsigned trace;
	uint32_t pid;
	const char *host, *command, *power;
	const char *machine; /* as a process's */
	struct model_span span;
	const char *why; /* it ended; "": not known */
};

struct model_reading {
	uint64_t time_ns;
	uint64_t value; /* of a power, mW; of an energy, uJ counted up */
};

#define MODEL_TAPS_MAX 512

/* A sensor's response: this part of a reading is the mean power of the time that begins lag_ns
 * before it and reaches back to the next tap's; negative where values are stamped early. */
struct model_tap {
	int64_t lag_ns;
	double weight;
};

struct model_sensor {
	unsigned trace;
	uint32_t pid;
	uint32_t id;
	const char *source, *device, *pci, *domain, *part_of, *quantity, *driver;
	uint64_t period_ns, window_ns, lag_ns, poll_ns, read_cost_ns;
	GArray *readings; /* struct model_reading */
	guint misdated;   /* of them, with a time before that of the one read before */
	guint glitches;   /* readings that were left out, as others contradict them */

	/* The response, as it had been calibrated by then. */
	const char *calibrated; /* when; "": it was not */
	double noise_w, gain, off_grid;
	uint64_t jitter_ns;
	GArray *taps; /* struct model_tap; empty: it is not known */
};

/* Whether its readings are an energy that grows. */
static inline bool model_is_counter(const struct model_sensor *sensor)
{
	return strcmp(sensor->quantity, "energy") == 0;
}

/* Of a device, from time_ns until the next one. */
struct model_state {
	uint64_t time_ns;
	uint32_t sm_clock_mhz;
	uint64_t throttle_reasons; /* as the vendor numbers them */
};

/* A sensor of a device's clocks and throttling, and not of power. */
struct model_state_sensor {
	struct model_sensor about; /* without readings and response */
	GArray *states;            /* struct model_state */
};

/* What a user wrote on a recording. */
struct model_tag {
	const char *key, *value;
};

/* Values that the program counted under a name ("tokens"), all marks together. */
struct model_mark {
	const char *name, *unit;
	double sum;
	uint64_t count; /* of marks */
};

/* One mark. */
struct model_mark_time {
	uint64_t time_ns;
	double value;
	uint32_t process;
	uint32_t mark; /* index in marks */
};

/* What the recording knows that it did not see. */
struct model_lost {
	const char *what, *why;
	uint64_t count; /* of events */
};

/* What became of the comparisons of a device's clock with the host's, those of one process. */
struct model_clock {
	uint32_t process;      /* index in processes */
	uint32_t device;       /* process-local */
	guint anchors;         /* comparisons, without repeats */
	guint wrong;           /* of them, left out */
	guint steps;           /* of one of the clocks against the other */
	guint rates;           /* that the clock had, one after the other */
	double span_s;         /* from the first anchor to the last */
	double drift;          /* how much the device's clock is fast, a part, most of the time */
	uint64_t error_ns;     /* times are exact to that; rounded up */
	uint64_t contradicted; /* times that are more wrong than had been said */
	const char *cause;     /* of the error: "between anchors" and others (clock_causes) */
};

struct call_tree;

struct model {
	GPtrArray *directories; /* const char *: as given to load_traces, whose caller owns them */
	GArray *processes;      /* struct model_process */
	GArray *gpus;           /* struct model_gpu */
	GArray *memories;       /* struct model_memory */
	struct origins *origins;
	GArray *executions;    /* struct model_execution, by begin_ns */
	GArray *recordings;    /* struct model_recording */
	GArray *sensors;       /* struct model_sensor: of power or energy */
	GArray *state_sensors; /* struct model_state_sensor: of clocks */
	GArray *tags;          /* struct model_tag */
	GArray *marks;         /* struct model_mark: a name and unit that marks have in common */
	GArray *lost;          /* struct model_lost */
	GArray *replays;       /* struct model_replay */
	GArray *clocks;        /* struct model_clock, by process */
	GArray *ranges;        /* struct model_range, as written; NULL: not loaded, as the next */
	GArray *mark_times;    /* struct model_mark_time */
	uint64_t event_count[PWRTRACE_EV_COUNT];
	uint64_t damaged;        /* sub-traces of which something could not be read */
	uint64_t discarded;      /* events for which LTTng had no room */
	uint64_t unfinished;     /* launches whose execution is not in the trace */
	uint64_t without_time;   /* executions whose times are unknown or run backwards */
	uint64_t clock_error_ns; /* every execution's times are exact to that, or it is not known;
				  * 0: no device's clock was compared with the host's */
	unsigned clock_steps;    /* of devices' clocks against the host's, that are worth saying */
	uint64_t clock_contradicted; /* executions whose times are more wrong than had been said, */
	uint64_t contradiction_ns;   /* by at most that: it is in clock_error_ns */
	GArray *last_ns;             /* uint64_t, by sub-trace: the last moment that it tells of */
	const struct call_tree
		*call_tree;    /* paths of origins (call_tree.h), as far as they were asked for */
	GStringChunk *strings; /* all texts, equal ones once */
};

/* An empty one, for load/ and tests.  layers: also when layers were open, and when marks were. */
struct model *model_new(bool layers);
void model_free(struct model *model);

/* Element i of an array of these; NULL where there is none. */
#define MODEL_AT(array, type, i) ((i) < (array)->len ? &g_array_index(array, type, i) : NULL)

static inline const struct model_origin *model_origin_of(
	const struct model *model, const struct model_execution *execution)
{
	return &g_array_index(model->origins->list, struct model_origin, execution->origin);
}

/* The index in gpus of the device that an execution ran on, or MODEL_NONE. */
static inline uint32_t model_gpu_of(
	const struct model *model, const struct model_execution *execution)
{
	return model_origin_of(model, execution)->gpu;
}

const struct model_process *model_process_of(
	const struct model *model, const struct model_origin *origin);

/* The device of a stream as its process defines it, or NULL. */
const struct model_device *model_device_of(
	const struct model *model, const struct model_origin *origin);

/* The kernel; NULL where something else ran, or the kernel is not defined. */
const struct model_kernel *model_kernel_of(
	const struct model *model, const struct model_origin *origin);

/* The graph that ran as one unit; NULL where something else ran, or the graph is not defined. */
const struct model_graph *model_graph_of(
	const struct model *model, const struct model_origin *origin);

/* The last moment that a sub-trace tells of.  Each has the clock of its own boot, and says nothing
 * of when others end. */
uint64_t model_last_ns(const struct model *model, unsigned trace);

/* The root device that it ran on, or NULL. */
const struct model_gpu *model_gpu_at(const struct model *model, const struct model_origin *origin);

#endif
