/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_LAYER_NVTX_H
#define PWRTRACE_LAYER_NVTX_H

/* Makes NVTX 3 load us: sets NVTX_INJECTION64_PATH where it is wanted and no other tool's. */
void nvtx_offer_injection(void);

/* The value of NVTX_INJECTION64_PATH where it is another tool's and we are wanted, else NULL. */
const char *nvtx_other_tool(void);

#endif
