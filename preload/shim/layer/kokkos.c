/* SPDX-License-Identifier: MIT */
/*
 * The layer source "kokkos": the interface of Kokkos Tools (Kokkos_Profiling_C_Interface.h). Kokkos
 * opens the library that KOKKOS_TOOLS_LIBS names (since 3.7; KOKKOS_PROFILE_LIBRARY before) and
 * calls what it finds there.  Prototypes are compared by tests/abi/abi_kokkos.c.
 */
#include "preload/shim/layer/kokkos_abi.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "preload/shim/layer/stack.h"

#define REGIONS LAYER_kokkos
#define KERNELS (LAYER_kokkos | 1 << 8)
#define SECTIONS (LAYER_kokkos | 2 << 8)

static struct intern sections;

#define KOKKOS(ret, name, params)                                                                  \
	__attribute__((visibility("default"))) ret name params;                                    \
	ret name params

static void push(layer_owner owner, const char *name)
{
	if (layer_wanted[LAYER_kokkos])
		layer_push(owner, name);
}

static void pop(layer_owner owner)
{
	if (layer_wanted[LAYER_kokkos])
		layer_pop(owner);
}

/* Else Kokkos waits for the device after every kernel. */
KOKKOS(void, kokkosp_request_tool_settings, (uint32_t count, struct kokkos_settings *settings))
{
	if (count)
		settings->requires_global_fencing = false;
}

#define PARALLEL(kind)                                                                             \
	KOKKOS(void, kokkosp_begin_parallel_##kind,                                                \
		(const char *name, uint32_t device, uint64_t *id))                                 \
	{                                                                                          \
		(void)device;                                                                      \
		*id = 0;                                                                           \
		push(KERNELS, name);                                                               \
	}                                                                                          \
	KOKKOS(void, kokkosp_end_parallel_##kind, (uint64_t id))                                   \
	{                                                                                          \
		(void)id;                                                                          \
		pop(KERNELS);                                                                      \
	}
PARALLEL(for)
PARALLEL(reduce)
PARALLEL(scan)

KOKKOS(void, kokkosp_push_profile_region, (const char *name))
{
	push(REGIONS, name);
}

KOKKOS(void, kokkosp_pop_profile_region, (void))
{
	pop(REGIONS);
}

KOKKOS(void, kokkosp_begin_deep_copy,
	(struct kokkos_space to_space, const char *to, const void *to_data,
		struct kokkos_space from_space, const char *from, const void *from_data,
		uint64_t bytes))
{
	char name[LAYER_NAME_MAX];

	(void)to_space, (void)to_data, (void)from_space, (void)from_data, (void)bytes;
	snprintf(name, sizeof(name), "deep_copy(%s, %s)", to ? to : "", from ? from : "");
	push(KERNELS, name);
}

KOKKOS(void, kokkosp_end_deep_copy, (void))
{
	pop(KERNELS);
}

KOKKOS(void, kokkosp_create_profile_section, (const char *name, uint32_t *id))
{
	*id = name ? intern(&sections, name, strnlen(name, LAYER_NAME_MAX)) : 0;
}

KOKKOS(void, kokkosp_start_profile_section, (uint32_t id))
{
	if (!layer_wanted[LAYER_kokkos] || !id || id > intern_count(&sections))
		return;
	layer_start(&(struct layer_range){.owner = SECTIONS,
			    .domain = "",
			    .category = "",
			    .name = intern_get(&sections, id)->bytes,
			    .payload = NAN},
		id);
}

KOKKOS(void, kokkosp_stop_profile_section, (uint32_t id))
{
	layer_end(LAYER_kokkos, id);
}

KOKKOS(void, kokkosp_profile_event, (const char *name))
{
	if (layer_wanted[LAYER_kokkos] && name)
		layer_mark(name, NAN, "", false);
}
