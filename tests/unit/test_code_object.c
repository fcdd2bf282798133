/* SPDX-License-Identifier: MIT */
/* Code objects, bundles and their metadata: as they should be, and damaged in every way. */
#include "preload/gpu/code_object.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"

struct bytes {
	uint8_t at[16 * 1024];
	size_t count;
};

static void put(struct bytes *bytes, const void *data, size_t count)
{
	assert_true(bytes->count + count <= sizeof(bytes->at));
	memcpy(bytes->at + bytes->count, data, count);
	bytes->count += count;
}

static void put_byte(struct bytes *bytes, unsigned value)
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

/* As wide as it must be, as compilers write it. */
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

static void put_kernel(struct bytes *bytes, const char *symbol, uint64_t registers)
{
	put_byte(bytes, 0xde); /* a map of 16 bits' count */
	put_big_endian(bytes, 10, 2);
	put_number(bytes, ".agpr_count", 4);
	put_text(bytes, ".args");
	put_byte(bytes, 0x93);
	put_argument(bytes, "global_buffer", 8);
	put_argument(bytes, "by_value", 4);
	put_argument(bytes, "hidden_global_offset_x", 8);
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
	put_kernel(bytes, "_Z5saxpyfPKfPfi.kd", 6);
	put_kernel(bytes, "_Z4spinILi200EEvPf.kd", 512);
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

/* A note of another owner's comes first. */
static void put_object(struct bytes *bytes, const char *owner, unsigned type)
{
	static struct bytes notes, body;
	Elf64_Ehdr head = {.e_machine = 224,
		.e_phoff = sizeof(head),
		.e_phnum = 2,
		.e_phentsize = sizeof(Elf64_Phdr)};
	Elf64_Phdr segments[] = {{.p_type = PT_LOAD}, {.p_type = PT_NOTE}};

	notes.count = body.count = 0;
	put_byte(&body, 7);
	put_note(&notes, "GNU", 3, &body);
	body.count = 0;
	put_metadata(&body);
	put_note(&notes, owner, type, &body);
	put_ident(&head);
	segments[1].p_offset = sizeof(head) + sizeof(segments);
	segments[1].p_filesz = notes.count;
	put(bytes, &head, sizeof(head));
	put(bytes, segments, sizeof(segments));
	put(bytes, notes.at, notes.count);
}

/* An entry for the host, which is empty, and one for each target. */
static void put_bundle(struct bytes *bytes, const char *const *targets, unsigned count)
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

/* A host's file with bundles in .hip_fatbin, at every 4096 bytes of it. */
static void put_host(struct bytes *bytes, const char *const *targets)
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

/* ---- reading them ---- */

static struct {
	unsigned count;
	char name[64];
	struct code_kernel last;
} seen;

static void see(void *data, const struct code_kernel *kernel)
{
	assert_ptr_equal(data, &seen);
	assert_in_range(strlen(kernel->arguments), 0, sizeof(kernel->arguments) - 1);
	seen.count++;
	seen.last = *kernel;
	snprintf(seen.name, sizeof(seen.name), "%.*s", (int)kernel->name_bytes, kernel->name);
}

static enum code_reading read_bytes(const struct bytes *bytes, const char *here)
{
	struct code_targets targets = {.count = 1};
	/* As long as it says and no longer: sanitizers see what is read behind it. */
	char *copy = malloc(bytes->count + 1);
	struct code_source source = {.memory = copy + 1, .size = bytes->count};
	enum code_reading reading;

	snprintf(targets.names[0], sizeof(targets.names[0]), "%s", here);
	memcpy(copy + 1, bytes->at, bytes->count);
	seen.count = 0;
	reading = code_read(&source, &targets, see, &seen);
	free(copy);
	return reading;
}

static void sees_both(void)
{
	const struct gpu_code *code = &seen.last.code;

	assert_int_equal(seen.count, 2);
	assert_string_equal(seen.name, "_Z4spinILi200EEvPf");
	assert_int_equal(code->registers, 512);
	assert_int_equal(code->scalar_registers, 54);
	assert_int_equal(code->accumulation_registers, 4);
	assert_int_equal(code->shared_bytes, 70000);
	assert_int_equal(code->scratch_bytes, 816);
	assert_int_equal(code->kernarg_bytes, 68);
	assert_int_equal(code->wavefront_size, PWRTRACE_UNKNOWN_U32);
	assert_string_equal(seen.last.arguments, "global_buffer:8 by_value:4");
}

static struct bytes bytes;

static void an_object_alone(void **state)
{
	(void)state;
	bytes.count = 0;
	put_object(&bytes, "AMDGPU", 32);
	assert_int_equal(read_bytes(&bytes, "gfx90a"), CODE_READ);
	sees_both();
	assert_int_equal(code_image_bytes(bytes.at), bytes.count);
}

static void a_file_as_memory(void **state)
{
	struct code_targets none = {.count = 0};
	FILE *file = tmpfile();
	struct code_source source = {.size = bytes.count};

	(void)state;
	bytes.count = 0;
	put_object(&bytes, "AMDGPU", 32);
	assert_non_null(file);
	assert_int_equal(fwrite(bytes.at, 1, bytes.count, file), bytes.count);
	fflush(file);
	source.fd = fileno(file);
	source.size = bytes.count;
	seen.count = 0;
	assert_int_equal(code_read(&source, &none, see, &seen), CODE_READ);
	sees_both();
	/* It became shorter meanwhile. */
	assert_int_equal(ftruncate(fileno(file), 300), 0);
	seen.count = 0;
	assert_int_equal(code_read(&source, &none, see, &seen), CODE_DAMAGED);
	assert_int_equal(seen.count, 0);
	fclose(file);
}

static void version_2(void **state)
{
	(void)state;
	bytes.count = 0;
	put_object(&bytes, "AMD", 10);
	assert_int_equal(read_bytes(&bytes, "gfx906"), CODE_VERSION_2);
	assert_int_equal(seen.count, 0);
}

static void bundles(void **state)
{
	static const char *const targets[] = {"hipv4-amdgcn-amd-amdhsa--gfx906:sramecc+",
		"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+"};

	(void)state;
	bytes.count = 0;
	put_bundle(&bytes, targets, 3);
	assert_int_equal(code_image_bytes(bytes.at), bytes.count);
	assert_int_equal(read_bytes(&bytes, "gfx90a"), CODE_READ);
	sees_both();
	assert_int_equal(read_bytes(&bytes, "gfx1100"), CODE_AMBIGUOUS);
	assert_int_equal(seen.count, 0);
	/* The only one there is has been taken by the runtime. */
	bytes.count = 0;
	put_bundle(&bytes, targets, 1);
	assert_int_equal(read_bytes(&bytes, ""), CODE_READ);
	sees_both();
	bytes.count = 0;
	put_bundle(&bytes, targets, 0);
	assert_int_equal(read_bytes(&bytes, "gfx90a"), CODE_NONE);
	bytes.count = 0;
	put(&bytes, "CCOB\x02\0\1\0", 8);
	while (bytes.count < 64)
		put_byte(&bytes, 0xff);
	assert_int_equal(read_bytes(&bytes, "gfx90a"), CODE_COMPRESSED);
}

static void a_program(void **state)
{
	static const char *const targets[] = {
		"hipv4-amdgcn-amd-amdhsa--gfx906", "hipv4-amdgcn-amd-amdhsa--gfx90a"};

	(void)state;
	bytes.count = 0;
	put_host(&bytes, targets);
	assert_int_equal(read_bytes(&bytes, "gfx90a"), CODE_READ);
	assert_int_equal(seen.count, 4);
}

static void others(void **state)
{
	(void)state;
	bytes.count = 0;
	assert_int_equal(read_bytes(&bytes, ""), CODE_NONE);
	put(&bytes, "#!/bin/sh\nexec true # and more of it\n", 38);
	assert_int_equal(read_bytes(&bytes, ""), CODE_NONE);
	assert_int_equal(code_image_bytes(bytes.at), 0);
}

/* ---- damage ---- */

static void cut_anywhere(void **state)
{
	struct bytes whole = {.count = 0}, part;

	(void)state;
	put_object(&whole, "AMDGPU", 32);
	for (size_t end = 24; end < whole.count - 3; end++) {
		part = whole;
		part.count = end;
		assert_int_equal(read_bytes(&part, "gfx90a"), CODE_DAMAGED);
	}
}

static void wrong_sizes(void **state)
{
	struct bytes whole = {.count = 0};
	Elf64_Nhdr *note = (void *)(whole.at + sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr));

	(void)state;
	put_object(&whole, "AMDGPU", 32);
	note->n_namesz = UINT32_MAX;
	assert_int_equal(read_bytes(&whole, ""), CODE_DAMAGED);
	note->n_namesz = 4;
	note->n_descsz = UINT32_MAX - 2;
	assert_int_equal(read_bytes(&whole, ""), CODE_DAMAGED);
	assert_int_equal(seen.count, 0);
}

