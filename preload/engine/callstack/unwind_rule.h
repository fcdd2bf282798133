/* SPDX-License-Identifier: MIT */
/*
 * Rules: how one gets from a frame of the call stack to its caller's, for each return address.
 *
 * libunwind reads them from the unwind tables (.eh_frame) of the loaded modules.  A rule holds
 * whatever the registers are, so that it is learned once, and stepping then costs a few loads.
 */
#ifndef PWRTRACE_CALLSTACK_UNWIND_RULE_H
#define PWRTRACE_CALLSTACK_UNWIND_RULE_H

#include <stdbool.h>
#include <stdint.h>

enum unwind_rule_kind {
	RULE_END,    /* the outermost frame */
	RULE_STEP,   /* as the fields say */
	RULE_SIGNAL, /* the same; the frame below was interrupted by a signal */
	RULE_NONE,   /* no unwind table tells: code made at run time, or by hand */
};

/* What an offset is added to.  CFA is the caller's stack pointer. */
enum unwind_base { BASE_SP, BASE_BP, BASE_CFA, BASE_KEPT };

struct unwind_rule {
	uint64_t key; /* of the table that keeps it (walk.c) */
	uint8_t kind;
	uint8_t cfa_base;    /* SP or BP */
	uint8_t cfa_loaded;  /* the CFA is what stands in memory at base + cfa_at */
	uint8_t return_base; /* where the return address is saved */
	uint8_t bp_base;     /* where the caller's frame pointer is; KEPT: still in the register */
	uint16_t module;     /* that holds the code (modules.h); 0: none */
	int32_t cfa_offset;  /* added last */
	int32_t cfa_at;
	int32_t return_offset; /* bytes, as all of them */
	int32_t bp_offset;
};

/* Prepares libunwind; returns false where it cannot be used.  Allocates. */
bool unwind_rule_start(void);

/* Finds out the rule of a frame that will go on at pc, a return address: some microseconds and the
 * loader's lock of dl_iterate_phdr.  It reads no memory but the unwind tables. */
void unwind_rule_learn(uint64_t pc, struct unwind_rule *rule);

/* Copies 8 bytes; false where there is no such memory.  A system call: it can fail, not crash. */
bool peek_memory(uint64_t address, uint64_t *value);

#endif
