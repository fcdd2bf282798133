/* SPDX-License-Identifier: MIT */
#include "preload/engine/callstack/modules.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "preload/common/names.h"
#include "preload/engine/callstack/arena.h"
#include "preload/engine/core/loaded_modules.h"

#define MODULES_MAX 8192
#define ARENA_BYTES (4u << 20)
#define BUILD_ID_MAX 32 /* bytes */

/* Does not change once it is in the list, but for the id, which is the collector's. */
struct loaded_module {
	uint64_t base, begin, end;
	uint32_t id; /* in the trace; 0 until the collector needs it */
	uint8_t build_id_bytes;
	uint8_t build_id[BUILD_ID_MAX];
	char path[];
};

struct intern modules_in_trace;

static uint32_t places[MODULES_MAX]; /* in the arena, by number; 0: not written yet */
static uint32_t count;
static struct arena arena;

bool modules_start(void)
{
	return arena_make(&arena, ARENA_BYTES);
}

static struct loaded_module *module_at(unsigned number)
{
	return arena_at(&arena, __atomic_load_n(&places[number], __ATOMIC_ACQUIRE));
}

static size_t aligned(size_t bytes)
{
	return (bytes + 3) & ~(size_t)3;
}

static void note_build_id(struct loaded_module *module, const char *note, size_t size)
{
	while (size >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *header = (const ElfW(Nhdr) *)note;
		size_t name = aligned(header->n_namesz), bytes = aligned(header->n_descsz);
		const char *text = note + sizeof(*header);

		if (name + bytes + sizeof(*header) > size)
			return;
		if (header->n_type == NT_GNU_BUILD_ID && header->n_namesz == sizeof(ELF_NOTE_GNU) &&
			memcmp(text, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) == 0 &&
			header->n_descsz <= sizeof(module->build_id)) {
			module->build_id_bytes = (uint8_t)header->n_descsz;
			memcpy(module->build_id, text + name, header->n_descsz);
			return;
		}
		note += sizeof(*header) + name + bytes;
		size -= sizeof(*header) + name + bytes;
	}
}

static uint32_t new_module(const struct dl_phdr_info *info, uint64_t begin, uint64_t end)
{
	size_t length = strlen(info->dlpi_name) + 1;
	uint32_t place = arena_take(&arena, sizeof(struct loaded_module) + length);
	struct loaded_module *module = arena_at(&arena, place);

	if (!place)
		return 0;
	module->base = info->dlpi_addr;
	module->begin = begin;
	module->end = end;
	memcpy(module->path, info->dlpi_name, length);
	for (int i = 0; i < info->dlpi_phnum && !module->build_id_bytes; i++)
		if (info->dlpi_phdr[i].p_type == PT_NOTE)
			note_build_id(module,
				(const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
				info->dlpi_phdr[i].p_memsz);
	return place;
}

uint16_t modules_note(const struct dl_phdr_info *info, uint64_t begin, uint64_t end)
{
	uint32_t known = __atomic_load_n(&count, __ATOMIC_RELAXED), place, number;

	for (number = 1; number <= known && number < MODULES_MAX; number++) {
		const struct loaded_module *module = module_at(number);

		if (module->begin == begin && module->end == end &&
			strcmp(module->path, info->dlpi_name) == 0)
			return (uint16_t)number;
	}
	place = new_module(info, begin, end);
	if (!place)
		return 0;
	number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
	if (number >= MODULES_MAX)
		return 0;
	__atomic_store_n(&places[number], place, __ATOMIC_RELEASE);
	return (uint16_t)number;
}

static bool is_driver(const char *path)
{
	static const char prefixes[] =
#define API(name, libraries, ...) libraries " "
#include "preload/api/apis.def"
		"libpwrtrace";

	return name_begins(name_of_file(path), prefixes);
}

static uint32_t id_of(const struct loaded_module *module)
{
	union {
		struct module_key key;
		char bytes[sizeof(struct module_key) + PATH_MAX + 2 * BUILD_ID_MAX + 2];
	} buffer;
	char *text = buffer.key.path_and_build_id;
	ssize_t length = (ssize_t)strnlen(module->path, PATH_MAX - 1);

	memset(&buffer.key, 0, sizeof(buffer.key));
	buffer.key.base = module->base;
	buffer.key.size = module->end - module->begin;
	memcpy(text, module->path, (size_t)length);
	/* The loader has no name for the program itself. */
	if (!length)
		length = readlink("/proc/self/exe", text, PATH_MAX - 1);
	text += length > 0 ? length : 0;
	*text++ = 0;
	buffer.key.driver = is_driver(buffer.key.path_and_build_id);
	for (int i = 0; i < module->build_id_bytes; i++)
		text += sprintf(text, "%02x", module->build_id[i]);
	*text++ = 0;
	return intern(&modules_in_trace, &buffer, (size_t)(text - buffer.bytes));
}

uint32_t modules_id(uint16_t number)
{
	struct loaded_module *module = module_at(number);

	if (!number)
		return 0;
	if (!module->id)
		module->id = id_of(module);
	return module->id;
}

static int note_removals(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	*(uint64_t *)data = info->dlpi_subs;
	return 1;
}

bool modules_gone(void)
{
	static uint64_t before;
	uint64_t now = 0;
	bool gone;

	loaded_modules_each(note_removals, &now);
	gone = now != before;
	before = now;
	return gone;
}
