/* SPDX-License-Identifier: MIT */
/*
 * Symbolic execution: libunwind steps through an artificial frame, in which registers and the
 * memory of the stack hold tokens instead of values.  The tokens in the result say how it was
 * computed from the input, and that is the rule.
 *
 * For this we use libunwind's interface for other processes, which gets memory and unwind tables by
 * callbacks of ours.  Its interface for the own process would open a pipe in the program, which may
 * close any descriptor, and write to it to find out whether memory is mapped; and it has a cache
 * behind a lock.
 */
#include "preload/engine/callstack/unwind_rule.h"

#include <libunwind.h>
#include <link.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "preload/engine/callstack/modules.h"
#include "preload/engine/core/loaded_modules.h"

/* Exported by libunwind, though not in its header; perf uses it too. */
#define SEARCH UNW_OBJ(dwarf_search_unwind_table)
int SEARCH(unw_addr_space_t space, unw_word_t pc, unw_dyn_info_t *table, unw_proc_info_t *info,
	int need_unwind_info, void *context);

/* ---- tokens: addresses that no process has, each in the middle of a range of its own, so that an
 * offset may be added ---- */

enum { TOKEN_SP = 16, TOKEN_BP, TOKEN_OTHER, TOKEN_LOADED };

#define TOKEN_SHIFT 44
#define TOKEN_MIDDLE (1ULL << (TOKEN_SHIFT - 1))
#define LOADS_MAX 16

/* What the callbacks below need: where the frame is, and what was loaded from its stack so far. */
struct unwind_target {
	uint64_t pc;
	bool has_table;
	uint64_t begin, end, header; /* the module that holds pc, and its .eh_frame_hdr */
	uint16_t module;
	unsigned loads;
	uint64_t loaded_from[LOADS_MAX];
};

static uint64_t token(unsigned number)
{
	return (uint64_t)number << TOKEN_SHIFT | TOKEN_MIDDLE;
}

static bool is_token(uint64_t value)
{
	return value >> TOKEN_SHIFT >= TOKEN_SP;
}

static unsigned token_number(uint64_t value)
{
	return (unsigned)(value >> TOKEN_SHIFT);
}

static int64_t token_offset(uint64_t value)
{
	return (int64_t)(value & (TOKEN_MIDDLE * 2 - 1)) - (int64_t)TOKEN_MIDDLE;
}

static int load_token(struct unwind_target *target, uint64_t address, unw_word_t *value)
{
	unsigned i = 0;

	while (i < target->loads && target->loaded_from[i] != address)
		i++;
	if (i == LOADS_MAX)
		return -UNW_EINVAL;
	if (i == target->loads)
		target->loaded_from[target->loads++] = address;
	*value = token(TOKEN_LOADED + i);
	return 0;
}

/* ---- the callbacks of libunwind ---- */

bool peek_memory(uint64_t address, uint64_t *value)
{
	struct iovec to = {value, sizeof(*value)}, from = {(void *)address, sizeof(*value)};

	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == sizeof(*value);
}

static int access_memory(
	unw_addr_space_t space, unw_word_t address, unw_word_t *value, int write, void *context)
{
	struct unwind_target *target = context;

	(void)space;
	if (write)
		return -UNW_EINVAL;
	if (is_token(address))
		return load_token(target, address, value);
	if (address >= target->begin && address + sizeof(*value) <= target->end)
		memcpy(value, (const void *)address, sizeof(*value));
	else if (!peek_memory(address, value))
		return -UNW_EINVAL;
	return 0;
}

static int access_register(
	unw_addr_space_t space, unw_regnum_t number, unw_word_t *value, int write, void *context)
{
	const struct unwind_target *target = context;

	(void)space;
	if (write)
		return -UNW_EREADONLYREG;
	*value = number == UNW_REG_IP       ? target->pc
		 : number == UNW_REG_SP     ? token(TOKEN_SP)
		 : number == UNW_X86_64_RBP ? token(TOKEN_BP)
					    : token(TOKEN_OTHER);
	return 0;
}

static int take_module(struct dl_phdr_info *module, size_t size, void *data)
{
	struct unwind_target *target = data;
	uint64_t begin = UINT64_MAX, end = 0, header = 0;
	bool holds = false;

	(void)size;
	for (int i = 0; i < module->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &module->dlpi_phdr[i];
		uint64_t at = module->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_GNU_EH_FRAME)
			header = at;
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_R))
			continue;
		begin = at < begin ? at : begin;
		end = at + segment->p_memsz > end ? at + segment->p_memsz : end;
		holds |= target->pc - at < segment->p_memsz;
	}
	if (!holds)
		return 0;
	target->begin = begin;
	target->end = end;
	target->header = header;
	target->module = modules_note(module, begin, end);
	return 1;
}

/* The table of .eh_frame_hdr as all linkers write it: version 1, sorted pairs of 4-byte numbers. */
struct eh_frame_header {
	uint8_t version, eh_frame_encoding, count_encoding, table_encoding;
	int32_t eh_frame;
	uint32_t count;
	int32_t table[];
};

enum { ENCODED_UDATA4 = 0x03, ENCODED_DATAREL_SDATA4 = 0x3b };

