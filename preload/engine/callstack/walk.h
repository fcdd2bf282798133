/* SPDX-License-Identifier: MIT */
/* Walking up the call stack of the calling thread. */
#ifndef PWRTRACE_CALLSTACK_WALK_H
#define PWRTRACE_CALLSTACK_WALK_H

#include <stdbool.h>
#include <stdint.h>

#define WALK_DEPTH_MAX 256

struct stack_walk {
	/* Set by the caller: an address on the stack; walk_epoch() before any frame was read. */
	uint64_t base;
	uint32_t epoch;
	unsigned count;
	bool cut;                   /* there are more frames than WALK_DEPTH_MAX */
	bool scattered;             /* the frames are not all on one stack */
	int32_t at[WALK_DEPTH_MAX]; /* the position of each return address, in bytes from base */
	/* The Python frames, as python_walk writes them; set by the caller, too. */
	unsigned python_count;
	uint64_t python[WALK_DEPTH_MAX];
	/* Return addresses, the innermost first.  For a frame that a signal interrupted, the
	 * address of the interruption plus one: so address - 1 is always within the call. */
	uint64_t pc[WALK_DEPTH_MAX];
};

/* Reserves memory for rules, once.  Returns false if call stacks cannot be walked.  Allocates. */
bool walk_start(void);

/* Forgets all rules, after modules were unloaded whose addresses others may get.  Any thread. */
void walk_forget(void);

/* Returns how often that was done.  Any thread. */
uint32_t walk_epoch(void);

/* Fills in the frames of all callers.  Takes no lock and allocates nothing, but for return
 * addresses that are seen for the first time; errno is kept.
 *
 * It reads the thread's own stack directly, between the stack pointer and the top, and other memory
 * (fibers, signal stacks) by system calls: wrong unwind tables lead to wrong frames, but never to a
 * crash.  In code without unwind tables it follows the frame pointers, and keeps what they lead to
 * only if it reaches code with tables again. */
void walk(struct stack_walk *walk);

/* Returns the number of the module with the code at pc, a return address of a walk of that epoch; 0
 * for none.  Any thread. */
uint16_t walk_module(uint64_t pc, uint32_t epoch);

/* Returns whether 8 bytes at address are on the calling thread's own stack above sp. */
bool walk_on_stack(uint64_t sp, uint64_t address);

/* Returns how many walks ended early since the last call, because the table of rules was full.  Any
 * thread. */
uint64_t walk_lost(void);

#endif
