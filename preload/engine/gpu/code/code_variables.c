/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/code/code_variables.h"

#include <stdlib.h>
#include <string.h>

#define PART_BYTES_MAX (256u << 20)

/* The prefix of a variable by which the compiler tells files apart; no kernel uses it. */
#define FILE_ID "__hip_cuid_"

/* The suffix of a kernel's descriptor, which the device's firmware reads. */
#define DESCRIPTOR ".kd"

/* Returns a copy with a NUL behind it, for free(); NULL if it cannot be read. */
static void *copy_of(const struct code_source *source, uint64_t offset, uint64_t bytes)
{
	char *copy = bytes <= source->size && bytes <= PART_BYTES_MAX ? malloc(bytes + 1) : NULL;

	if (copy && !code_fetch(source, offset, copy, bytes)) {
		free(copy);
		return NULL;
	}
	if (copy)
		copy[bytes] = 0;
	return copy;
}

static bool is_data(const Elf64_Shdr *section)
{
	return section->sh_flags & SHF_ALLOC && section->sh_size &&
	       (section->sh_type == SHT_PROGBITS || section->sh_type == SHT_NOBITS);
}

static bool can_change(const Elf64_Shdr *section)
{
	return section->sh_flags & SHF_WRITE && is_data(section);
}

struct sections {
	const Elf64_Shdr *at;
	unsigned count;
};

static bool is_variable(const struct sections *sections, const Elf64_Sym *symbol, const char *name)
{
	size_t length = strlen(name), suffix = strlen(DESCRIPTOR);

	return ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_shndx < sections->count &&
	       is_data(&sections->at[symbol->st_shndx]) &&
	       strncmp(name, FILE_ID, strlen(FILE_ID)) != 0 &&
	       (length < suffix || strcmp(name + length - suffix, DESCRIPTOR) != 0);
}

/* Writes the names.  Returns false if there is no room for all of them. */
static bool collect(const struct sections *sections, const Elf64_Sym *symbols, size_t count,
	const char *strings, size_t string_bytes, char *names, size_t room, bool *constants)
{
	char *end = names;

	*end = 0;
	for (size_t i = 0; i < count; i++) {
		const char *name =
			strings + (symbols[i].st_name < string_bytes ? symbols[i].st_name : 0);
		size_t length = strlen(name);

		if (!is_variable(sections, &symbols[i], name))
			continue;
		if (!can_change(&sections->at[symbols[i].st_shndx])) {
			*constants = true;
			continue;
		}
		if (length + 3 > (size_t)(names + room - end))
			return false;
		end = stpcpy(stpcpy(stpcpy(end, end == names ? " " : ""), name), " ");
	}
	return true;
}

static char *read_table(const struct code_source *source, const struct sections *sections,
	const Elf64_Shdr *table, bool *constants)
{
	const Elf64_Shdr *texts =
		table->sh_link < sections->count ? &sections->at[table->sh_link] : NULL;
	size_t count = table->sh_size / sizeof(Elf64_Sym);
	char *symbols = texts ? copy_of(source, table->sh_offset, table->sh_size) : NULL;
	char *strings = texts ? copy_of(source, texts->sh_offset, texts->sh_size) : NULL;
	size_t room = strings ? texts->sh_size + count + 2 : 0;
	char *names = symbols && strings ? malloc(room) : NULL;

	if (names && !collect(sections, (const Elf64_Sym *)symbols, count, strings, texts->sh_size,
			     names, room, constants)) {
		free(names);
		names = NULL;
	}
	free(symbols);
	free(strings);
	return names;
}

/* Without a symbol table the names are known only if there is no section that code may change; any
 * other may have constants. */
static char *read_sections(
	const struct code_source *source, const struct sections *sections, bool *constants)
{
	bool any = false;

	for (unsigned i = 0; i < sections->count; i++) {
		if (sections->at[i].sh_type == SHT_SYMTAB)
			return read_table(source, sections, &sections->at[i], constants);
		any |= can_change(&sections->at[i]);
	}
	*constants = true;
	return any ? NULL : strdup("");
}

char *code_variables(const struct code_source *source, const Elf64_Ehdr *head, bool *constants)
{
	Elf64_Shdr *at = NULL;
	char *names = NULL;

	if (head->e_shnum && head->e_shentsize == sizeof(*at))
		at = copy_of(source, head->e_shoff, head->e_shnum * sizeof(*at));
	if (at)
		names = read_sections(source, &(struct sections){at, head->e_shnum}, constants);
	free(at);
	return names;
}
