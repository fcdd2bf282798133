/* SPDX-License-Identifier: MIT */
#include "preload/callstack/modules.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MODULES_MAX 4096
#define NAMES_BYTES (1u << 19)
#define BUILD_ID_MAX 64

struct intern modules = INTERN_INIT;

/* What the loader tells is noted first, and thought about after its lock is given back. */
struct seen {
	uint64_t base, begin, end;
	uint32_t name; /* in names */
	uint32_t id;   /* 0: none of its code was asked for yet */
	uint8_t build_id_bytes;
	uint8_t build_id[BUILD_ID_MAX / 2];
};

static struct seen seen[MODULES_MAX];
static unsigned seen_count;
static char names[NAMES_BYTES];
static uint32_t names_used;
static uint64_t adds, removals;

static size_t aligned(size_t bytes)
{
	return (bytes + 3) & ~(size_t)3;
}

static void note_build_id(struct seen *module, const char *note, size_t size)
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

static int note_module(struct dl_phdr_info *info, size_t size, void *data)
{
	size_t length = strlen(info->dlpi_name) + 1;
	struct seen *module = &seen[seen_count];

	(void)size;
	(void)data;
	if (seen_count == MODULES_MAX || length > NAMES_BYTES - names_used)
		return 1;
	*module = (struct seen){.base = info->dlpi_addr, .begin = UINT64_MAX, .name = names_used};
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t at = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD) {
			module->begin = at < module->begin ? at : module->begin;
			module->end = at + segment->p_memsz > module->end ? at + segment->p_memsz
									  : module->end;
		} else if (segment->p_type == PT_NOTE && !module->build_id_bytes) {
			note_build_id(module, (const char *)at, segment->p_memsz);
		}
	}
	memcpy(names + names_used, info->dlpi_name, length);
	names_used += (uint32_t)length;
	seen_count++;
	return 0;
}

static bool is_driver(const char *path)
{
	static const char *const libraries[] = {
#define API(name, library, missing_status) library,
#include "preload/gpu/apis.def"
	};
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		if (strncmp(name, libraries[i], strlen(libraries[i])) == 0)
			return true;
	return false;
}

static uint32_t id_of(const struct seen *module)
{
	union {
		struct module_key key;
		char bytes[sizeof(struct module_key) + PATH_MAX + BUILD_ID_MAX + 2];
	} buffer;
	char *text = buffer.key.path_and_build_id;
	ssize_t length = (ssize_t)strnlen(names + module->name, PATH_MAX - 1);

	memset(&buffer.key, 0, sizeof(buffer.key));
	buffer.key.base = module->base;
	buffer.key.size = module->end - module->begin;
	memcpy(text, names + module->name, (size_t)length);
	/* The program itself has no name there. */
	if (!length)
		length = readlink("/proc/self/exe", text, PATH_MAX - 1);
	text += length > 0 ? length : 0;
	*text++ = 0;
	buffer.key.driver = is_driver(buffer.key.path_and_build_id);
	for (int i = 0; i < module->build_id_bytes; i++)
		text += sprintf(text, "%02x", module->build_id[i]);
	*text++ = 0;
	return intern(&modules, &buffer, (size_t)(text - buffer.bytes));
}

static int note_changes(struct dl_phdr_info *info, size_t size, void *data)
{
	uint64_t *now = data;

	(void)size;
	now[0] = info->dlpi_adds;
	now[1] = info->dlpi_subs;
	return 1;
}

bool modules_look(void)
{
	uint64_t now[2] = {0, 0};
	bool gone;

	dl_iterate_phdr(note_changes, now);
	gone = now[1] != removals;
	if (!gone && now[0] == adds)
		return false;
	adds = now[0];
	removals = now[1];
	seen_count = names_used = 0;
	dl_iterate_phdr(note_module, NULL);
	return gone;
}

uint32_t modules_find(uint64_t address)
{
	for (unsigned i = 0; i < seen_count; i++) {
		if (address < seen[i].begin || address >= seen[i].end)
			continue;
		if (!seen[i].id)
			seen[i].id = id_of(&seen[i]);
		return seen[i].id;
	}
	return 0;
}