/* Counts and depths that no file could have. */
static void hostile_metadata(void **state)
{
	static const char *const texts[] = {"\xdf\xff\xff\xff\xff", "\xdd\xff\xff\xff\xff",
		"\x81\xdb\xff\xff\xff\xff",
		"\x81\xae"
		"amdhsa.kernels\xdd\x7f\xff\xff\xff",
		"\x81\xae"
		"amdhsa.kernels\x91\x81",
		"\xc1", "\x81\xc1\xc1", "\xcf\xff", "\xd8", "\xc7\xff\xff"};
	struct bytes body, object;

	(void)state;
	for (size_t i = 0; i <= sizeof(texts) / sizeof(*texts); i++) {
		Elf64_Ehdr head = {.e_machine = 224,
			.e_phoff = sizeof(head),
			.e_phnum = 1,
			.e_phentsize = sizeof(Elf64_Phdr)};
		Elf64_Phdr segment = {
			.p_type = PT_NOTE, .p_offset = sizeof(head) + sizeof(segment)};

		body.count = object.count = 0;
		if (i < sizeof(texts) / sizeof(*texts))
			put(&body, texts[i], strlen(texts[i]));
		else
			for (unsigned depth = 0; depth < 8000; depth++)
				put_byte(&body, 0x91);
		put_ident(&head);
		put(&object, &head, sizeof(head));
		segment.p_filesz = sizeof(Elf64_Nhdr) + 8 + (body.count + 3) / 4 * 4;
		put(&object, &segment, sizeof(segment));
		put_note(&object, "AMDGPU", 32, &body);
		assert_int_equal(read_bytes(&object, ""), CODE_DAMAGED);
		assert_int_equal(seen.count, 0);
	}
}

