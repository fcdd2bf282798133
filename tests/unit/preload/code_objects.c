/* SPDX-License-Identifier: MIT */
#include "tests/unit/preload/code_objects.h"

#include <elf.h>
#include <string.h>

#include "tests/unit/unit.h"

void put(struct bytes *bytes, const void *data, size_t count)
{
	assert_true(bytes->count + count <= sizeof(bytes->at));
	memcpy(bytes->at + bytes->count, data, count);
	bytes->count += count;
}

void put_byte(struct bytes *bytes, unsigned value)
{
	put(bytes, &(uint8_t){(uint8_t)value}, 1);
}

static void put_big_endian(struct bytes *bytes, uint64_t value, unsigned width)
{
	while (width--)
		put_byte(bytes, (unsigned)(value >> 8 * width) & 0xff);
}

static void pad(struct bytes *bytes, size_t to)
{
	while (bytes->count % to)
		put_byte(bytes, 0);
}

/* ---- MessagePack ---- */

static void put_text(struct bytes *bytes, const char *text)
{
	size_t length = strlen(text);

	if (length < 32) {
		put_byte(bytes, 0xa0 | (unsigned)length);
	} else {
		put_byte(bytes, 0xd9);
		put_byte(bytes, (unsigned)length);
	}
	put(bytes, text, length);
}

/* A number in the narrowest form that holds it, as compilers write it. */
static void put_number(struct bytes *bytes, const char *key, uint64_t value)
{
	put_text(bytes, key);
	if (value < 128) {
		put_byte(bytes, (unsigned)value);
	} else {
		unsigned log = value < 256 ? 0 : value < 65536 ? 1 : value >> 32 ? 3 : 2;

		put_byte(bytes, 0xcc + log);
		put_big_endian(bytes, value, 1u << log);
	}
}

static void put_argument(struct bytes *bytes, const char *kind, unsigned size)
{
	put_byte(bytes, 0x83);
	put_number(bytes, ".offset", 0);
	put_number(bytes, ".size", size);
	put_text(bytes, ".value_kind");
	put_text(bytes, kind);
}

/* hidden: the arguments that the compiler adds. */
static void put_kernel(
	struct bytes *bytes, const char *symbol, uint64_t registers, const char *hidden)
{
	put_byte(bytes, 0xde); /* a map of 16 bits' count */
	put_big_endian(bytes, 10, 2);
	put_number(bytes, ".agpr_count", 4);
	put_text(bytes, ".args");
	put_byte(bytes, 0x93);
	put_argument(bytes, "global_buffer", 8);
	put_argument(bytes, "by_value", 4);
	put_argument(bytes, hidden, 8);
	put_number(bytes, ".group_segment_fixed_size", 70000);
	put_number(bytes, ".kernarg_segment_size", 68);
	put_text(bytes, ".language_version");
	put_byte(bytes, 0x92);
	put_byte(bytes, 2);
	put_byte(bytes, 0);
	put_number(bytes, ".private_segment_fixed_size", 816);
	put_number(bytes, ".sgpr_count", 54);
	put_text(bytes, ".symbol");
	put_text(bytes, symbol);
	put_text(bytes, ".uses_dynamic_stack");
	put_byte(bytes, 0xc2);
	put_number(bytes, ".vgpr_count", registers);
}

static void put_metadata(struct bytes *bytes)
{
	put_byte(bytes, 0x83);
	put_text(bytes, "amdhsa.target");
	put_text(bytes, "amdgcn-amd-amdhsa--gfx90a");
	put_text(bytes, "amdhsa.kernels");
	put_byte(bytes, 0x92);
	put_kernel(bytes, "_Z5saxpyfPKfPfi.kd", 6, "hidden_hostcall_buffer");
	put_kernel(bytes, "_Z4spinILi200EEvPf.kd", 512, "hidden_global_offset_x");
	put_text(bytes, "amdhsa.version");
	put_byte(bytes, 0x92);
	put_byte(bytes, 1);
	put_byte(bytes, 2);
}

/* ---- files ---- */

static void put_note(
	struct bytes *bytes, const char *owner, unsigned type, const struct bytes *body)
{
	Elf64_Nhdr note = {(Elf64_Word)strlen(owner) + 1, (Elf64_Word)body->count, type};

	put(bytes, &note, sizeof(note));
	put(bytes, owner, strlen(owner) + 1);
	pad(bytes, 4);
	put(bytes, body->at, body->count);
	pad(bytes, 4);
}

static void put_ident(Elf64_Ehdr *head)
{
	memcpy(head->e_ident, ELFMAG, SELFMAG);
	head->e_ident[EI_CLASS] = ELFCLASS64;
	head->e_ident[EI_DATA] = ELFDATA2LSB;
}

void put_object_of(
	struct bytes *bytes, const char *owner, unsigned type, const struct bytes *metadata)
{
	static struct bytes notes;
	Elf64_Ehdr head = {.e_machine = EM_AMDGPU,
		.e_phoff = sizeof(head),
		.e_phnum = 2,
		.e_phentsize = sizeof(Elf64_Phdr)};
	Elf64_Phdr segments[] = {{.p_type = PT_LOAD}, {.p_type = PT_NOTE}};

