/* SPDX-License-Identifier: MIT */
#include "preload/engine/callstack/walk.h"

#include <errno.h>
#include <sys/mman.h>

#include "preload/common/launch_path.h"
#include "preload/engine/callstack/modules.h"
#include "preload/engine/callstack/unwind_rule.h"

/* ---- rules by return address; never removed, so that reading them needs no lock ---- */

#define RULES (1u << 16)
#define RULES_USED_MAX (RULES / 4 * 3)
#define EPOCH_SHIFT 48 /* above all addresses of programs */

static struct unwind_rule *rules;
static uint32_t rules_used;
READ_AT_LAUNCH uint16_t walk_epochs = 0;
static uint64_t lost;

bool walk_start(void)
{
	void *room = mmap(NULL, RULES * sizeof(*rules), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (room == MAP_FAILED || !modules_start() || !unwind_rule_start())
		return false;
	rules = room;
	return true;
}

void walk_forget(void)
{
	__atomic_add_fetch(&walk_epochs, 1, __ATOMIC_RELAXED);
}

uint64_t walk_lost(void)
{
	return __atomic_exchange_n(&lost, 0, __ATOMIC_RELAXED);
}

static uint64_t key_of(uint64_t pc, uint32_t its_epoch)
{
	return pc | (uint64_t)its_epoch << EPOCH_SHIFT;
}

/* A writer claims a free slot with this value, fills it in, and writes the key last. */
#define CLAIMED 1

static void keep(uint64_t key, uint32_t i, const struct unwind_rule *learned)
{
	for (;; i++) {
		struct unwind_rule *slot = &rules[i % RULES];
		uint64_t none = 0;

		if (!__atomic_compare_exchange_n(&slot->key, &none, CLAIMED, false,
			    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			if (none == key)
				return;
			continue;
		}
		slot->kind = learned->kind;
		slot->cfa_base = learned->cfa_base;
		slot->cfa_loaded = learned->cfa_loaded;
		slot->return_base = learned->return_base;
		slot->bp_base = learned->bp_base;
		slot->cfa_offset = learned->cfa_offset;
		slot->cfa_at = learned->cfa_at;
		slot->return_offset = learned->return_offset;
		slot->bp_offset = learned->bp_offset;
		slot->module = learned->module;
		__atomic_store_n(&slot->key, key, __ATOMIC_RELEASE);
		return;
	}
}

static uint32_t first_slot(uint64_t key)
{
	return (uint32_t)(key * 0x9e3779b97f4a7c15ULL >> 40);
}

static const struct unwind_rule *find(uint64_t key)
{
	for (uint32_t i = first_slot(key);; i++) {
		const struct unwind_rule *rule = &rules[i % RULES];
		uint64_t found = __atomic_load_n(&rule->key, __ATOMIC_ACQUIRE);

		if (found == key)
			return rule;
		if (!found)
			return NULL;
	}
}

uint16_t walk_module(uint64_t pc, uint32_t its_epoch)
{
	const struct unwind_rule *rule = find(key_of(pc, its_epoch));

	return rule ? rule->module : 0;
}

/* Returns the rule of pc, which is in the table or in *room; NULL if the table is full. */
static const struct unwind_rule *rule_of(uint64_t pc, uint32_t its_epoch, struct unwind_rule *room)
{
	uint64_t key = key_of(pc, its_epoch);
	const struct unwind_rule *rule = find(key);

	if (rule)
		return rule;
	if (__atomic_load_n(&rules_used, __ATOMIC_RELAXED) >= RULES_USED_MAX)
		return NULL;
	__atomic_add_fetch(&rules_used, 1, __ATOMIC_RELAXED);
	unwind_rule_learn(pc, room);
	keep(key, first_slot(key), room);
	return room;
}

/* ---- frames ---- */

struct unwind_frame {
	uint64_t pc, sp, bp;
	uint64_t return_at; /* where pc was read from */
	uint64_t low, high; /* the part of the stack that is certainly mapped */
};

static void find_bounds(struct unwind_frame *frame)
{
	frame->low = frame->sp;
	frame->high = walk_stack_end(frame->sp);
}

static inline bool load(const struct unwind_frame *frame, uint64_t address, uint64_t *value)
{
	if (address >= frame->low && address <= frame->high - sizeof(*value) &&
		address % sizeof(*value) == 0) {
		*value = *(const uint64_t *)address;
		return true;
	}
	return peek_memory(address, value);
}

static inline bool step_by_rule(struct unwind_frame *frame, const struct unwind_rule *rule)
{
	uint64_t base[] = {[BASE_SP] = frame->sp, [BASE_BP] = frame->bp, [BASE_CFA] = 0};
	uint64_t cfa = base[rule->cfa_base];

	if (rule->cfa_loaded && !load(frame, cfa + (uint64_t)(int64_t)rule->cfa_at, &cfa))
		return false;
	cfa += (uint64_t)(int64_t)rule->cfa_offset;
	base[BASE_CFA] = cfa;
	frame->return_at = base[rule->return_base] + (uint64_t)(int64_t)rule->return_offset;
	if (!load(frame, frame->return_at, &frame->pc))
		return false;
	if (rule->bp_base != BASE_KEPT &&
		!load(frame, base[rule->bp_base] + (uint64_t)(int64_t)rule->bp_offset, &frame->bp))
		return false;
	if (rule->kind == RULE_SIGNAL) {
		frame->pc++;
		frame->sp = cfa;
		find_bounds(frame);
		return true;
	}
	if (cfa <= frame->sp)
		return false;
	frame->sp = cfa;
	return true;
}

#define GUESSED_BYTES_MAX (1u << 20)

static bool step_by_frame_pointer(struct unwind_frame *frame)
{
	uint64_t bp = frame->bp;

	frame->return_at = bp + sizeof(bp);
	if (bp < frame->sp || bp - frame->sp > GUESSED_BYTES_MAX ||
		!load(frame, frame->return_at, &frame->pc) || !load(frame, bp, &frame->bp))
		return false;
	frame->sp = bp + 2 * sizeof(bp);
	return true;
}

static bool is_code(uint64_t pc)
{
	enum { FIRST_MAPPED = 4096 };

	return pc >= FIRST_MAPPED && !(pc >> EPOCH_SHIFT);
}

static void add(struct stack_walk *walk, const struct unwind_frame *frame)
{
	int64_t at = (int64_t)(frame->return_at - walk->base);

	walk->at[walk->count] = (int32_t)at;
	walk->pc[walk->count++] = frame->pc;
	walk->scattered |= at != (int32_t)at;
}

/* Frames found by frame pointers are kept only once code with unwind tables is reached again. */
static void climb(struct unwind_frame *frame, struct stack_walk *walk)
{
	unsigned believed = 0;
	bool guessed = false;

	walk->cut = walk->scattered = false;
	for (walk->count = 0;; add(walk, frame)) {
		struct unwind_rule room;
		const struct unwind_rule *rule = rule_of(frame->pc, walk->epoch, &room);

		if (!rule) {
			__atomic_fetch_add(&lost, 1, __ATOMIC_RELAXED);
			break;
		}
		if (rule->kind != RULE_NONE || !guessed)
			believed = walk->count;
		walk->cut = walk->count == WALK_DEPTH_MAX && rule->kind != RULE_END;
		walk->scattered |= rule->kind == RULE_SIGNAL;
		guessed = rule->kind == RULE_NONE;
		if (rule->kind == RULE_END || walk->cut ||
			!(guessed ? step_by_frame_pointer(frame) : step_by_rule(frame, rule)) ||
			!is_code(frame->pc))
			break;
	}
	walk->count = believed;
}

__attribute__((noinline)) void walk(struct stack_walk *walk)
{
	int saved_errno = errno;
	struct unwind_frame frame;

	__asm__ volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
			 : "=&r"(frame.pc), "=&r"(frame.sp), "=&r"(frame.bp));
	find_bounds(&frame);
	climb(&frame, walk);
	errno = saved_errno;
}
