/* SPDX-License-Identifier: MIT */
/*
 * The layer source "ompt": parallel and target regions of OpenMP, by OMPT, which LLVM's runtime and
 * those made of it have, and GCC's has not.  A region is called by the function that holds it,
 * where that has a name that the dynamic loader knows, else by its place in its file.  Threads of a
 * team are in the layer of its region.
 */
#include "preload/shim/layer/ompt_abi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/log.h"
#include "preload/shim/base/real_dlsym.h"
#include "preload/shim/layer/stack.h"

#define REGION LAYER_ompt
#define TEAM (LAYER_ompt | 1 << 8)

/* ---- names of regions ---- */

#define PLACES 1024

static struct place {
	const void *code;
	const char *name; /* NULL until it is known */
} places[PLACES];

static const char *new_name(const char *kind, const void *code)
{
	const char *file = "?";
	Dl_info info = {0};
	char *name;

	if (dladdr(code, &info) && info.dli_fname)
		file = strrchr(info.dli_fname, '/') ? strrchr(info.dli_fname, '/') + 1
						    : info.dli_fname;
	if (info.dli_sname && asprintf(&name, "%s in %s", kind, info.dli_sname) >= 0)
		return name;
	if (!info.dli_sname &&
		asprintf(&name, "%s at %s+0x%zx", kind, file,
			(size_t)((const char *)code - (const char *)info.dli_fbase)) >= 0)
		return name;
	return kind;
}

/* Looked up once for each place in the program. */
static const char *name_of(const char *kind, const void *code)
{
	size_t hash = (uintptr_t)code * 0x9e3779b97f4a7c15ULL >> 32;

	for (size_t i = 0; i < PLACES; i++) {
		struct place *place = &places[(hash + i) % PLACES];
		const void *known = NULL;
		const char *name;

		if (__atomic_compare_exchange_n(&place->code, &known, code, false, __ATOMIC_ACQ_REL,
			    __ATOMIC_ACQUIRE)) {
			name = new_name(kind, code);
			__atomic_store_n(&place->name, name, __ATOMIC_RELEASE);
			return name;
		}
		name = __atomic_load_n(&place->name, __ATOMIC_ACQUIRE);
		if (known == code)
			return name ? name : kind;
	}
	return kind;
}

/* ---- callbacks ---- */

static void parallel_begin(union ompt_word *task, const void *frame, union ompt_word *parallel,
	unsigned threads, int flags, const void *code)
{
	(void)task, (void)frame, (void)threads, (void)flags;
	parallel->value = layer_push(REGION, name_of("parallel", code));
}

static void parallel_end(
	union ompt_word *parallel, union ompt_word *task, int flags, const void *code)
{
	(void)parallel, (void)task, (void)flags, (void)code;
	layer_pop(REGION);
}

/* The first thread of a team is the one that met the region. */
static void implicit_task(int endpoint, union ompt_word *parallel, union ompt_word *task,
	unsigned threads, unsigned index, int flags)
{
	(void)task, (void)threads;
	if (!index || !(flags & PWR_OMPT_task_implicit))
		return;
	if (endpoint == PWR_OMPT_scope_begin && parallel && parallel->value)
		layer_enter(TEAM, (uint32_t)parallel->value);
	else if (endpoint == PWR_OMPT_scope_end)
		layer_pop(TEAM);
}

static void target(
	int kind, int endpoint, int device, union ompt_word *task, uint64_t id, const void *code)
{
	(void)kind, (void)device, (void)task, (void)id;
	if (endpoint == PWR_OMPT_scope_begin)
		layer_push(REGION, name_of("target", code));
	else if (endpoint == PWR_OMPT_scope_end)
		layer_pop(REGION);
}

static int initialize(ompt_lookup *lookup, int initial_device, union ompt_word *data)
{
	int (*set)(int, void (*)(void)) =
		(int (*)(int, void (*)(void)))(void *)lookup("ompt_set_callback");

	(void)initial_device, (void)data;
	if (!set)
		return 0;
	set(PWR_OMPT_callback_parallel_begin, (void (*)(void))parallel_begin);
	set(PWR_OMPT_callback_parallel_end, (void (*)(void))parallel_end);
	set(PWR_OMPT_callback_implicit_task, (void (*)(void))implicit_task);
	set(PWR_OMPT_callback_target, (void (*)(void))target);
	return 1;
}

static void finalize(union ompt_word *data)
{
	(void)data;
}

/* Another tool in the process, behind us, comes first. */
__attribute__((visibility("default"))) struct ompt_tool *ompt_start_tool(
	unsigned version, const char *runtime);
struct ompt_tool *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct ompt_tool tool = {initialize, finalize, {0}};
	struct ompt_tool *(*next)(unsigned, const char *) =
		real_dlsym(RTLD_NEXT, "ompt_start_tool");
	struct ompt_tool *other = next ? next(version, runtime) : NULL;

	if (!layer_wanted[LAYER_ompt])
		return other;
	if (other)
		log_notice("another tool uses OMPT: OpenMP makes no layers");
	return other ? other : &tool;
}
