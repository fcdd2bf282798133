/* SPDX-License-Identifier: MIT */
/* Walking up the call stack of the calling thread. */
#ifndef PWRTRACE_CALLSTACK_WALK_H
#define PWRTRACE_CALLSTACK_WALK_H

#include <stdbool.h>
#include <stdint.h>

#define WALK_DEPTH_MAX 256

struct stack_walk {
	uint64_t base;  /* an address on the stack, set by the caller */
	uint32_t epoch; /* walk_epoch() before any frame was looked at, set by the caller */
	unsigned count;
	bool cut;                   /* there are more */
	bool scattered;             /* they do not all stand on one stack */
	int32_t at[WALK_DEPTH_MAX]; /* where each stands, in bytes from base */
	/* Frames of Python's, as python_walk writes them; set by the caller, too. */
	unsigned python_count;
	uint64_t python[WALK_DEPTH_MAX];
	/* Return addresses, the innermost first; where a signal came between, one more than where
	 * that code was interrupted: one less is always within the call. */
	uint64_t pc[WALK_DEPTH_MAX];
};

/* Makes room for rules.  Returns false where none can be learned.  Allocates. */
bool walk_start(void);

/* Modules may have gone, and others come in their place: what was learned is forgotten. */
void walk_forget(void);

/* How often that was. */
uint32_t walk_epoch(void);

/* Fills in the frames of all callers.  Takes no lock and allocates nothing, but for
 * return addresses that are seen for the first time; errno is kept.
 *
 * Of the thread's own stack it reads between the stack pointer and the top; elsewhere (fibers,
 * signal stacks) the kernel reads for it: where unwind tables are wrong, frames are, but nothing
 * crashes.  Through code without unwind tables it follows the frame pointers, and believes them if
 * they lead back to code that has tables. */
void walk(struct stack_walk *walk);

/* The module that holds code that was walked through; 0 for none. */
uint16_t walk_module(uint64_t pc, uint32_t epoch);

/* Whether the bytes from address on are the calling thread's own stack, sp being its pointer. */
bool walk_on_stack(uint64_t sp, uint64_t address);

/* How many frames were left out since the last call, because there was no room for their rules. */
uint64_t walk_lost(void);

#endif
