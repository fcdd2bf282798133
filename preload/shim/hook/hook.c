/* SPDX-License-Identifier: MIT */
#include "preload/shim/hook/hook.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include "preload/common/conf.h"
#include "preload/common/names.h"
#include "preload/shim/base/real_dlsym.h"
#include "preload/shim/open/open.h"

/* What stands behind each hook by symbol, as far as the program has told us. */
static void *next_by_symbol[HOOK_COUNT];

/* A handle of the library that holds a function, and which namespace of dlmopen's it is in. */
static void *library_of(void *function, Lmid_t *in)
{
	struct link_map *map = NULL;
	Dl_info info;

	if (!dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP) ||
		dlinfo(map, RTLD_DI_LMID, in))
		return NULL;
	return dlmopen(*in, info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

/* The library stays from now on, also where the program only asks whether it is there and closes it
 * again: what it opens later would be elsewhere, and the trampoline lead to where it was. */
static void set_next(enum hook_id id, void *real)
{
	Lmid_t in;

	library_of(real, &in);
	next_by_symbol[id] = real;
}

void *hook_bind(enum hook_id id, void *real)
{
	if (!next_by_symbol[id])
		set_next(id, real);
	return next_by_symbol[id] == real ? hook_rows[id].trampoline : real;
}

/* ---- the first call of a hook ---- */

static void *const *icd_dispatch;
static size_t icd_entries;

bool hook_icd_attach(void *const *dispatch, size_t entries)
{
	if (icd_dispatch)
		return false;
	icd_entries = entries;
	icd_dispatch = dispatch;
	return true;
}

struct library_search {
	const char *libraries; /* how their names begin, separated by spaces */
	char path[PATH_MAX];
};

static int is_sought(struct dl_phdr_info *object, size_t size, void *data)
{
	struct library_search *search = data;

	(void)size;
	if (!name_begins(name_of_file(object->dlpi_name), search->libraries))
		return 0;
	snprintf(search->path, sizeof(search->path), "%s", object->dlpi_name);
	return 1;
}

static const char *const libraries[HOOK_APIS] = {
#define API(name, libraries, beginnings, missing_status) [HOOK_API_##name] = libraries,
#include "preload/api/apis.def"
};

/* A handle of the API's own library, if it is loaded. */
static void *open_loaded(enum hook_api api)
{
	struct library_search search = {.libraries = libraries[api]};

	return dl_iterate_phdr(is_sought, &search) ? dlopen(search.path, RTLD_LAZY | RTLD_NOLOAD)
						   : NULL;
}

/* A library that something dlopened needs is not in the global scope, though our hooks stand before
 * it too. */
static void *find_beyond_global_scope(const struct hook_row *row)
{
	void *handle = open_loaded(row->api), *found;

	if (!handle)
		return NULL;
	found = real_dlsym(handle, row->name);
	dlclose(handle);
	return found;
}

void *hook_next(enum hook_id id)
{
	if (!next_by_symbol[id])
		next_by_symbol[id] = real_dlsym(RTLD_NEXT, hook_rows[id].name);
	if (!next_by_symbol[id])
		next_by_symbol[id] = find_beyond_global_scope(&hook_rows[id]);
	return next_by_symbol[id];
}

static void *next_of(enum hook_path path, enum hook_id id)
{
	unsigned index = hook_rows[id].index;

	if (path == HOOK_BY_SYMBOL)
		return hook_next(id);
	return index < icd_entries ? icd_dispatch[index] : NULL;
}

static void fill_real_from(enum hook_api api, void *library)
{
	for (int id = 0; id < HOOK_COUNT; id++)
		if (hook_rows[id].api == api && !open_host.real[id])
			open_host.real[id] = real_dlsym(library, hook_rows[id].name);
}

/* A library that passes some calls on to the API's own may come first: the functions that it lacks
 * are found as soon as the other one is loaded. */
static void complete_real(enum hook_api api)
{
	static bool complete[HOOK_APIS];
	void *library = complete[api] ? NULL : open_loaded(api);

	if (!library)
		return;
	fill_real_from(api, library);
	complete[api] = true;
}

/* The engine calls real functions of the one library whose hook came first. */
static void fill_real(enum hook_path path, enum hook_api api, void *first_real)
{
	void *library;
	Lmid_t in;

	if (path == HOOK_BY_ICD) {
		for (int id = 0; id < HOOK_COUNT; id++)
			if (hook_rows[id].api == api)
				open_host.real[id] = next_of(path, id);
	} else if ((library = library_of(first_real, &in))) {
		fill_real_from(api, library);
		if (api == HOOK_API_cuda)
			open_host.driver_namespace = in;
	}
}

static int owner_of[HOOK_APIS]; /* 0, or the path whose calls are the engine's, plus 1 */
static pthread_mutex_t owner_lock = PTHREAD_MUTEX_INITIALIZER;

/* Whether calls by path are the engine's; the first path to ask is. */
static bool path_is_ours(enum hook_path path, enum hook_api api, void *real)
{
	pthread_mutex_lock(&owner_lock);
	if (!owner_of[api]) {
		owner_of[api] = path + 1;
		fill_real(path, api, real);
	}
	if (path == HOOK_BY_SYMBOL && owner_of[api] == HOOK_BY_SYMBOL + 1)
		complete_real(api);
	pthread_mutex_unlock(&owner_lock);
	return owner_of[api] == (int)path + 1;
}

void hook_attach_library(enum hook_api api, Lmid_t in, const char *library)
{
	void *handle = dlmopen(in, library, RTLD_LAZY | RTLD_NOLOAD);

	pthread_mutex_lock(&owner_lock);
	if (handle && !owner_of[api]) {
		owner_of[api] = HOOK_BY_SYMBOL + 1;
		fill_real_from(api, handle);
	}
	pthread_mutex_unlock(&owner_lock);
}

void *hook_replace(enum hook_api api, void *real)
{
	static void *known[HOOK_COUNT];
	static bool filled[HOOK_APIS];
	void *library;
	Lmid_t in;

	if (!__atomic_load_n(&filled[api], __ATOMIC_ACQUIRE) && (library = library_of(real, &in))) {
		for (int id = 0; id < HOOK_COUNT; id++)
			if (hook_rows[id].api == api && hook_rows[id].trampoline)
				known[id] = real_dlsym(library, hook_rows[id].name);
		dlclose(library);
		__atomic_store_n(&filled[api], true, __ATOMIC_RELEASE);
	}
	for (int id = 0; id < HOOK_COUNT; id++)
		if (known[id] == real && hook_rows[id].api == api)
			return hook_bind(id, real);
	return real;
}

#define API(name, libraries, beginnings, missing_status)                                           \
	static int missing_from_##name(void)                                                       \
	{                                                                                          \
		return missing_status;                                                             \
	}
#include "preload/api/apis.def"

static void *missing_object(void)
{
	return NULL;
}

/* What answers for a function that is nowhere. */
static void *missing(const struct hook_row *row)
{
	static int (*const status[HOOK_APIS])(void) = {
#define API(name, libraries, beginnings, missing_status) [HOOK_API_##name] = missing_from_##name,
#include "preload/api/apis.def"
	};

	return row->returns_status ? (void *)status[row->api] : (void *)missing_object;
}

/* OpenCL by symbol only where it is allowed, and no loader brings the call to our layer. */
static bool path_allowed(enum hook_path path, enum hook_api api)
{
	return path == HOOK_BY_ICD || api != HOOK_API_opencl ||
	       (!icd_dispatch && conf_lists(conf.opencl, "symbols"));
}

void *hook_first(enum hook_path path, enum hook_id id)
{
	const struct hook_row *row = &hook_rows[id];
	void *real = next_of(path, id);
	void *target = real;

	if (!real)
		return missing(row);
	if (path_allowed(path, row->api)) {
		enum open_state state = open_engine(row->role >= HOOK_OPENS);

		if (state == OPEN_NOT_YET) {
			if (row->role == HOOK_LAUNCHES)
				__atomic_fetch_add(open_host.launches_missed, 1, __ATOMIC_RELAXED);
			return real;
		}
		if (state == OPEN_READY && path_is_ours(path, row->api, real) &&
			open_host.real[id] == real && open_host.engine->wrappers[id])
			target = open_host.engine->wrappers[id];
	}
	__atomic_store_n(&hook_target[path][id], target, __ATOMIC_RELAXED);
	return target;
}
