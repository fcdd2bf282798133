/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/code/code_object.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/engine/gpu/code/code_metadata.h"
#include "preload/engine/gpu/code/code_variables.h"

#define NOTE_BYTES_MAX (64u << 20)
#define NOTE_METADATA 32      /* NT_AMDGPU_METADATA, of "AMDGPU" */
#define NOTE_METADATA_YAML 10 /* NT_AMD_HSA_METADATA, of "AMD" */

#define BUNDLE "__CLANG_OFFLOAD_BUNDLE__"
#define BUNDLE_HEAD (sizeof(BUNDLE) - 1 + sizeof(uint64_t))
#define COMPRESSED_BUNDLE "CCOB"
#define BUNDLE_ALIGNMENT 4096 /* in .hip_fatbin */
#define ENTRIES_MAX 256

static struct code_source part(const struct code_source *of, uint64_t offset, uint64_t bytes)
{
	struct code_source source = *of;

	source.begin += offset;
	source.size = bytes;
	return source;
}

/* ---- a code object ---- */

static enum code_result read_notes(
	const uint8_t *notes, size_t size, code_visitor *visit, void *data)
{
	Elf64_Nhdr note;

	for (size_t at = 0; size - at >= sizeof(note);) {
		size_t name = at + sizeof(note);
		uint64_t body, end;

		memcpy(&note, notes + at, sizeof(note));
		body = name + ((uint64_t)note.n_namesz + 3) / 4 * 4;
		end = body + note.n_descsz;
		if (end > size)
			return CODE_DAMAGED;
		if (note.n_type == NOTE_METADATA && note.n_namesz == sizeof("AMDGPU") &&
			memcmp(notes + name, "AMDGPU", sizeof("AMDGPU")) == 0)
			return code_metadata_read(notes + body, note.n_descsz, visit, data)
				       ? CODE_READ
				       : CODE_DAMAGED;
		if (note.n_type == NOTE_METADATA_YAML && note.n_namesz == sizeof("AMD") &&
			memcmp(notes + name, "AMD", sizeof("AMD")) == 0)
			return CODE_VERSION_2;
		end = (end + 3) / 4 * 4;
		at = end < size ? end : size;
	}
	return CODE_NONE;
}

static enum code_result read_segment(const struct code_source *source, const Elf64_Phdr *segment,
	code_visitor *visit, void *data)
{
	enum code_result result = CODE_DAMAGED;
	uint8_t *notes;

	if (segment->p_filesz > NOTE_BYTES_MAX || segment->p_filesz > source->size)
		return CODE_DAMAGED;
	notes = malloc(segment->p_filesz + 1);
	if (notes && code_fetch(source, segment->p_offset, notes, segment->p_filesz))
		result = read_notes(notes, segment->p_filesz, visit, data);
	free(notes);
	return result;
}

static enum code_result read_metadata(
	const struct code_source *source, const Elf64_Ehdr *head, code_visitor *visit, void *data)
{
	for (unsigned i = 0; i < head->e_phnum; i++) {
		Elf64_Phdr segment;
		enum code_result result = CODE_NONE;

		if (head->e_phentsize != sizeof(segment) ||
			!code_fetch(source, head->e_phoff + i * sizeof(segment), &segment,
				sizeof(segment)))
			return CODE_DAMAGED;
		if (segment.p_type == PT_NOTE)
			result = read_segment(source, &segment, visit, data);
		if (result != CODE_NONE)
			return result;
	}
	return CODE_NONE;
}

struct object_visit {
	code_visitor *visit;
	void *data;
	const char *variables;
	bool constants;
};

static void see_whole(void *data, const struct code_kernel *kernel)
{
	const struct object_visit *whole = data;
	struct code_kernel of = *kernel;

	of.variables = whole->variables;
	of.constants = whole->constants;
	whole->visit(whole->data, &of);
}

static enum code_result read_object(
	const struct code_source *source, const Elf64_Ehdr *head, code_visitor *visit, void *data)
{
	struct object_visit whole = {visit, data, NULL, false};
	char *variables = code_variables(source, head, &whole.constants);
	enum code_result result;

	whole.variables = variables;
	result = read_metadata(source, head, see_whole, &whole);
	free(variables);
	return result;
}

/* ---- bundles ---- */

struct bundle_entry {
	uint64_t offset, bytes, name_bytes; /* in the file, followed by the name */
};

/* Returns the processor in an entry's name, which it cuts after it: "gfx90a" for
 * "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", NULL for "host-x86_64-unknown-linux--". */