	notes.count = 0;
	put_note(&notes, "GNU", 3, &(struct bytes){.at = {7}, .count = 1});
	put_note(&notes, owner, type, metadata);
	put_ident(&head);
	segments[1].p_offset = sizeof(head) + sizeof(segments);
	segments[1].p_filesz = notes.count;
	put(bytes, &head, sizeof(head));
	put(bytes, segments, sizeof(segments));
	put(bytes, notes.at, notes.count);
}

void put_object(struct bytes *bytes, const char *owner, unsigned type)
{
	static struct bytes metadata;

	metadata.count = 0;
	put_metadata(&metadata);
	put_object_of(bytes, owner, type, &metadata);
}

#define CONSTANTS 2

void put_object_with_variables(struct bytes *object, bool symbols)
{
	static const char names[] =
		"\0once\0twice\0_Z4spinILi200EEvPf.kd\0__hip_cuid_123\0_Z5saxpyfPKfPfi";
	static const struct {
		unsigned name;
		unsigned char type, section;
	} rows[] = {{0, STT_NOTYPE, 0}, {1, STT_OBJECT, SECTION_OF_VARIABLES},
		{12, STT_OBJECT, CONSTANTS}, {34, STT_OBJECT, SECTION_OF_VARIABLES},
		{49, STT_FUNC, CONSTANTS}, {6, STT_OBJECT, SECTION_OF_VARIABLES},
		{1, STT_OBJECT, SHN_UNDEF}};
	Elf64_Shdr sections[5] = {[SECTION_OF_VARIABLES] = {.sh_type = SHT_NOBITS,
					  .sh_flags = SHF_WRITE | SHF_ALLOC,
					  .sh_size = 24},
		[CONSTANTS] = {.sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC, .sh_size = 128},
		[3] = {.sh_type = symbols ? SHT_SYMTAB : SHT_NULL,
			.sh_link = 4,
			.sh_size = sizeof(rows) / sizeof(*rows) * sizeof(Elf64_Sym)},
		[4] = {.sh_type = SHT_STRTAB, .sh_size = sizeof(names)}};
	Elf64_Ehdr *head = (void *)object->at;

	object->count = 0;
	put_object(object, "AMDGPU", 32);
	pad(object, 8);
	sections[3].sh_offset = object->count;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		put(object,
			&(Elf64_Sym){.st_name = rows[i].name,
				.st_info = ELF64_ST_INFO(STB_GLOBAL, rows[i].type),
				.st_shndx = rows[i].section,
				.st_size = 8},
			sizeof(Elf64_Sym));
	sections[4].sh_offset = object->count;
	put(object, names, sizeof(names));
	pad(object, 8);
	head->e_shoff = object->count;
	head->e_shnum = 5;
	head->e_shentsize = sizeof(Elf64_Shdr);
	put(object, sections, sizeof(sections));
}

void put_bundle(struct bytes *bytes, const char *const *targets, unsigned count)
{
	size_t begin = bytes->count;
	uint64_t entry[3] = {0, 0, strlen("host-x86_64-unknown-linux--")};
	struct bytes objects = {.count = 0};

	put(bytes, "__CLANG_OFFLOAD_BUNDLE__", 24);
	put(bytes, &(uint64_t){count + 1}, 8);
	put(bytes, entry, sizeof(entry));
	put(bytes, "host-x86_64-unknown-linux--", entry[2]);
	for (unsigned i = 0; i < count; i++) {
		size_t at = objects.count;

		put_object(&objects, "AMDGPU", 32);
		entry[0] = 1024 + at;
		entry[1] = objects.count - at;
		entry[2] = strlen(targets[i]);
		put(bytes, entry, sizeof(entry));
		put(bytes, targets[i], entry[2]);
	}
	while (bytes->count < begin + 1024)
		put_byte(bytes, 0);
	put(bytes, objects.at, objects.count);
}

void put_host(struct bytes *bytes, const char *const *targets)
{
	static const char names[] = "\0.hip_fatbin\0.shstrtab";
	Elf64_Ehdr head = {.e_machine = EM_X86_64,
		.e_shoff = sizeof(head),
		.e_shnum = 3,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shstrndx = 2};
	Elf64_Shdr sections[] = {{.sh_type = SHT_NULL},
		{.sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = 4096, .sh_size = 8192},
		{.sh_name = 13,
			.sh_type = SHT_STRTAB,
			.sh_offset = sizeof(head) + 3 * sizeof(Elf64_Shdr),
			.sh_size = sizeof(names)}};

	put_ident(&head);
	put(bytes, &head, sizeof(head));
	put(bytes, sections, sizeof(sections));
	put(bytes, names, sizeof(names));
	pad(bytes, 4096);
	for (unsigned i = 0; i < 2; i++) {
		put_bundle(bytes, &targets[i], 1);
		pad(bytes, 4096);
	}
}
