/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/name/symbols.h"
#include "analyzer/print/message.h"
#include "tests/unit/unit.h"

static uint64_t return_address;

static inline __attribute__((always_inline)) void inlined(void)
{
	return_address = (uint64_t) __extension__({
		here:
			__asm__ volatile("");
			&&here;
	});
}

__attribute__((noinline)) static void named(void)
{
	inlined();
}

/* Code that only the symbol table names: a function with a label in it and a weak and a local name,
 * and one whose size is not told. */
__asm__(".text\n"
	".globl assembly_function\n"
	".weak assembly_function_weak\n"
	"assembly_function_local:\n"
	"assembly_function_weak:\n"
	"assembly_function:\n"
	"	nop\n"
	"assembly_label:\n"
	"	nop\n"
	"	nop\n"
	".size assembly_function, . - assembly_function\n"
	".size assembly_function_weak, . - assembly_function\n"
	".size assembly_function_local, . - assembly_function\n"
	".globl assembly_open\n"
	"assembly_open:\n"
	"	nop\n"
	"	nop\n"
	".globl assembly_end\n"
	"assembly_end:\n"
	"	nop\n");
extern const char assembly_function[], assembly_open[], assembly_end[];

static const struct symbol *symbol_at(const GArray *symbols, guint i)
{
	return &g_array_index(symbols, struct symbol, i);
}

static uint64_t own_base(void)
{
	Dl_info info;

	assert_int_not_equal(dladdr((void *)named, &info), 0);
	return (uint64_t)info.dli_fbase;
}

static void inlined_functions_come_first(void **state)
{
	GStringChunk *texts = g_string_chunk_new(4096);
	struct symbols *symbols = symbols_new(texts);
	char path[4096] = "";
	const GArray *found;

	(void)state;
	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	named();
	found = symbols_find(symbols, path, "", return_address - own_base());
	assert_int_equal(found->len, 2);
	assert_string_equal(symbol_at(found, 0)->function, "inlined");
	assert_string_equal(symbol_at(found, 1)->function, "named");
	assert_string_equal(symbol_at(found, 0)->module, "test_symbols");
	assert_non_null(strstr(symbol_at(found, 0)->file, "test_symbols.c"));
	assert_int_not_equal(symbol_at(found, 1)->line, 0);
	/* It is looked up once. */
	assert_ptr_equal(symbols_find(symbols, path, "", return_address - own_base()), found);
	symbols_free(symbols);
	g_string_chunk_free(texts);
}

static void symbols_name_what_has_no_debug_information(void **state)
{
	const struct {
		const char *at, *name;
	} cases[] = {
		{assembly_function, "assembly_function"},
		{assembly_function + 1, "assembly_function"},
		{assembly_function + 2, "assembly_function"},
		{assembly_open, "assembly_open"},
		{assembly_open + 1, "assembly_open+0x1"},
		{assembly_end, "assembly_end"},
	};
	GStringChunk *texts = g_string_chunk_new(4096);
	struct symbols *symbols = symbols_new(texts);
	char path[4096] = "";

	(void)state;
	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const GArray *found =
			symbols_find(symbols, path, "", (uint64_t)cases[i].at - own_base());

		assert_int_equal(found->len, 1);
		assert_string_equal(symbol_at(found, 0)->function, cases[i].name);
	}
	symbols_free(symbols);
	g_string_chunk_free(texts);
}

static void what_is_nowhere_has_a_name(void **state)
{
	static const uint64_t addresses[] = {0, 1, 0x7fffffffffff, UINT64_MAX};
	static const char *const paths[] = {"/nonexistent/lib.so", "/dev/null", "/etc/passwd", "/",
		"", "linux-vdso.so.1", "/proc/self/exe"};
	GStringChunk *texts = g_string_chunk_new(4096);
	struct symbols *symbols = symbols_new(texts);

	(void)state;
	message_quiet = true;
	for (size_t p = 0; p < G_N_ELEMENTS(paths); p++) {
		for (size_t a = 0; a < G_N_ELEMENTS(addresses); a++) {
			const GArray *found =
				symbols_find(symbols, paths[p], p % 2 ? "a1b2" : "x", addresses[a]);

			assert_int_equal(found->len, 1);
			assert_true(*symbol_at(found, 0)->function);
		}
	}
	assert_string_equal(symbol_at(symbols_find(symbols, NULL, "", 7), 0)->function,
		"(code without a file)");
	symbols_free(symbols);
	g_string_chunk_free(texts);
}

/* A file that was cut off anywhere is no crash. */
static void damaged_files_are_survived(void **state)
{
	char *content, path[] = "/tmp/test_symbols.XXXXXX";
	int file = mkstemp(path);
	gsize bytes;

	(void)state;
	message_quiet = true;
	assert_true(file >= 0);
	assert_true(g_file_get_contents("/proc/self/exe", &content, &bytes, NULL));
	for (gsize end = 0; end < bytes; end += bytes / 23 + 1) {
		GStringChunk *texts = g_string_chunk_new(4096);
		struct symbols *symbols = symbols_new(texts);

		assert_int_equal(ftruncate(file, 0), 0);
		assert_int_equal(pwrite(file, content, end, 0), (ssize_t)end);
		named();
		assert_true(symbols_find(symbols, path, "", return_address - own_base())->len);
		symbols_free(symbols);
		g_string_chunk_free(texts);
	}
	g_free(content);
	close(file);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inlined_functions_come_first),
		cmocka_unit_test(symbols_name_what_has_no_debug_information),
		cmocka_unit_test(what_is_nowhere_has_a_name),
		cmocka_unit_test(damaged_files_are_survived),
	};

	return cmocka_run_group_tests_name("symbols", tests, NULL, NULL);
}