static const char *processor(char *name)
{
	char *found = strstr(name, "amdgcn") ? strstr(name, "gfx") : NULL;

	if (found)
		found[strcspn(found, ":")] = 0;
	return found;
}

static bool is_here(const struct code_targets *targets, const char *name)
{
	for (unsigned i = 0; i < targets->count; i++)
		if (strcmp(targets->names[i], name) == 0)
			return true;
	return false;
}

/* The entry that runs: the only one for AMD's GPUs, or the first for the one processor of this
 * machine. */
struct bundle_choice {
	struct bundle_entry entry, only;
	unsigned count;
	char name[16];
	bool ambiguous;
};

static void consider(struct bundle_choice *choice, const struct bundle_entry *entry,
	const char *name, const struct code_targets *targets)
{
	choice->only = *entry;
	choice->count++;
	if (!is_here(targets, name))
		return;
	if (!*choice->name) {
		choice->entry = *entry;
		snprintf(choice->name, sizeof(choice->name), "%s", name);
	} else if (strcmp(choice->name, name) != 0) {
		choice->ambiguous = true;
	}
}

static enum code_result choose(const struct code_source *source, const struct code_targets *targets,
	struct bundle_choice *choice, uint64_t *end)
{
	uint64_t count, at = BUNDLE_HEAD;

	*choice = (struct bundle_choice){.count = 0};
	*end = at;
	if (!code_fetch(source, sizeof(BUNDLE) - 1, &count, sizeof(count)) || count > ENTRIES_MAX)
		return CODE_DAMAGED;
	for (; count; count--) {
		struct bundle_entry entry;
		char text[128] = "";
		const char *name;

		if (!code_fetch(source, at, &entry, sizeof(entry)) ||
			entry.name_bytes >= sizeof(text) ||
			!code_fetch(source, at + sizeof(entry), text, entry.name_bytes) ||
			entry.offset > source->size || entry.bytes > source->size - entry.offset)
			return CODE_DAMAGED;
		at += sizeof(entry) + entry.name_bytes;
		if (entry.offset + entry.bytes > *end)
			*end = entry.offset + entry.bytes;
		name = processor(text);
		if (name)
			consider(choice, &entry, name, targets);
	}
	if (choice->count == 1)
		choice->entry = choice->only;
	else if (choice->count && (choice->ambiguous || !*choice->name))
		return CODE_AMBIGUOUS;
	return choice->count ? CODE_READ : CODE_NONE;
}

/* *end: the offset of the bundle's end. */
static enum code_result read_bundle(const struct code_source *source,
	const struct code_targets *targets, code_visitor *visit, void *data, uint64_t *end)
{
	struct bundle_choice choice;
	enum code_result result = choose(source, targets, &choice, end);
	struct code_source object;
	Elf64_Ehdr head;

	if (result != CODE_READ)
		return result;
	object = part(source, choice.entry.offset, choice.entry.bytes);
	/* An entry is empty if there are no kernels for its processor. */
	if (!object.size)
		return CODE_NONE;
	if (!code_fetch(&object, 0, &head, sizeof(head)) ||
		memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_machine != EM_AMDGPU)
		return CODE_DAMAGED;
	return read_object(&object, &head, visit, data);
}

/* ---- the host's code ---- */

static enum code_result read_bundles(struct code_source section, const struct code_targets *targets,
	code_visitor *visit, void *data)
{
	enum code_result worst = CODE_NONE, result;
	char magic[sizeof(BUNDLE) - 1];

	while (code_fetch(&section, 0, magic, sizeof(magic))) {
		uint64_t end = 1;

		if (memcmp(magic, COMPRESSED_BUNDLE, strlen(COMPRESSED_BUNDLE)) == 0)
			return CODE_COMPRESSED;
		if (memcmp(magic, BUNDLE, sizeof(magic)) == 0) {
			result = read_bundle(&section, targets, visit, data, &end);
			worst = result > worst ? result : worst;
		}
		end = (end + BUNDLE_ALIGNMENT - 1) / BUNDLE_ALIGNMENT * BUNDLE_ALIGNMENT;
		if (end >= section.size)
			break;
		section = part(&section, end, section.size - end);
	}
	return worst;
}

static bool is_fat(const struct code_source *source, const Elf64_Shdr *names, uint32_t name)
{
	char text[sizeof(".hip_fatbin")];

	return name < names->sh_size && names->sh_offset <= source->size &&
	       code_fetch(source, names->sh_offset + name, text, sizeof(text)) &&
	       memcmp(text, ".hip_fatbin", sizeof(text)) == 0;
}