static int find_table(unw_addr_space_t space, unw_word_t pc, unw_proc_info_t *info,
	int need_unwind_info, void *context)
{
	struct unwind_target *target = context;
	const struct eh_frame_header *header = (const struct eh_frame_header *)target->header;
	unw_dyn_info_t table = {.format = UNW_INFO_FORMAT_REMOTE_TABLE,
		.start_ip = target->begin,
		.end_ip = target->end};
	int status;

	if (!header || header->version != 1 || header->count_encoding != ENCODED_UDATA4 ||
		header->table_encoding != ENCODED_DATAREL_SDATA4)
		return -UNW_ENOINFO;
	table.u.rti.segbase = target->header;
	table.u.rti.table_data = (uint64_t)header->table;
	table.u.rti.table_len = header->count * 2 * sizeof(header->table[0]) / sizeof(unw_word_t);
	status = SEARCH(space, pc, &table, info, need_unwind_info, context);
	target->has_table |= status == 0;
	return status;
}

static void put_table(unw_addr_space_t space, unw_proc_info_t *info, void *context)
{
	(void)space;
	(void)info;
	(void)context;
}

static int no_dynamic_tables(unw_addr_space_t space, unw_word_t *list, void *context)
{
	(void)space;
	(void)list;
	(void)context;
	return -UNW_ENOINFO;
}

static int no_float_register(
	unw_addr_space_t space, unw_regnum_t number, unw_fpreg_t *value, int write, void *context)
{
	(void)space;
	(void)number;
	(void)value;
	(void)write;
	(void)context;
	return -UNW_EBADREG;
}

static unw_addr_space_t space;

bool unwind_rule_start(void)
{
	static unw_accessors_t accessors = {.find_proc_info = find_table,
		.put_unwind_info = put_table,
		.get_dyn_info_list_addr = no_dynamic_tables,
		.access_mem = access_memory,
		.access_reg = access_register,
		.access_fpreg = no_float_register};

	if (!space)
		space = unw_create_addr_space(&accessors, 0);
	/* We keep rules ourselves; libunwind's cache is behind a lock. */
	if (space)
		unw_set_caching_policy(space, UNW_CACHE_NONE);
	return space != NULL;
}

/* ---- from tokens to a rule ---- */

static bool fits(int64_t offset)
{
	return offset == (int32_t)offset;
}

/* Finds the address from which the value of a token was loaded. */
static bool loaded_from(const struct unwind_target *target, uint64_t value, uint64_t *address)
{
	unsigned load = token_number(value) - TOKEN_LOADED;

	if (load >= target->loads || token_offset(value))
		return false;
	*address = target->loaded_from[load];
	return true;
}

/* Expresses an address as base and offset; cfa: the token of the CFA, 0 while it is not known. */
static bool split(uint64_t address, uint64_t cfa, uint8_t *base, int32_t *offset)
{
	int64_t from = token_offset(address);

	if (token_number(address) == TOKEN_SP) {
		*base = BASE_SP;
	} else if (token_number(address) == TOKEN_BP) {
		*base = BASE_BP;
	} else if (is_token(address) && token_number(address) == token_number(cfa)) {
		*base = BASE_CFA;
		from -= token_offset(cfa);
	} else {
		return false;
	}
	*offset = (int32_t)from;
	return fits(from);
}

static bool take_cfa(const struct unwind_target *target, uint64_t cfa, struct unwind_rule *rule)
{
	unsigned load = token_number(cfa) - TOKEN_LOADED;

	if (token_number(cfa) < TOKEN_LOADED)
		return split(cfa, 0, &rule->cfa_base, &rule->cfa_offset);
	rule->cfa_loaded = true;
	rule->cfa_offset = (int32_t)token_offset(cfa);
	return load < target->loads && fits(token_offset(cfa)) &&
	       split(target->loaded_from[load], 0, &rule->cfa_base, &rule->cfa_at);
}

static bool take_registers(const struct unwind_target *target, uint64_t cfa, uint64_t pc,
	uint64_t bp, struct unwind_rule *rule)
{
	uint64_t address;

	if (!take_cfa(target, cfa, rule) || !loaded_from(target, pc, &address) ||
		!split(address, cfa, &rule->return_base, &rule->return_offset))
		return false;
	rule->bp_base = BASE_KEPT;
	if (bp == token(TOKEN_BP))
		return true;
	return loaded_from(target, bp, &address) &&
	       split(address, cfa, &rule->bp_base, &rule->bp_offset);
}

void unwind_rule_learn(uint64_t pc, struct unwind_rule *rule)
{
	struct unwind_target target = {.pc = pc};
	unw_word_t caller, cfa, bp;
	unw_cursor_t cursor;
	bool interrupted;
	int step;

	*rule = (struct unwind_rule){.kind = RULE_NONE};
	/* The call is before the return address, which may already belong to the next function. */
	target.pc--;
	loaded_modules_each(take_module, &target);
	target.pc++;
	rule->module = target.module;
	if (!target.end || unw_init_remote(&cursor, space, &target))
		return;
	interrupted = unw_is_signal_frame(&cursor) > 0;
	step = unw_step(&cursor);
	if (!target.has_table || step < 0)
		return;
	if (step == 0)
		rule->kind = RULE_END;
	else if (!unw_get_reg(&cursor, UNW_REG_IP, &caller) &&
		 !unw_get_reg(&cursor, UNW_REG_SP, &cfa) &&
		 !unw_get_reg(&cursor, UNW_X86_64_RBP, &bp) &&
		 take_registers(&target, cfa, caller, bp, rule))
		rule->kind = interrupted ? RULE_SIGNAL : RULE_STEP;
}
