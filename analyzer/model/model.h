/* SPDX-License-Identifier: MIT */
/*
 * The content of traces in memory.  load_traces() (load.h) makes a model, and nobody changes it
 * afterwards.
 *
 * Ids of kernels, streams, layers and so on are unique only within a process ("process-local"), and
 * are looked up in the tables of struct model_process; definitions may be missing.  Fields named
 * "process" are indexes in model->processes.  Indexes into the arrays of struct model are stable;
 * strings belong to the model, and equal ones are the same pointer.  Times are those of
 * CLOCK_MONOTONIC, in nanoseconds; of several machines those of the one that booted first, as far
 * as they know the time of day.
 */
#ifndef PWRTRACE_MODEL_H
#define PWRTRACE_MODEL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "analyzer/model/origin.h"
#include "analyzer/model/table.h"
#include "analyzer/store/mapped_array.h"
#include "pwrtrace/events.h"

#define MODEL_NONE UINT32_MAX /* no index */

/* The resources that a kernel's code needs, from kernel_def: numbers may be PWRTRACE_UNKNOWN_U32,
 * arguments "". */
struct model_code {
	uint32_t registers, scalar_registers, accumulation_registers;
	uint32_t shared_bytes, scratch_bytes, kernarg_bytes;
	uint32_t wavefront_size;
	const char *arguments;
};

/* Elements of tables whose definition was not in the trace have defined = false, here and below. */
struct model_kernel {
	bool defined;
	const char *api;
	const char *name;   /* as in the trace, mangled */
	uint64_t global[3]; /* work-items */
	uint32_t local[3];  /* work-items of a group */
	struct model_code code;
};

/* How many groups a launch has in each direction; work-items, where those of a group are not known.
 */
static inline void model_groups(const struct model_kernel *kernel, uint64_t groups[static 3])
{
	for (guint i = 0; i < 3; i++)
		groups[i] = kernel->local[i]
				    ? (kernel->global[i] + kernel->local[i] - 1) / kernel->local[i]
				    : kernel->global[i];
}

/* The shared memory of a group, in bytes; 0 where not known. */
static inline uint32_t model_shared_bytes(const struct model_kernel *kernel)
{
	return kernel->code.shared_bytes == PWRTRACE_UNKNOWN_U32 ? 0 : kernel->code.shared_bytes;
}

struct model_stream {
	bool defined;
	bool out_of_order;
	uint32_t device, context; /* process-local ids */
	uint32_t clock;           /* process-local id; 0: the clock of its device */
};

struct model_layer {
	bool defined;
	uint32_t parent;
	const char *name;
};

/* A file with code that a process had loaded. */
struct model_module {
	bool defined;
	const char *path;
	const char *build_id; /* hexadecimal digits, or "" */
};

/* A call stack: its innermost frame, and the stack of the caller. */
struct model_stack {
	bool defined;
	uint32_t parent;   /* the caller's stack; 0: none; PWRTRACE_UNKNOWN_U32: not recorded */
	uint32_t module;   /* 0: none */
	uint32_t function; /* a function of an interpreter; 0: the frame is native code */
	uint64_t address;  /* the return address of native code, as in the module's file */
};

/* A function of an interpreted language. */
struct model_function {
	bool defined;
	const char *name, *file;
	uint32_t line;
};

/* The nodes of a graph that are alike: the same kernel, or copies or fills of one kind and size. */
struct model_graph_part {
	uint32_t kernel; /* process-local */
	uint32_t count;  /* of such nodes */
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
	const char *signature; /* a hash: equal for graphs of the same nodes, in any process */
	GArray *parts;         /* struct model_graph_part; NULL: none */
	uint64_t units;        /* launches that were timed as a whole: each is one execution */
	uint64_t launches;     /* other launches: each node is an execution of its own */
};

struct model_device {
	bool defined;
	uint32_t parent; /* the device that it is a partition of; 0: none, it is a root device */
	uint32_t compute_units;
	const char *api, *kind, *name, *uuid, *pci;
	uint32_t gpu; /* index in model->gpus of its root, or MODEL_NONE */
};

struct model_process {
	unsigned trace;  /* number of the sub-trace */
	uint32_t number; /* unique only within the sub-trace */
	uint32_t pid;    /* its number, where the trace does not tell the pid */
	const char *host, *executable;
	const char *machine;   /* the boot id, the same in all containers of a machine; else host */
	uint64_t begin_ns;     /* 0: not known */
	uint64_t end_ns;       /* 0: not known */
	bool ended;            /* it wrote process_end, after all of its events */
	bool cut_off;          /* it did not, or a program did not that it ran before an exec */
	struct table *kernels; /* struct model_kernel by id, and so on */
	struct table *streams;
	struct table *layers;
	struct table *devices;
	struct table *graphs;
	struct table *modules;
	struct table *stacks;
	struct table *functions;
};

/* A thread opened or closed a layer. */
struct model_range {
	uint64_t time_ns;
	uint32_t process;
	uint32_t tid;
	uint32_t layer; /* process-local */
	bool closes;
};

