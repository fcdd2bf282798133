/* SPDX-License-Identifier: MIT */
/* NVML's functions, found at run time. */
#ifndef PWRTRACE_NVML_API_H
#define PWRTRACE_NVML_API_H

#include <stddef.h>

#include "preload/power/nvml/nvml_abi.h"

/* A function of the table that the driver lacks answers NVML_ERROR_FUNCTION_NOT_FOUND. */
#define NVML_CALL(api, name, ...)                                                                  \
	((api)->name ? (api)->name(__VA_ARGS__) : NVML_ERROR_FUNCTION_NOT_FOUND)

struct nvml_api {
	void *library;
#define NVML_POINTER(ret, name, params) ret(*name) params;
	NVML_FUNCTIONS(NVML_POINTER, NVML_POINTER)
#undef NVML_POINTER
};

/* Opens the driver's library, apart from the program's symbols, and initializes it.  Returns 0, or
 * -1 with one line in why (size bytes): what is missing and what to do. */
int nvml_api_open(struct nvml_api *api, char *why, size_t size);

/* Only after nvml_api_open succeeded. */
void nvml_api_close(struct nvml_api *api);

#endif
