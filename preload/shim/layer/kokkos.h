/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_LAYER_KOKKOS_H
#define PWRTRACE_LAYER_KOKKOS_H

#include <stdbool.h>

/* What we use of Kokkos_Profiling_C_Interface.h, under names of our own. */
struct kokkos_space {
	char name[64];
};

struct kokkos_settings {
	bool requires_global_fencing;
	bool padding[255];
};

/* Makes Kokkos load us: sets KOKKOS_TOOLS_LIBS where it is wanted and no other tool's. */
void kokkos_offer_tool(void);

/* The value of KOKKOS_TOOLS_LIBS where it is another tool's and we are wanted, else NULL. */
const char *kokkos_other_tool(void);

#endif
