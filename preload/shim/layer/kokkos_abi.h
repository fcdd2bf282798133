/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_KOKKOS_ABI_H
#define PWRTRACE_KOKKOS_ABI_H

#include <stdbool.h>

/* What we use of Kokkos_Profiling_C_Interface.h, under names of our own. */
struct kokkos_space {
	char name[64];
};

struct kokkos_settings {
	bool requires_global_fencing;
	bool padding[255];
};

#endif
