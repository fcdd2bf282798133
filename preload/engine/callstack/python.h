/* SPDX-License-Identifier: MIT */
/*
 * What functions Python runs on the calling thread, from the frames that its interpreter keeps:
 * CPython 3.8 to 3.13.  Only a thread itself changes its frames, and they keep their code alive, so
 * that reading them needs neither the GIL nor a reference; extensions such as PyTorch's have given
 * the GIL back when they launch.
 */
#ifndef PWRTRACE_CALLSTACK_PYTHON_H
#define PWRTRACE_CALLSTACK_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

/* Looks whether there is an interpreter that is known. */
void python_start(void);

/* A frame: the number of its function, and whether it was called from C, so that it is the last
 * that one call of the interpreter's loop runs. */
#define PYTHON_ENTRY (1ULL << 32)

/* Writes the frames of the calling thread, the innermost first, max at most; returns how many.
 * Allocates nothing and takes no lock. */
unsigned python_walk(uint64_t *frames, unsigned max);

/* The code of the interpreter's loop; begin 0: there is no interpreter. */
struct python_loop {
	uint64_t begin, end;
};
extern struct python_loop python_loop;

static inline bool python_is_loop(uint64_t pc)
{
	return pc - 1 >= python_loop.begin && pc - 1 < python_loop.end;
}

/* ---- on the collector's thread ---- */

struct python_function {
	uint64_t code, name_object, file_object; /* what it is known by */
	uint32_t line;
	uint32_t next;        /* in the same slot */
	uint32_t id;          /* in the trace; the collector's own */
	char name_and_file[]; /* UTF-8, each with its NUL */
};

struct python_function *python_function(uint32_t number);

#endif
