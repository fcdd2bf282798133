/* SPDX-License-Identifier: MIT */
/* A load of two levels on one device, through its own API: one file per API and one row in
 * loads.def. One device at a time; every function that can fail returns -1 with one line in why
 * (LOAD_WHY_MAX bytes): what is wrong and what to do. */
#ifndef PWRTRACE_SENSORS_LOAD_H
#define PWRTRACE_SENSORS_LOAD_H

#include <stddef.h>
#include <stdint.h>

#define LOAD_WHY_MAX 512
#define LOAD_NAME_MAX 256

struct load_api {
	const char *name;

	/* Opens the API's library.  Returns how many devices there are, at least one. */
	int (*open)(char *why);

	/* Makes a device ready and says what it is called (LOAD_NAME_MAX bytes). */
	int (*begin)(int device, char *name, char *why);

	/* Keeps it busy for about duration_ns, with one kernel, and waits. */
	int (*run)(uint64_t duration_ns, char *why);

	void (*end)(void);
};

#define LOAD(name) extern const struct load_api load_##name;
#include "pwrtrace/loads.def"
#undef LOAD

#endif