/* A physical device, which several processes of a machine may use. */
struct model_gpu {
	const char *machine, *api, *kind, *name, *uuid, *pci;
	uint32_t ordinal; /* among the root devices of the process that named it first, from 0 */
	uint32_t compute_units;
};

/* A class of copies, fills or mappings: executions with the same call, kind and size. */
struct model_memory {
	const char *name, *kind; /* the API call; "copy", "fill" ... */
	uint64_t bytes;
};

/* An execution of a kernel, a memory operation or a whole graph on a device.  Kept small, since
 * there are millions. */
struct model_execution {
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t launched_ns; /* may be PWRTRACE_UNKNOWN_U64 */
	uint32_t origin;      /* a number in model->origins (origin.h) */
};

/* Whether its times are known; where they are unknown, or run backwards, both are 0. */
static inline bool model_is_timed(const struct model_execution *execution)
{
	return execution->end_ns != 0;
}

/* When it was launched, or, where that is not known, when it began. */
static inline uint64_t model_launched_ns(const struct model_execution *execution)
{
	return execution->launched_ns == PWRTRACE_UNKNOWN_U64 ? execution->begin_ns
							      : execution->launched_ns;
}

/* A span of time, begin_ns <= time < end_ns. */
struct model_span {
	uint64_t begin_ns;
	uint64_t end_ns;
};

/* A replay: the recording launched a kernel again, alone, count times, to learn its power, or
 * failed to. */
struct model_replay {
	struct model_span span;
	uint64_t count;
	uint32_t process;   /* index in processes */
	uint32_t kernel;    /* process-local */
	const char *reason; /* why it failed, or ended early; else "" */
	/* Before which part of its executions other memory was read, so that they found a cold
	 * cache: set by find_replays. */
	double cold;
	/* Where the budget of all replays was not enough: for how long this one would have held the
	 * program up; else 0. */
	uint64_t needed_ns;
};

/* A process that sampled power: pwrtrace record, or another one. */
struct model_recording {
	unsigned trace;
	uint32_t process_number; /* as in struct model_process */
	const char *host, *command, *power;
	const char *machine;        /* as in struct model_process */
	int64_t realtime_offset_ns; /* CLOCK_REALTIME minus the model's times; 0: not known */
	uint64_t moved_ns;          /* the model's times minus those of the machine's own clock */
	struct model_span span;
	const char *why; /* why it ended; "": not known */
	bool cut_off;    /* it ended before what was recorded */
};

/* When a recording began, by its machine's own clock: with the machine, a name for it. */
static inline uint64_t model_recorded_ns(const struct model_recording *recording)
{
	return recording->span.begin_ns - recording->moved_ns;
}

struct model_reading {
	uint64_t time_ns;
	uint64_t value; /* a power in mW, or a counter of energy in uJ */
};

/* 1 MW: no device draws as much, nor does a rack of them, whose meter a sensor may read (0.13 MW in
 * 2025, and 0.6 MW as announced for 2027). */
#define MODEL_IMPOSSIBLE_MW UINT64_C(1000000000)

#define MODEL_TAPS_MAX 512

/* A tap of a sensor's response: the share `weight` of a reading is the mean power of the time that
 * ends lag_ns before the reading and begins at the lag of the next tap.  A lag is negative where
 * readings have a timestamp before the power that they measure. */
struct model_tap {
	int64_t lag_ns;
	double weight;
};

struct model_sensor {
	unsigned trace;
	uint32_t process_number; /* of the process that read it */
	uint32_t id;
	const char *source, *device, *pci, *domain, *part_of, *quantity, *driver;
	uint64_t period_ns, window_ns, lag_ns, poll_ns, read_cost_ns;
	GArray *readings; /* struct model_reading */
	guint misdated;   /* readings that are earlier than the one read before them */
	/* Readings that were left out, since others contradict them or no device draws so much. */
	guint glitches;

	/* The response by the last calibration before the recording. */
	const char *calibrated; /* when; "": never */
	double noise_w, gain, off_grid;
	uint64_t jitter_ns;
	GArray *taps; /* struct model_tap; empty: it is not known */
};

/* Whether a sensor is a counter of energy, and not a gauge of power. */
static inline bool model_is_counter(const struct model_sensor *sensor)
{
	return strcmp(sensor->quantity, "energy") == 0;
}

/* Whether its readings are powers or energies. */
static inline bool model_measures_power(const struct model_sensor *sensor)
{
	return strcmp(sensor->quantity, "power") == 0 || model_is_counter(sensor);
}

/* The state of a device from time_ns until that of the next one.  What is not known is
 * PWRTRACE_UNKNOWN_U32 or _U64. */
struct model_state {
	uint64_t time_ns;
	uint64_t throttle_reasons; /* bits of throttle_reasons.def */
	uint32_t sm_clock_mhz, memory_clock_mhz;
	uint32_t limit_mw;      /* of the mean power: the TGP */
	uint32_t edpp_limit_mw; /* of its peaks */
	uint32_t temperature_c;
	uint32_t sm_percent, tensor_percent, memory_percent; /* how busy they are */
};

/* A sensor of a device's clocks, limits, temperature and throttling. */
struct model_state_sensor {
	struct model_sensor about; /* without readings and response */
	GArray *states;            /* struct model_state */
};

