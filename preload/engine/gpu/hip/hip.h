/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the HIP back end share.
 *
 * hip.c           which way the device's times come, and the wrappers made from hip.def
 * hip_devices.c   devices and the version of the runtime
 * hip_kernels.c   what kernels are called and need
 * hip_code.c      what their code needs and can reach, as code objects say
 * hip_replay.c    launching them again, where that is asked for
 * hip_graphs.c    what executable graphs consist of
 * hip_events.c    streams, and events for where no profiler can be had
 * hip_correlation.c which launch a profiler asks about
 * hip_records.c   what a profiler says that devices did, on the collector's thread
 * rocprofiler.c   rocprofiler-sdk, the profiler of ROCm 6.3 and later
 * roctracer.c     roctracer, the profiler until then
 */
#ifndef PWRTRACE_HIP_H
#define PWRTRACE_HIP_H

#include "preload/api/hip_abi.h"
#include "preload/api/hooks.h"
#include "preload/engine/gpu/definitions.h"
#include "preload/engine/gpu/graphs.h"
#include "preload/engine/gpu/stream_work.h"

/* The real functions, NULL where the runtime is too old for one: HIP(hipInit)(flags). */
#define HOOK(api, index, ret, name, params, args, role) typedef ret name##_function params;
#include "preload/api/hip.def"
#undef HOOK

#define HIP(name) ((name##_function *)hip_host->real[HOOK_##name])

extern const struct engine_host *hip_host;

/* Work that is polled; in the order of the launches, so are orders and waits. */
extern const struct gpu_api hip_api;

extern const struct stream_api hip_streams;

extern const struct gpu_back_end hip_back_end;

/* Puts wrappers that replay before those that trace. */
void hip_replay_install(void **wrappers);

/* Whether a call of ours succeeded.  If it did not, its error is taken back: hipGetLastError must
 * not tell the program of it.  That matters from HIP 7 on, where it tells of the last call that
 * failed; until then it is of the last call, which is the program's own. */
bool hip_succeeded(hipError_t result);

/* The correlation id of the launch that the calling thread is in, 0 outside of one; of several in
 * one call, the next each time. */
uint32_t hip_current_correlation(void);

/* The thread makes several launches in one call; count 0: no more.  Does not copy. */
void hip_correlate_each(const uint32_t *correlations, int count);

/* rocprofiler-sdk asks for a tool.  Returns its rocprofiler_tool_configure_result_t, NULL where its
 * records are not wanted. */
void *rocprofiler_configured(void *client);

/* Where rocprofiler-sdk is not there.  Returns false where roctracer cannot be had either. */
bool roctracer_start_tracing(void);

/* As recorded_as of struct stream_api: roctracer's id. */
uint32_t roctracer_call_id(void);

/* ---- devices ---- */

/* The runtime's version, as hipRuntimeGetVersion counts. */
int hip_version(void);

/* The ordinal of the device that work in stream runs on, less than 0 where there is none. */
int hip_ordinal(hipStream_t stream);

/* The id of the device of an ordinal; 0 without memory. */
uint32_t hip_device(int ordinal);

/* A handle of it, as place of struct stream_api has it. */
void *hip_place(int ordinal);

/* ---- kernels ---- */

/* What a launch is given, in work-items. */
struct hip_shape {
	uint64_t global[3];
	uint32_t local[3];
	size_t shared_bytes; /* beside the kernel's own */
};

/* The class of a kernel that the program calls by its host function, or by a handle. */
uint32_t hip_class_of_symbol(const void *symbol, hipStream_t stream, const struct hip_shape *shape);
uint32_t hip_class_of_function(hipFunction_t function, const struct hip_shape *shape);

/* The name in a class, as the runtime tells it. */
const char *hip_class_name(uint32_t class);

/* What the program calls a kernel that it asks for, where the runtime does not tell its name, and
 * the module that it is of, NULL for a library's. */
void hip_kernel_named(hipFunction_t function, hipModule_t module, const char *name);

/* The module that a kernel was found in, or NULL. */
hipModule_t hip_module_of(hipFunction_t function);

/* Kernels are no more: their addresses may come again for others. */
void hip_forget_kernels(void);

/* ---- code objects ---- */

/* The runtime has loaded code, so that it is sound.  Not for the launch path: what is in memory is
 * read now, a file later. */
void hip_code_in_memory(const void *image);
void hip_code_in_file(const char *path);

/* A profiler tells what a kernel needs: fields that it does not know may be unknown. */
void hip_code_tell(const char *name, const struct gpu_code *code);

/* As code of struct gpu_api. */
struct gpu_code hip_code(const char *name);

/* What a kernel can reach beside what it is given. */
struct hip_reach {
	/* As struct code_kernel has them; NULL: not told.  Never freed. */
	const char *arguments, *variables;
	bool calls_host;
};

/* Reads files that are not read yet, on the calling thread.  Returns false where the kernel's code
 * is in none, or cannot be read. */
bool hip_code_reach(const char *name, struct hip_reach *reach);

/* In a forked child. */
void hip_code_forked(void);

/* ---- graphs, events ---- */

/* As graph_learn, and graph_cloned. */
void hip_graph_learn(hipGraphExec_t exec, hipGraph_t graph);
void hip_graph_cloned(hipGraph_t clone, hipGraph_t original);

/* All events of a device are gone. */
void hip_events_gone(void);

#endif