static enum code_result read_host(const struct code_source *source, const Elf64_Ehdr *head,
	const struct code_targets *targets, code_visitor *visit, void *data)
{
	Elf64_Shdr names, section;

	if (!head->e_shnum || head->e_shentsize != sizeof(section) ||
		!code_fetch(source, head->e_shoff + (uint64_t)head->e_shstrndx * sizeof(names),
			&names, sizeof(names)))
		return CODE_NONE;
	for (unsigned i = 0; i < head->e_shnum; i++) {
		if (!code_fetch(
			    source, head->e_shoff + i * sizeof(section), &section, sizeof(section)))
			return CODE_NONE;
		if (section.sh_type != SHT_PROGBITS || !is_fat(source, &names, section.sh_name))
			continue;
		if (section.sh_offset > source->size ||
			section.sh_size > source->size - section.sh_offset)
			return CODE_DAMAGED;
		return read_bundles(
			part(source, section.sh_offset, section.sh_size), targets, visit, data);
	}
	return CODE_NONE;
}

/* ---- all of them ---- */

enum code_result code_read(const struct code_source *source, const struct code_targets *targets,
	code_visitor *visit, void *data)
{
	char magic[sizeof(BUNDLE) - 1] = "";
	Elf64_Ehdr head;
	uint64_t end;

	if (!code_fetch(source, 0, magic, sizeof(magic)))
		return CODE_NONE;
	if (memcmp(magic, COMPRESSED_BUNDLE, strlen(COMPRESSED_BUNDLE)) == 0)
		return CODE_COMPRESSED;
	if (memcmp(magic, BUNDLE, sizeof(magic)) == 0)
		return read_bundle(source, targets, visit, data, &end);
	if (memcmp(magic, ELFMAG, SELFMAG) != 0 || magic[EI_CLASS] != ELFCLASS64 ||
		magic[EI_DATA] != ELFDATA2LSB)
		return CODE_NONE;
	if (!code_fetch(source, 0, &head, sizeof(head)))
		return CODE_DAMAGED;
	return head.e_machine == EM_AMDGPU ? read_object(source, &head, visit, data)
					   : read_host(source, &head, targets, visit, data);
}

static uint64_t later(uint64_t end, uint64_t other)
{
	return other > end ? other : end;
}

/* Returns the end of all sections, 0 if there are none or they are of an unknown format. */
static uint64_t sections_bytes(const char *image, const Elf64_Ehdr *head)
{
	uint64_t end = head->e_shoff + head->e_shnum * sizeof(Elf64_Shdr);

	if (!head->e_shnum || head->e_shentsize != sizeof(Elf64_Shdr))
		return 0;
	for (unsigned i = 0; i < head->e_shnum; i++) {
		Elf64_Shdr section;

		memcpy(&section, image + head->e_shoff + i * sizeof(section), sizeof(section));
		if (section.sh_type != SHT_NOBITS)
			end = later(end, section.sh_offset + section.sh_size);
	}
	return end;
}

static uint64_t object_bytes(const char *image)
{
	Elf64_Ehdr head;
	uint64_t end;

	memcpy(&head, image, sizeof(head));
	if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_machine != EM_AMDGPU ||
		head.e_phentsize != sizeof(Elf64_Phdr))
		return 0;
	end = later(sizeof(head), head.e_phoff + head.e_phnum * sizeof(Elf64_Phdr));
	end = later(end, sections_bytes(image, &head));
	for (unsigned i = 0; i < head.e_phnum; i++) {
		Elf64_Phdr segment;

		memcpy(&segment, image + head.e_phoff + i * sizeof(segment), sizeof(segment));
		end = later(end, segment.p_offset + segment.p_filesz);
	}
	return end;
}

static uint64_t bundle_bytes(const char *image)
{
	uint64_t count, at = BUNDLE_HEAD, end = at;

	memcpy(&count, image + sizeof(BUNDLE) - 1, sizeof(count));
	for (; count; count--) {
		struct bundle_entry entry;

		memcpy(&entry, image + at, sizeof(entry));
		at += sizeof(entry) + entry.name_bytes;
		end = later(later(end, at), entry.offset + entry.bytes);
	}
	return end;
}

uint64_t code_image_bytes(const void *image)
{
	if (strncmp(image, ELFMAG, SELFMAG) == 0)
		return object_bytes(image);
	if (strncmp(image, COMPRESSED_BUNDLE, strlen(COMPRESSED_BUNDLE)) == 0)
		return sizeof(BUNDLE) - 1;
	return strncmp(image, BUNDLE, sizeof(BUNDLE) - 1) == 0 ? bundle_bytes(image) : 0;
}