static uint32_t dice;

static uint32_t roll(uint32_t sides)
{
	dice = dice * 1664525 + 1013904223;
	return (dice >> 8) % sides;
}

/* Whatever comes of it, nothing behind the end is read. */
static void any_damage(void **state)
{
	static const char *const targets[] = {"hipv4-amdgcn-amd-amdhsa--gfx906",
		"hipv4-amdgcn-amd-amdhsa--gfx90a", "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+"};
	static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xdd, 0xdf, 0xff};
	struct bytes whole[3] = {{.count = 0}}, damaged;
	unsigned readings = 0;

	(void)state;
	put_object(&whole[0], "AMDGPU", 32);
	put_bundle(&whole[1], targets, 3);
	put_host(&whole[2], targets);
	for (dice = 1; readings < 30000; readings++) {
		damaged = whole[readings % 3];
		for (uint32_t times = roll(4) + 1; times; times--)
			damaged.at[roll(4) ? roll((uint32_t)damaged.count) : roll(300)] =
				values[roll(sizeof(values))];
		if (roll(4) == 0)
			damaged.count = roll((uint32_t)damaged.count);
		assert_in_range(read_bytes(&damaged, "gfx90a"), CODE_NONE, CODE_AMBIGUOUS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_object_alone),
		cmocka_unit_test(a_file_as_memory),
		cmocka_unit_test(version_2),
		cmocka_unit_test(bundles),
		cmocka_unit_test(a_program),
		cmocka_unit_test(others),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(wrong_sizes),
		cmocka_unit_test(hostile_metadata),
		cmocka_unit_test(any_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