/* A tag that the user gave a recording (record --tag). */
struct model_tag {
	const char *key, *value;
};

/* All marks of one name and unit, by which the program counts its work, as tokens.  Marks called
 * "tokens#A" and "tokens#B" are marks "tokens", of A and of B. */
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
	uint32_t layer; /* process-local: the innermost one that its thread had open; 0: none */
	uint32_t mark;  /* index in marks */
	const char *of; /* what is behind the "#" of its name; "": nothing */
};

/* Events that are known to be lost: the recording says so, or there was no room for them when it
 * was read. */
struct model_lost {
	const char *what, *why;
	uint64_t count; /* of events */
};

/* A device's clock as one process compared it with the host's (clock/clock.h). */
struct model_clock {
	uint32_t process;      /* index in processes */
	uint32_t device;       /* process-local */
	guint anchors;         /* comparisons, without repeated ones */
	guint wrong;           /* anchors that were left out */
	guint steps;           /* of one of the clocks against the other */
	guint rates;           /* how many rates the clock had, one after the other */
	double span_s;         /* from the first anchor to the last */
	double drift;          /* the rate by which the device's clock is fast, most of the time */
	uint64_t error_ns;     /* the largest error of a converted time, rounded up */
	uint64_t contradicted; /* times that were off by more than their stated error */
	const char *cause;     /* of the error: "between anchors" and others (clock_causes) */
};

struct call_tree;
struct collectives;
struct model_order;

struct model {
	GPtrArray *directories; /* const char *: as given to load_traces, whose caller owns them */
	GArray *processes;      /* struct model_process */
	GArray *gpus;           /* struct model_gpu */
	GArray *memories;       /* struct model_memory */
	struct origins *origins;
	struct mapped_array *executions; /* struct model_execution, by begin_ns */
	GArray *recordings;              /* struct model_recording */
	GArray *sensors;                 /* struct model_sensor: of power or energy */
	GArray *state_sensors;           /* struct model_state_sensor */
	GArray *tags;                    /* struct model_tag */
	GArray *marks;                   /* struct model_mark */
	GArray *lost;                    /* struct model_lost */
	GArray *replays;                 /* struct model_replay */
	GArray *clocks;                  /* struct model_clock, by process */
	struct collectives *collectives; /* what ranks did together (collective.h) */
	struct mapped_array *ranges;     /* struct model_range, as written; NULL: not loaded */
	struct model_order *order;       /* who waited for what (order.h); NULL: not loaded */
	GArray *mark_times;              /* struct model_mark_time; NULL: not loaded */
	uint64_t event_count[PWRTRACE_EV_COUNT];
	uint64_t damaged;        /* sub-traces of which something could not be read */
	uint64_t discarded;      /* events that LTTng discarded for want of buffer space */
	uint64_t unfinished;     /* launches whose execution is not in the trace */
	uint64_t without_time;   /* executions whose times are unknown or run backwards */
	uint64_t clock_error_ns; /* the largest error of executions' times; may be unknown; 0: no
				  * device's clock was compared with the host's */
	unsigned clock_steps;    /* steps of devices' clocks that are large enough to report */
	uint64_t clock_contradicted; /* executions whose times were off by more than stated, */
	uint64_t contradiction_ns;   /* and the most by which one was; clock_error_ns includes it */
	GArray *last_ns;             /* uint64_t, by sub-trace: the last time in its events */
	const struct call_tree
		*call_tree;    /* paths of origins (call_tree.h), as far as they were asked for */
	GStringChunk *strings; /* all texts, equal ones once */
};

/* An empty model, for load/ and tests; free with model_free.  layers: with ranges and mark_times.
 */
struct model *model_new(bool layers);
void model_free(struct model *model);

/* Element i of a GArray of a type; NULL where i is not below its length. */
#define MODEL_AT(array, type, i) ((i) < (array)->len ? &g_array_index(array, type, i) : NULL)

/* Execution i; the pointer is valid as long as the model. */
static inline const struct model_execution *model_execution_at(const struct model *model, guint i)
{
	return mapped_array_at(model->executions, i);
}

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

/* The process of an origin. */
const struct model_process *model_process_of(
	const struct model *model, const struct model_origin *origin);

/* The device of the origin's stream, as its process defines it, or NULL. */
const struct model_device *model_device_of(
	const struct model *model, const struct model_origin *origin);

/* The kernel of an origin; NULL where something else ran, or the kernel is not defined. */
const struct model_kernel *model_kernel_of(
	const struct model *model, const struct model_origin *origin);

/* The graph of an origin that was timed as a whole; NULL where something else ran, or the graph is
 * not defined. */
const struct model_graph *model_graph_of(
	const struct model *model, const struct model_origin *origin);

/* The last time in a sub-trace's events; 0: none.  Sub-traces may be of different machines, whose
 * clocks may not be comparable. */
uint64_t model_last_ns(const struct model *model, unsigned trace);

/* The physical device of an origin, or NULL. */
const struct model_gpu *model_gpu_at(const struct model *model, const struct model_origin *origin);

#endif
