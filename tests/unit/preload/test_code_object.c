/* SPDX-License-Identifier: MIT */
/* Code objects, bundles and their metadata, intact and damaged in many ways. */
#include "preload/engine/gpu/code/code_object.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/preload/code_objects.h"
#include "tests/unit/unit.h"

/* ---- reading them ---- */

static struct {
	unsigned count, calling_host;
	char name[64];
	char variables[64]; /* "?": not told */
	struct code_kernel last;
} seen;

static void see(void *data, const struct code_kernel *kernel)
{
	assert_ptr_equal(data, &seen);
	assert_in_range(strlen(kernel->arguments), 0, sizeof(kernel->arguments) - 1);
	seen.count++;
	seen.calling_host += kernel->calls_host;
	seen.last = *kernel;
	snprintf(seen.variables, sizeof(seen.variables), "%s", kernel->variables ?: "?");
	snprintf(seen.name, sizeof(seen.name), "%.*s", (int)kernel->name_bytes, kernel->name);
}

static enum code_result read_bytes(const struct bytes *bytes, const char *here)
{
	struct code_targets targets = {.count = 1};
	/* A block of exactly this size, so that sanitizers notice reads behind its end. */
	char *copy = malloc(bytes->count + 1);
	struct code_source source = {.memory = copy + 1, .size = bytes->count};
	enum code_result reading;

	snprintf(targets.names[0], sizeof(targets.names[0]), "%s", here);
	memcpy(copy + 1, bytes->at, bytes->count);
	seen.count = seen.calling_host = 0;
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
	assert_int_equal(seen.calling_host, 1);
	assert_false(seen.last.calls_host);
	assert_string_equal(seen.variables, "?");
	assert_int_equal(code_image_bytes(bytes.at), bytes.count);
}

/* ---- variables ---- */

static void variables(void **state)
{
	Elf64_Shdr *sections;

	(void)state;
	put_object_with_variables(&bytes, true);
	assert_int_equal(read_bytes(&bytes, "gfx90a"), CODE_READ);
	sees_both();
	assert_string_equal(seen.variables, " once twice ");
	assert_false(seen.last.constants);
	assert_int_equal(code_image_bytes(bytes.at), bytes.count);

	/* Without a table of symbols it is unknown, unless there can be no variable. */
	put_object_with_variables(&bytes, false);
	assert_int_equal(read_bytes(&bytes, "gfx90a"), CODE_READ);
	assert_string_equal(seen.variables, "?");
	sections = (void *)(bytes.at + ((const Elf64_Ehdr *)bytes.at)->e_shoff);
	sections[SECTION_OF_VARIABLES].sh_flags = SHF_ALLOC;
	assert_int_equal(read_bytes(&bytes, "gfx90a"), CODE_READ);
	assert_string_equal(seen.variables, "");
	assert_true(seen.last.constants);
}

static void constants(void **state)
{
	Elf64_Shdr *sections;

	(void)state;
	put_object_with_variables(&bytes, true);
	sections = (void *)(bytes.at + ((const Elf64_Ehdr *)bytes.at)->e_shoff);
	sections[SECTION_OF_VARIABLES].sh_flags = SHF_ALLOC;
	assert_int_equal(read_bytes(&bytes, "gfx90a"), CODE_READ);
	assert_string_equal(seen.variables, "");
	assert_true(seen.last.constants);
}

/* Where the variables cannot be read they are unknown, and everything else is still read. */
static void damaged_variables(void **state)
{
	struct bytes part;
	size_t plain;

	(void)state;
	bytes.count = 0;
	put_object(&bytes, "AMDGPU", 32);
	plain = bytes.count;
	put_object_with_variables(&bytes, true);
	for (size_t end = plain; end < bytes.count; end++) {
		part = bytes;
		part.count = end;
		assert_int_equal(read_bytes(&part, "gfx90a"), CODE_READ);
		assert_string_equal(seen.variables, "?");
	}
	for (size_t at = plain; at < bytes.count; at++) {
		part = bytes;
		part.at[at] ^= 0xff;
		assert_int_equal(read_bytes(&part, "gfx90a"), CODE_READ);
	}
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
	/* The file became shorter after it was opened. */
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
	/* There is only one object, so the runtime has loaded that one, whatever its target. */
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

/* Counts and depths that are impossible in a file of this size. */
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
		body.count = object.count = 0;
		if (i < sizeof(texts) / sizeof(*texts))
			put(&body, texts[i], strlen(texts[i]));
		else
			for (unsigned depth = 0; depth < 8000; depth++)
				put_byte(&body, 0x91);
		put_object_of(&object, "AMDGPU", 32, &body);
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

/* Whatever the result is, nothing behind the end is read. */
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
		cmocka_unit_test(variables),
		cmocka_unit_test(constants),
		cmocka_unit_test(damaged_variables),
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
