/* SPDX-License-Identifier: MIT */
/*
 * The seam between the shim (libpwrtrace.so: libc only, in every process) and the engine
 * (libpwrtrace-engine.so: the tracepoint provider and all that stands on it).  The shim opens the
 * engine on the first use of a GPU, the recorder opens it for its sampler.
 */
#ifndef PWRTRACE_ENGINE_H
#define PWRTRACE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

struct intern;
struct layer_lost;
struct layer_stack;
struct log_state;
struct sampler_ops;

/* What the shim gives the engine.  Everything stays valid for the life of the process. */
struct engine_host {
	const struct engine *engine; /* set by the shim once the engine is open */
	void **real;                 /* the real functions by hook id, filled before the first call
					of a wrapper */
	const struct log_state *log;
	/* Returns the calling thread's stack of layers, which lives as long as the thread; it is up
	 * to date as long as its `ended` is *layers_ended. */
	struct layer_stack *(*layer_stack)(void);
	const uint64_t *layers_ended;
	const struct intern *layer_tree;
	struct layer_lost *layer_lost;
	/* Launches that went past the engine before it was open. */
	uint64_t *launches_missed;
	/* From the collector's thread: some session records this process, for the first time, or
	 * none will. */
	void (*settled)(bool recorded);
	/* Where the CUDA driver is loaded: a namespace of dlmopen's, usually 0, the program's. */
	long driver_namespace;
	/* What must happen before the process ends (open_flush). */
	void (*flush)(void);
	/* From a launching thread of a forked child, where the collector is gone. */
	void (*reopen)(void);
};

struct engine {
	/* Wrappers by hook id; NULL where a row has none. */
	void *const *wrappers;

	/* Fills in the wrappers; host is where they will find the real functions.  Called once,
	 * before anything else. */
	void (*attach)(const struct engine_host *host);

	/* The CUDA driver has loaded us: it is about to be used, whether hooks see that or not. */
	void (*cuda_loaded)(void);

	/* rocprofiler-sdk asks for a tool, within the start of the GPU's runtime
	 * (rocprofiler_configured of gpu/hip/hip.h). */
	void *(*rocprofiler_configured)(void *client);

	/* Nonzero while some session records this process (tp_enabled). */
	int (*enabled)(void);

	/* Collects and writes, for ever; the calling thread becomes the collector.  Wrappers may be
	 * called before: their launches wait. */
	void (*collect)(const struct engine_host *host);

	/* The process is ending: writes all that the device has finished, until deadline_ns at
	 * most, and from then on leaves the GPU runtime alone, which is about to be torn down,
	 * except inside calls of the program's own. */
	void (*end)(uint64_t deadline_ns);

	/* The calling thread closes a layer whose layer_push is in the trace. */
	void (*layer_popped)(uint32_t layer, uint64_t end_ns);

	/* layer: 0 for none. */
	void (*mark)(
		const char *name, double value, const char *unit, uint32_t layer, uint64_t time_ns);

	const struct sampler_ops *sampler;
};

/* The name of the exported function, for dlsym. */
#define ENGINE_ENTRY "pwrtrace_engine"

/* Returns the engine's table, which lives as long as the process.  Starts nothing. */
const struct engine *pwrtrace_engine(void);

#endif
