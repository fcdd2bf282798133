/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/code/code_metadata.h"

#include <stdio.h>
#include <string.h>

#include "preload/engine/gpu/code/msgpack.h"

static bool is_text(const struct msgpack_value *value, const char *text)
{
	return value->kind == MSGPACK_TEXT && value->number == strlen(text) &&
	       memcmp(value->text, text, value->number) == 0;
}

/* What device code needs to ask the host for something, or to allocate memory. */
static bool is_of_host(const struct msgpack_value *kind)
{
	return is_text(kind, "hidden_hostcall_buffer") || is_text(kind, "hidden_printf_buffer") ||
	       is_text(kind, "hidden_heap_v1");
}

static void add_argument(
	struct code_kernel *kernel, const struct msgpack_value *kind, uint64_t bytes)
{
	size_t used = strlen(kernel->arguments);

	/* What the compiler adds comes last. */
	if (kind->kind == MSGPACK_TEXT &&
		!(kind->number >= 7 && memcmp(kind->text, "hidden_", 7) == 0))
		snprintf(kernel->arguments + used, sizeof(kernel->arguments) - used, "%s%.*s:%llu",
			used ? " " : "", (int)(kind->number < 64 ? kind->number : 64), kind->text,
			(unsigned long long)bytes);
}

static bool read_argument(struct msgpack *from, struct code_kernel *kernel)
{
	struct msgpack_value map, key, value, kind = {MSGPACK_OTHER, 0, NULL};
	uint64_t bytes = 0;

	if (!msgpack_read(from, &map) || map.kind != MSGPACK_MAP)
		return false;
	for (; map.number; map.number--) {
		struct msgpack again;

		if (!msgpack_read(from, &key))
			return false;
		again = *from;
		if (!msgpack_skip(from) || !msgpack_read(&again, &value))
			return false;
		if (is_text(&key, ".value_kind"))
			kind = value;
		else if (is_text(&key, ".size") && value.kind == MSGPACK_NUMBER)
			bytes = value.number;
	}
	add_argument(kernel, &kind, bytes);
	kernel->calls_host |= is_of_host(&kind);
	return true;
}

static bool read_arguments(struct msgpack *from, struct code_kernel *kernel)
{
	struct msgpack_value list;

	if (!msgpack_read(from, &list) || list.kind != MSGPACK_ARRAY)
		return false;
	for (; list.number; list.number--)
		if (!read_argument(from, kernel))
			return false;
	return true;
}

static uint32_t *field(struct gpu_code *code, const struct msgpack_value *key)
{
	static const struct {
		const char *key;
		size_t offset;
	} fields[] = {
		{".vgpr_count", offsetof(struct gpu_code, registers)},
		{".sgpr_count", offsetof(struct gpu_code, scalar_registers)},
		{".agpr_count", offsetof(struct gpu_code, accumulation_registers)},
		{".group_segment_fixed_size", offsetof(struct gpu_code, shared_bytes)},
		{".private_segment_fixed_size", offsetof(struct gpu_code, scratch_bytes)},
		{".kernarg_segment_size", offsetof(struct gpu_code, kernarg_bytes)},
		{".wavefront_size", offsetof(struct gpu_code, wavefront_size)},
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (is_text(key, fields[i].key))
			return (uint32_t *)((char *)code + fields[i].offset);
	return NULL;
}

/* The symbol is that of the kernel's descriptor. */
static void name_by_symbol(struct code_kernel *kernel, const struct msgpack_value *symbol)
{
	if (symbol->kind != MSGPACK_TEXT || symbol->number < 4 ||
		memcmp(symbol->text + symbol->number - 3, ".kd", 3) != 0)
		return;
	kernel->name = symbol->text;
	kernel->name_bytes = symbol->number - 3;
}

static bool read_field(struct msgpack *from, struct code_kernel *kernel)
{
	struct msgpack_value key, value;
	struct msgpack again;
	uint32_t *number;

	if (!msgpack_read(from, &key))
		return false;
	if (is_text(&key, ".args"))
		return read_arguments(from, kernel);
	again = *from;
	if (!msgpack_skip(from) || !msgpack_read(&again, &value))
		return false;
	number = field(&kernel->code, &key);
	if (number && value.kind == MSGPACK_NUMBER && value.number < PWRTRACE_UNKNOWN_U32)
		*number = (uint32_t)value.number;
	if (is_text(&key, ".symbol"))
		name_by_symbol(kernel, &value);
	return true;
}

static bool read_kernel(struct msgpack *from, code_visitor *visit, void *data)
{
	struct code_kernel kernel = {.code = GPU_CODE_UNKNOWN};
	struct msgpack_value map;

	if (!msgpack_read(from, &map) || map.kind != MSGPACK_MAP)
		return false;
	for (; map.number; map.number--)
		if (!read_field(from, &kernel))
			return false;
	if (kernel.name)
		visit(data, &kernel);
	return true;
}

bool code_metadata_read(const uint8_t *bytes, size_t size, code_visitor *visit, void *data)
{
	struct msgpack from = {bytes, bytes + size};
	struct msgpack_value map, key, list;

	if (!msgpack_read(&from, &map) || map.kind != MSGPACK_MAP)
		return false;
	for (; map.number; map.number--) {
		if (!msgpack_read(&from, &key))
			return false;
		if (!is_text(&key, "amdhsa.kernels")) {
			if (!msgpack_skip(&from))
				return false;
			continue;
		}
		if (!msgpack_read(&from, &list) || list.kind != MSGPACK_ARRAY)
			return false;
		for (; list.number; list.number--)
			if (!read_kernel(&from, visit, data))
				return false;
	}
	return true;
}
