/* SPDX-License-Identifier: MIT */
/*
 * The Python functions that run on the calling thread, read from the interpreter's frames (CPython
 * 3.8 to 3.13).  This needs neither the GIL, which extensions such as PyTorch's have released when
 * they launch, nor references: only a thread itself changes its frames, and these keep their code
 * objects alive.
 */
#ifndef PWRTRACE_CALLSTACK_PYTHON_H
#define PWRTRACE_CALLSTACK_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

/* Looks for an interpreter of a known version, once, before the first launch. */
void python_start(void);

/* A frame is the number of its function, with this bit if C code called it: then it is the
 * outermost frame that one call of the interpreter's loop runs. */
#define PYTHON_ENTRY (1ULL << 32)

/* The addresses of the interpreter's loop; begin 0: there is no known interpreter. */
struct python_loop {
	uint64_t begin, end;
};
extern struct python_loop python_loop;

/* python_walk where there is an interpreter. */
unsigned python_walk_loop(uint64_t *frames, unsigned max);

/* Writes at most max frames of the calling thread, the innermost first.  Returns how many.  Takes
 * no lock and allocates nothing. */
static inline unsigned python_walk(uint64_t *frames, unsigned max)
{
	return python_loop.begin ? python_walk_loop(frames, max) : 0;
}

/* A frame where it lies, be it of a function or one that the interpreter pushes for a call from C.
 */
struct python_frame {
	uint64_t frame, code; /* addresses */
	uint32_t identity;    /* tells code from what had its address before; 0: of no function */
	bool entry;           /* whether the frame itself says that C code called it */
};

/* Notes at most max frames of the calling thread, the innermost first.  Returns how many there are.
 */
unsigned python_note(struct python_frame *frames, unsigned max);

/* Returns whether the calling thread's frames are those that were noted: then a walk would give
 * what it gave.  This takes a third of its time, as no frame's address is awaited from the one
 * before. */
bool python_is_noted(const struct python_frame *frames, unsigned count);

/* Returns whether a return address is in the interpreter's loop. */
static inline bool python_is_loop(uint64_t pc)
{
	return pc - 1 >= python_loop.begin && pc - 1 < python_loop.end;
}

/* ---- on the collector's thread ---- */

struct python_function {
	uint64_t code, name_object, file_object; /* addresses that identify it, with line */
	uint32_t line;
	uint32_t next;        /* the next one in its slot of the hash table */
	uint32_t id;          /* in the trace; set by the collector */
	char name_and_file[]; /* two strings of UTF-8, each with its NUL */
};

/* Returns the function of a number, which is never freed. */
struct python_function *python_function(uint32_t number);

#endif
