/* SPDX-License-Identifier: MIT */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/engine/gpu/code/cuda_image.h"

static struct cuda_image *images;

/* ---- names ---- */

struct name_list {
	char *text;
	size_t bytes, room;
};

static void add_name(struct name_list *names, const char *name)
{
	size_t bytes = strlen(name) + 1, needed = names->bytes + bytes + 1;

	if (needed > names->room) {
		size_t room = 2 * needed;
		char *text = realloc(names->text, room);

		if (!text)
			return;
		names->text = text;
		names->room = room;
	}
	if (!names->bytes)
		names->text[names->bytes++] = 0;
	memcpy(names->text + names->bytes, name, bytes);
	names->bytes += bytes;
}

const char *cuda_image_next(const char *names, size_t bytes, const char *name)
{
	const char *next = name ? name + strlen(name) + 1 : names + 1;

	return bytes && next < names + bytes ? next : NULL;
}

static bool holds(const struct cuda_image *image, const char *kernel)
{
	size_t length = strlen(kernel);
	char name[length + 2];

	name[0] = 0;
	memcpy(name + 1, kernel, length + 1);
	return memmem(image->kernels, image->kernel_bytes, name, sizeof(name));
}

const struct cuda_image *cuda_image_of(const char *kernel)
{
	const struct cuda_image *image = __atomic_load_n(&images, __ATOMIC_ACQUIRE);

	while (image && !holds(image, kernel))
		image = image->next;
	return image;
}

/* ---- cubins: ELF files, whose section headers are at their end ---- */

struct cubin {
	const Elf64_Ehdr *header;
	const Elf64_Shdr *sections;
	const char *section_names;
};

static const void *at(const struct cubin *cubin, uint64_t offset)
{
	return (const char *)cubin->header + offset;
}

static bool is_variable(const struct cubin *cubin, const Elf64_Sym *symbol, const char *name)
{
	const char *section;

	/* Variables of the compiler's, as for strings, begin with a dollar sign. */
	if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || *name == '$' ||
		symbol->st_shndx >= cubin->header->e_shnum)
		return false;
	section = cubin->section_names + cubin->sections[symbol->st_shndx].sh_name;
	/* Kernels change no constants, but may find addresses there. */
	return strncmp(section, ".nv.global", strlen(".nv.global")) == 0 ||
	       (strcmp(section, ".nv.constant3") == 0 && symbol->st_size >= sizeof(uintptr_t));
}

struct image_contents {
	struct name_list kernels, variables;
	bool calls_host;
};

static void read_symbols(
	const struct cubin *cubin, const Elf64_Shdr *table, struct image_contents *contents)
{
	const char *strings = at(cubin, cubin->sections[table->sh_link].sh_offset);
	const Elf64_Sym *symbols = at(cubin, table->sh_offset);

	for (size_t i = 0; i < table->sh_size / sizeof(*symbols); i++) {
		const char *name = strings + symbols[i].st_name;

		if (symbols[i].st_shndx == SHN_UNDEF)
			contents->calls_host |=
				strcmp(name, "vprintf") == 0 || strcmp(name, "malloc") == 0;
		else if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC)
			add_name(&contents->kernels, name);
		else if (is_variable(cubin, &symbols[i], name))
			add_name(&contents->variables, name);
	}
}

static void read_cubin(const void *image, struct image_contents *contents)
{
	struct cubin cubin = {.header = image};

	if (cubin.header->e_ident[EI_CLASS] != ELFCLASS64 ||
		cubin.header->e_shentsize != sizeof(Elf64_Shdr) || !cubin.header->e_shnum)
		return;
	cubin.sections = at(&cubin, cubin.header->e_shoff);
	cubin.section_names = at(&cubin, cubin.sections[cubin.header->e_shstrndx].sh_offset);
	for (int i = 0; i < cubin.header->e_shnum; i++)
		if (cubin.sections[i].sh_type == SHT_SYMTAB)
			read_symbols(&cubin, &cubin.sections[i], contents);
}

/* ---- fat binaries as nvcc makes them: a header, then entries ---- */

#define WRAPPER_MAGIC 0x466243b1u
#define FATBIN_MAGIC 0xba55ed50u
#define FATBIN_ELF 2

struct fatbin_wrapper {
	uint32_t magic, version;
	const void *fatbin;
};

struct fatbin_header {
	uint32_t magic;
	uint16_t version, header_bytes;
	uint64_t bytes;
};

struct fatbin_entry {
	uint16_t kind, version;
	uint32_t header_bytes;
	uint64_t bytes;
};

static bool is_elf(const void *image)
{
	return memcmp(image, ELFMAG, SELFMAG) == 0;
}

static void read_fatbin(const struct fatbin_header *fatbin, struct image_contents *contents)
{
	const char *place = (const char *)fatbin + fatbin->header_bytes;
	const char *end = place + fatbin->bytes;

	while (place + sizeof(struct fatbin_entry) <= end) {
		const struct fatbin_entry *entry = (const void *)place;
		const char *payload = place + entry->header_bytes;

		if (entry->header_bytes < sizeof(*entry) || payload + entry->bytes > end)
			return;
		if (entry->kind == FATBIN_ELF && entry->bytes > sizeof(Elf64_Ehdr) &&
			is_elf(payload))
			read_cubin(payload, contents);
		place = payload + entry->bytes;
	}
}

static void read_image(const void *image, struct image_contents *contents)
{
	uint32_t magic;

	/* PTX is text, which may be shorter than the magic number. */
	if (strnlen(image, sizeof(magic)) < sizeof(magic))
		return;
	memcpy(&magic, image, sizeof(magic));
	if (magic == WRAPPER_MAGIC)
		read_fatbin(((const struct fatbin_wrapper *)image)->fatbin, contents);
	else if (magic == FATBIN_MAGIC)
		read_fatbin(image, contents);
	else if (is_elf(image))
		read_cubin(image, contents);
}

/* ---- adding images ---- */

void cuda_image_loaded(const void *data)
{
	struct image_contents contents = {.calls_host = false};
	struct cuda_image *image;

	read_image(data, &contents);
	image = contents.kernels.bytes ? calloc(1, sizeof(*image)) : NULL;
	if (!image) {
		free(contents.kernels.text);
		free(contents.variables.text);
		return;
	}
	*image = (struct cuda_image){contents.calls_host, contents.kernels.text,
		contents.kernels.bytes, contents.variables.text, contents.variables.bytes,
		__atomic_load_n(&images, __ATOMIC_RELAXED)};
	while (!__atomic_compare_exchange_n(
		&images, &image->next, image, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

void cuda_image_loaded_file(const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat stat_of;
	void *data;

	if (file < 0)
		return;
	if (fstat(file, &stat_of) == 0 && stat_of.st_size > 0) {
		data = mmap(NULL, (size_t)stat_of.st_size, PROT_READ, MAP_PRIVATE, file, 0);
		if (data != MAP_FAILED) {
			cuda_image_loaded(data);
			munmap(data, (size_t)stat_of.st_size);
		}
	}
	close(file);
}
