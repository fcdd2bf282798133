/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the HIP back end share.
 *
 * hip.c           the choice of how work is timed, and the wrappers made from hip.def
 * hip_devices.c   devices, and the version of the runtime
 * hip_kernels.c   names and classes of kernels
 * hip_code.c      what the code of kernels needs and can reach, from code objects
 * hip_replay.c    replay (replay.h) with HIP
 * hip_graphs.c    what executable graphs consist of
 * hip_events.c    streams, and events for machines without a profiler
 * hip_correlation.c which launch a profiler asks about
 * hip_records.c   reading a profiler's records, on the collector's thread
 * rocprofiler.c   rocprofiler-sdk, the profiler of ROCm 6.3 and later
 * roctracer.c     roctracer, the profiler of ROCm until 6.2
 *
 * Functions may be called from any thread, unless one says otherwise.
 */
#ifndef PWRTRACE_HIP_H
#define PWRTRACE_HIP_H

#include "preload/api/hip_abi.h"
#include "preload/api/hooks.h"
#include "preload/engine/gpu/definitions.h"
#include "preload/engine/gpu/graphs.h"
#include "preload/engine/gpu/stream_work.h"

/* The real functions, as in HIP(hipInit)(flags).  NULL if the runtime is too old for one. */
#define HOOK(api, index, ret, name, params, args, role) typedef ret name##_function params;
#include "preload/api/hip.def"
#undef HOOK

#define HIP(name) ((name##_function *)hip_host->real[HOOK_##name])

extern const struct engine_host *hip_host;

/* HIP as the collector sees it, for work that is polled and for work that a profiler records. */
extern const struct gpu_api hip_api;

extern const struct stream_api hip_streams;

extern const struct gpu_back_end hip_back_end;

/* Puts wrappers that replay before those that trace. */
void hip_replay_install(void **wrappers);

/* Returns whether a call of ours succeeded.  If it failed, its error is cleared, so that the
 * program's hipGetLastError does not return it.  Needed from HIP 7 on, where that function returns
 * the last error; before, it returns the result of the last call, which is the program's own. */
bool hip_succeeded(hipError_t result);

/* Returns the correlation id of the launch that the calling thread is in, 0 outside of one.  If one
 * call makes several launches, each call of this function returns the next id. */
uint32_t hip_current_correlation(void);

/* Sets the ids of the launches that the calling thread makes in one call; count 0: it is over.  The
 * array is not copied. */
void hip_correlate_each(const uint32_t *correlations, int count);

/* Answers rocprofiler-sdk's call of rocprofiler_configure.  Returns its
 * rocprofiler_tool_configure_result_t, NULL if its records are not wanted. */
void *rocprofiler_configured(void *client);

/* Starts roctracer, if there is no rocprofiler-sdk.  Returns false if it cannot be used. */
bool roctracer_start_tracing(void);

/* recorded_as of struct stream_api: roctracer's id of the thread's last call. */
uint32_t roctracer_call_id(void);

/* ---- devices ---- */

/* Returns the runtime's version, as hipRuntimeGetVersion does. */
int hip_version(void);

/* Returns the ordinal of a stream's device, less than 0 if there is none. */
int hip_ordinal(hipStream_t stream);

/* Returns the id of the device of an ordinal; 0 if memory runs out. */
uint32_t hip_device(int ordinal);

/* Returns a handle for the device of an ordinal, for `place` of struct stream_api. */
void *hip_place(int ordinal);

/* ---- kernels ---- */

/* The shape of a launch, in work-items. */
struct hip_shape {
	uint64_t global[3];
	uint32_t local[3];
	size_t shared_bytes; /* in addition to the kernel's own */
};

/* Return the id of the class of a launch, of a kernel given by its host function or by a handle. */
uint32_t hip_class_of_symbol(const void *symbol, hipStream_t stream, const struct hip_shape *shape);
uint32_t hip_class_of_function(hipFunction_t function, const struct hip_shape *shape);

/* Returns the name of a class of kernels, "" for 0. */
const char *hip_class_name(uint32_t class);

/* Notes the name by which the program has looked a kernel up, for runtimes that do not tell names,
 * and its module; NULL for that of a library. */
void hip_kernel_named(hipFunction_t function, hipModule_t module, const char *name);

/* Returns the module in which a kernel was looked up, or NULL. */
hipModule_t hip_module_of(hipFunction_t function);

/* Forgets all addresses of kernels, after some were unloaded: others may get theirs. */
void hip_forget_kernels(void);

/* ---- code objects ---- */

/* The runtime has loaded code, so that it is valid.  Code in memory is read at once, a file later.
 * Not for the launch path; errno is kept. */
void hip_code_in_memory(const void *image);
void hip_code_in_file(const char *path);

/* Keeps what a profiler says that a kernel needs; fields may be unknown. */
void hip_code_tell(const char *name, const struct gpu_code *code);

/* `code` of struct gpu_api. */
struct gpu_code hip_code(const char *name);

/* What a kernel can reach, from its code object. */
struct hip_reach {
	/* As in struct code_kernel; NULL: unknown.  Never freed. */
	const char *arguments, *variables;
	bool constants, calls_host;
};

/* Finds what a kernel can reach.  If it is not known yet, reads new files on the calling thread.
 * Returns false if no readable code object contains the kernel. */
bool hip_code_reach(const char *name, struct hip_reach *reach);

/* Resets the lock in a forked child. */
void hip_code_forked(void);

/* ---- graphs, events ---- */

/* As graph_learn and graph_cloned. */
void hip_graph_learn(hipGraphExec_t exec, hipGraph_t graph);
void hip_graph_cloned(hipGraph_t clone, hipGraph_t original);

/* A device was reset, and its events were destroyed. */
void hip_events_gone(void);

#endif
