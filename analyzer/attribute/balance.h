/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_BALANCE_H
#define PWRTRACE_BALANCE_H

#include <stdint.h>

/* The energy that a source measured, in nJ: attributed + idle + unattributed + replay = measured,
 * exactly. */
struct balance {
	uint64_t measured_nj;
	uint64_t attributed_nj;   /* to executions of the program */
	uint64_t idle_nj;         /* drawn while nothing ran */
	uint64_t replay_nj;       /* of both, what was drawn for replays (replays.h) */
	uint64_t unattributed_nj; /* at unknown times, or of unknown devices */
};

#endif
