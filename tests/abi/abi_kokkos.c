/* SPDX-License-Identifier: MIT */
/*
 * Compares preload/shim/layer/kokkos.c with the header of Kokkos Tools, where it is installed
 * (Debian: libtrilinos-kokkos-dev): that this file compiles is the test.
 */
#if __has_include(<trilinos/impl/Kokkos_Profiling_C_Interface.h>)
#include <trilinos/impl/Kokkos_Profiling_C_Interface.h>

/* Ours, in their types. */
#define PWRTRACE_LAYER_KOKKOS_H
#define kokkos_space Kokkos_Profiling_SpaceHandle
#define kokkos_settings Kokkos_Tools_ToolSettings
#include "preload/shim/layer/kokkos.c"
#undef kokkos_space
#undef kokkos_settings

#undef PWRTRACE_LAYER_KOKKOS_H
#include "preload/shim/layer/kokkos_abi.h"

_Static_assert(sizeof(struct kokkos_space) == sizeof(struct Kokkos_Profiling_SpaceHandle), "space");
_Static_assert(
	sizeof(struct kokkos_settings) == sizeof(struct Kokkos_Tools_ToolSettings), "settings");
_Static_assert(offsetof(struct Kokkos_Tools_ToolSettings, requires_global_fencing) ==
		       offsetof(struct kokkos_settings, requires_global_fencing),
	"requires_global_fencing");

#define SAME(function, type)                                                                       \
	_Static_assert(__builtin_types_compatible_p(__typeof__(&function), type), #function);
SAME(kokkosp_begin_parallel_for, Kokkos_Profiling_beginFunction)
SAME(kokkosp_end_parallel_for, Kokkos_Profiling_endFunction)
SAME(kokkosp_push_profile_region, Kokkos_Profiling_pushFunction)
SAME(kokkosp_pop_profile_region, Kokkos_Profiling_popFunction)
SAME(kokkosp_begin_deep_copy, Kokkos_Profiling_beginDeepCopyFunction)
SAME(kokkosp_end_deep_copy, Kokkos_Profiling_endDeepCopyFunction)
SAME(kokkosp_create_profile_section, Kokkos_Profiling_createProfileSectionFunction)
SAME(kokkosp_start_profile_section, Kokkos_Profiling_startProfileSectionFunction)
SAME(kokkosp_stop_profile_section, Kokkos_Profiling_stopProfileSectionFunction)
SAME(kokkosp_profile_event, Kokkos_Profiling_profileEventFunction)
SAME(kokkosp_request_tool_settings, Kokkos_Tools_requestToolSettingsFunction)
#endif
