/* SPDX-License-Identifier: MIT */
/* Walking up the call stack of the calling thread. */
#ifndef PWRTRACE_CALLSTACK_WALK_H
#define PWRTRACE_CALLSTACK_WALK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define WALK_DEPTH_MAX 256

struct stack_walk {
	/* Set by the caller: an address on the stack; walk_epoch() before any frame was read. */
	uint64_t base;
	uint32_t epoch;
	/* Of the Python frames, which python_walk writes; set by the caller, too. */
	unsigned python_count;
	unsigned count;
	bool cut;                   /* there are more frames than WALK_DEPTH_MAX */
	bool scattered;             /* the frames are not all on one stack */
	int32_t at[WALK_DEPTH_MAX]; /* the position of each return address, in bytes from base */
	uint64_t python[WALK_DEPTH_MAX];
	/* Return addresses, the innermost first.  For a frame that a signal interrupted, the
	 * address of the interruption plus one: so address - 1 is always within the call. */
	uint64_t pc[WALK_DEPTH_MAX];
};

extern void *__libc_stack_end; /* ld.so's: the top of the main thread's stack */

extern uint16_t walk_epochs; /* how often walk_forget was called; an address has room for as much */

/* Reserves memory for rules, once.  Returns false if call stacks cannot be walked.  Allocates. */
bool walk_start(void);

/* Forgets all rules, after modules were unloaded whose addresses others may get.  Any thread. */
void walk_forget(void);

/* Returns how often that was done.  Any thread. */
static inline uint32_t walk_epoch(void)
{
	return __atomic_load_n(&walk_epochs, __ATOMIC_RELAXED);
}

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

/* Returns the end of the memory from sp on that is certainly of the calling thread's stack.  glibc
 * keeps the descriptor of a thread at the top of its stack.  We are on the stack with the next top
 * above sp.  If no top is near, the program has made the stack itself, and only the page of sp is
 * known to be mapped. */
static inline uint64_t walk_stack_end(uint64_t sp)
{
	enum { PAGE_BYTES = 4096, STACK_BYTES_MAX = 1 << 30 };
	/* What is below sp is far above by these. */
	uint64_t of_thread = (uint64_t)pthread_self() - sp;
	uint64_t of_main = (uint64_t)__libc_stack_end - sp;
	uint64_t bytes = of_thread < of_main ? of_thread : of_main;

	return bytes < STACK_BYTES_MAX ? sp + bytes : (sp | (PAGE_BYTES - 1)) + 1;
}

/* Returns how many walks ended early since the last call, because the table of rules was full.  Any
 * thread. */
uint64_t walk_lost(void);

#endif
