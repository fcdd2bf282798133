/* SPDX-License-Identifier: MIT */
/*
 * Unwind rules: how to get from a frame of the call stack to its caller's frame, for each return
 * address.
 *
 * libunwind reads them from the unwind tables (.eh_frame) of the loaded modules.  A rule does not
 * depend on the values of registers: it is learned once, and each later step costs a few loads.
 */
#ifndef PWRTRACE_CALLSTACK_UNWIND_RULE_H
#define PWRTRACE_CALLSTACK_UNWIND_RULE_H

#include <stdbool.h>
#include <stdint.h>

enum unwind_rule_kind {
	RULE_END,    /* the outermost frame */
	RULE_STEP,   /* the caller's frame is found by the fields below */
	RULE_SIGNAL, /* likewise; this is a signal handler's frame, and a signal interrupted the
			caller */
	RULE_NONE,   /* no unwind table: code made at run time, or hand-written assembly */
};

/* What an offset is added to: the stack pointer, the frame pointer, or the canonical frame address
 * (CFA), which is the caller's stack pointer.  BASE_KEPT: the register was not saved to memory. */
enum unwind_base { BASE_SP, BASE_BP, BASE_CFA, BASE_KEPT };

struct unwind_rule {
	uint64_t key; /* in the table of walk.c */
	uint8_t kind;
	uint8_t cfa_base;    /* BASE_SP or BASE_BP */
	uint8_t cfa_loaded;  /* the CFA is loaded from memory at base + cfa_at */
	uint8_t return_base; /* where the return address is saved */
	uint8_t bp_base;     /* where the caller's frame pointer is saved, or BASE_KEPT */
	uint16_t module;     /* the number (modules.h) of the module with the code; 0: none */
	int32_t cfa_offset;  /* bytes, as all offsets; added to the CFA last */
	int32_t cfa_at;
	int32_t return_offset;
	int32_t bp_offset;
};

/* Prepares libunwind, once.  Returns false if it cannot be used.  Allocates. */
bool unwind_rule_start(void);

/* Finds the rule of a frame that will continue at pc, a return address.  Takes some microseconds
 * and the loader's lock (loaded_modules.h); reads no memory but the unwind tables.  Any thread. */
void unwind_rule_learn(uint64_t pc, struct unwind_rule *rule);

/* Copies 8 bytes of memory by a system call, which cannot crash.  Returns false if the address is
 * not mapped.  Any thread. */
bool peek_memory(uint64_t address, uint64_t *value);

#endif
