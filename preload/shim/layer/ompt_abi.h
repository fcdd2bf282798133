/* SPDX-License-Identifier: MIT */
/* What we use of OpenMP's omp-tools.h, under names of our own; tests/abi/abi_ompt.c compares. */
#ifndef PWRTRACE_OMPT_ABI_H
#define PWRTRACE_OMPT_ABI_H

#include <stdint.h>

union ompt_word {
	uint64_t value;
	void *pointer;
};

typedef void (*ompt_lookup(const char *name))(void);

struct ompt_tool {
	int (*initialize)(ompt_lookup *lookup, int initial_device, union ompt_word *data);
	void (*finalize)(union ompt_word *data);
	union ompt_word data;
};

/* Their name, value. */
#define OMPT_CONSTANTS(CONSTANT)                                                                   \
	CONSTANT(callback_parallel_begin, 3)                                                       \
	CONSTANT(callback_parallel_end, 4)                                                         \
	CONSTANT(callback_implicit_task, 7)                                                        \
	CONSTANT(callback_target, 8)                                                               \
	CONSTANT(scope_begin, 1)                                                                   \
	CONSTANT(scope_end, 2)                                                                     \
	CONSTANT(task_implicit, 2)

enum {
#define CONSTANT(name, value) PWR_OMPT_##name = value,
	OMPT_CONSTANTS(CONSTANT)
#undef CONSTANT
};

typedef void ompt_parallel_begin(union ompt_word *task, const void *frame,
	union ompt_word *parallel, unsigned threads, int flags, const void *code);
typedef void ompt_parallel_end(
	union ompt_word *parallel, union ompt_word *task, int flags, const void *code);
typedef void ompt_implicit_task(int endpoint, union ompt_word *parallel, union ompt_word *task,
	unsigned threads, unsigned index, int flags);
typedef void ompt_target(
	int kind, int endpoint, int device, union ompt_word *task, uint64_t id, const void *code);

#endif
