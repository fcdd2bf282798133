/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "preload/engine/callstack/arena.h"
#include "preload/engine/callstack/call_site.h"
#include "preload/engine/callstack/modules.h"
#include "preload/engine/callstack/stack_table.h"
#include "preload/engine/callstack/unwind_rule.h"
#include "preload/engine/callstack/walk.h"
#include "preload/engine/core/process.h"
#include "tests/unit/unit.h"

#define NOINLINE __attribute__((noinline))
#define STAYS() __asm__ volatile("" ::: "memory")

static void begin(struct stack_walk *walk, const void *base)
{
	walk->base = (uint64_t)base;
	walk->epoch = walk_epoch();
	walk->python_count = 0;
}

NOINLINE static void walk_deep(unsigned depth, struct stack_walk *found)
{
	if (depth) {
		walk_deep(depth - 1, found);
	} else {
		begin(found, __builtin_frame_address(0));
		walk(found);
	}
	STAYS();
}

static void every_caller_is_there(void **state)
{
	struct stack_walk shallow, deep;

	(void)state;
	walk_deep(0, &shallow);
	for (unsigned depth = 1; depth < 60; depth++) {
		walk_deep(depth, &deep);
		assert_int_equal(deep.count, shallow.count + depth);
		assert_false(deep.cut);
		/* The outer callers are the same. */
		assert_memory_equal(deep.pc + depth + 3, shallow.pc + 3,
			(shallow.count - 3) * sizeof(*deep.pc));
	}
	assert_int_equal(walk_lost(), 0);
}

static void deep_stacks_are_cut(void **state)
{
	struct stack_walk found;

	(void)state;
	walk_deep(3 * WALK_DEPTH_MAX, &found);
	assert_int_equal(found.count, WALK_DEPTH_MAX);
	assert_true(found.cut);
}

static void errno_is_kept(void **state)
{
	struct stack_walk found;

	(void)state;
	walk_forget();
	errno = 77;
	walk_deep(3, &found);
	assert_int_equal(errno, 77);
}

static void nothing_is_read_where_nothing_is(void **state)
{
	char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t value = 1;

	(void)state;
	assert_true(peek_memory((uint64_t)page, &value));
	assert_int_equal(value, 0);
	munmap(page, 4096);
	assert_false(peek_memory((uint64_t)page, &value));
	assert_false(peek_memory(8, &value));
	assert_false(peek_memory(~7ULL, &value));
}

static void code_without_tables_has_no_rule(void **state)
{
	struct unwind_rule rule;

	(void)state;
	unwind_rule_learn(0x1000, &rule);
	assert_int_equal(rule.kind, RULE_NONE);
	assert_int_equal(rule.module, 0);
	unwind_rule_learn((uint64_t)&rule, &rule);
	assert_int_equal(rule.kind, RULE_NONE);
	unwind_rule_learn(UINT64_MAX, &rule);
	assert_int_equal(rule.kind, RULE_NONE);
	/* Code, but what is asked for stands in the middle of data. */
	unwind_rule_learn((uint64_t)&errno, &rule);
	assert_int_not_equal(rule.kind, RULE_STEP);
}

static void modules_are_found(void **state)
{
	struct stack_walk found;
	uint32_t id;

	(void)state;
	walk_deep(1, &found);
	id = modules_id(walk_module(found.pc[0], walk_epoch()));
	assert_int_not_equal(id, 0);
	assert_non_null(strstr(modules_key(id)->path_and_build_id, "test_callstack"));
	assert_false(modules_key(id)->driver);
	assert_int_equal(modules_id(walk_module(0x1000, walk_epoch())), 0);
}

/* The libraries between the program's call and us, whose frames are left out of call stacks. */
static void drivers_are_known_by_name(void **state)
{
	static const struct {
		const char *path;
		bool driver;
	} modules[] = {
		{"/usr/lib/libOpenCL.so.1", true},
		{"libcuda.so.1", true},
		{"/opt/rocm/lib/libroctx64.so.4", true},
		{"/opt/rocm/lib/librocprofiler-sdk-roctx.so.1", true},
		{"/usr/lib/pwrtrace/libpwrtrace-engine.so", true},
		{"/usr/lib/libroctx", false},
		{"/opt/libcuda.so.1/libmine.so", false},
		{"/usr/lib/libc.so.6", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(modules) / sizeof(*modules); i++) {
		const struct dl_phdr_info info = {.dlpi_name = modules[i].path};
		uint64_t begin = 0x1000 * (i + 1);
		uint32_t id = modules_id(modules_note(&info, begin, begin + 0x1000));

		assert_int_not_equal(id, 0);
		assert_int_equal(modules_key(id)->driver, modules[i].driver);
	}
}

/* A module goes while a stack is walked: what the collector does then, called in the middle. */
static void a_walk_is_of_one_epoch(void **state)
{
	struct stack_walk found;

	(void)state;
	begin(&found, __builtin_frame_address(0));
	walk_forget();
	walk(&found);
	assert_true(found.count > 2);
	for (unsigned i = 0; i < found.count; i++)
		assert_int_not_equal(walk_module(found.pc[i], found.epoch), 0);
}

/* ---- the table of stacks ---- */

static struct stack_walk made(uint64_t seed, unsigned count)
{
	struct stack_walk walk = {.count = count};

	for (unsigned i = 0; i < count; i++)
		walk.pc[i] = seed * 1000 + i;
	return walk;
}

static void equal_stacks_have_one_id(void **state)
{
	struct stack_walk a = made(1, 9), b = made(2, 9), c = made(1, 8), cut = made(1, 9),
			  later = a;
	uint32_t id = stack_table_id(&a, 0);

	(void)state;
	cut.cut = true;
	later.epoch = 1;
	stack_table_fresh();
	assert_int_not_equal(id, 0);
	assert_int_equal(stack_table_id(&a, 0), id);
	assert_int_not_equal(stack_table_id(&b, 0), id);
	assert_int_not_equal(stack_table_id(&c, 0), id);
	assert_int_not_equal(stack_table_id(&cut, 0), id);
	assert_int_not_equal(stack_table_id(&later, 0), id);
	assert_int_equal(stack_table_stack(id)->count, 9);
	assert_memory_equal(stack_table_stack(id)->pc, a.pc, 9 * sizeof(*a.pc));
	/* The four new stacks are written once. */
	id = stack_table_fresh();
	for (int i = 0; i < 4; i++, id = stack_table_stack(id)->next)
		assert_int_not_equal(id, 0);
	assert_int_equal(id, 0);
	assert_int_equal(stack_table_fresh(), 0);
}

#define THREADS 8
#define STACKS 4000

static void *add_all(void *ids)
{
	for (unsigned i = 0; i < STACKS; i++) {
		struct stack_walk walk = made(10 + i, 5);

		((uint32_t *)ids)[i] = stack_table_id(&walk, 0);
	}
	return NULL;
}

static void threads_agree(void **state)
{
	static uint32_t ids[THREADS][STACKS];
	pthread_t threads[THREADS];
	unsigned told = 0;

	(void)state;
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, add_all, ids[i]), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 1; i < THREADS; i++)
		assert_memory_equal(ids[i], ids[0], sizeof(ids[0]));
	for (uint32_t id = stack_table_fresh(); id; id = stack_table_stack(id)->next)
		told++;
	assert_int_equal(told, STACKS);
}

static void a_full_table_is_counted(void **state)
{
	uint64_t refused = 0;

	(void)state;
	for (unsigned i = 0; i < 70000; i++) {
		struct stack_walk walk = made(100000 + i, 1);

		refused += stack_table_id(&walk, 0) == 0;
	}
	assert_true(refused > 0);
	assert_int_equal(stack_table_lost(), refused);
	assert_int_equal(stack_table_lost(), 0);
}

/* ---- sites ---- */

static unsigned expected; /* so many sites were found as followers */

/* function: that of Python which calls; 0: none. */
NOINLINE static uint32_t at_site(uint64_t function, bool add)
{
	struct stack_walk found = {0};
	unsigned first = 0;
	uint32_t id;

	begin(&found, __builtin_frame_address(0));
	id = function ? 0 : call_site_expected(found.base, found.epoch);
	expected += id != 0;
	if (id)
		return id;
	found.python[0] = function;
	found.python_count = function != 0;
	id = call_site_find(&found);
	if (id || !add)
		return id;
	walk(&found);
	while (found.at[first] < 0)
		first++;
	id = stack_table_id(&found, first);
	call_site_add(&found, first, id);
	return id;
}

NOINLINE static uint32_t first_way(bool add)
{
	uint32_t id = at_site(0, add);

	STAYS();
	return id;
}

NOINLINE static uint32_t second_way(bool add)
{
	uint32_t id = at_site(0, add);

	__asm__ volatile("nop");
	return id;
}

static void sites_are_found_again(void **state)
{
	uint32_t first = 0, second = 0;

	(void)state;
	/* Volatile, as calls of an unrolled loop would be at other places. */
	for (volatile int turn = 0; turn < 3; turn++) {
		uint32_t id = first_way(turn == 0);

		assert_int_not_equal(id, 0);
		assert_true(turn == 0 || id == first);
		first = id;
		/* The other call path is told apart, though everything else is the same. */
		id = second_way(turn == 0);
		assert_int_not_equal(id, 0);
		assert_int_not_equal(id, first);
		assert_true(turn == 0 || id == second);
		second = id;
	}
}

static void what_repeats_is_expected(void **state)
{
	uint32_t first = 0, second = 0, id;

	(void)state;
	for (volatile int turn = 0; turn < 10; turn++) {
		if (turn == 3)
			expected = 0;
		for (volatile int time = 0; time < 3; time++) {
			id = first_way(true);
			assert_true(!first || id == first);
			first = id;
		}
		id = second_way(true);
		assert_int_not_equal(id, first);
		assert_true(!second || id == second);
		second = id;
	}
	assert_int_equal(expected, 7 * 4);
}

static void functions_of_python_tell_sites_apart(void **state)
{
	enum { FUNCTIONS = 100 };
	uint32_t ids[FUNCTIONS + 1] = {0};

	(void)state;
	for (volatile int turn = 0; turn < 2; turn++)
		for (volatile uint64_t function = 1; function <= FUNCTIONS; function++) {
			uint32_t id = at_site(function, turn == 0);

			assert_int_not_equal(id, 0);
			assert_int_not_equal(id, ids[function - 1]);
			assert_true(turn == 0 || id == ids[function]);
			ids[function] = id;
		}
}

static void arenas_end(void **state)
{
	struct arena arena;
	uint32_t place = 0;
	unsigned taken = 0;

	(void)state;
	assert_true(arena_make(&arena, 4096));
	while ((place = arena_take(&arena, 40)))
		assert_ptr_equal(arena_at(&arena, place), arena.words + 1 + 5 * (size_t)taken++);
	assert_int_equal(taken, (4096 / 8 - 1) / 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_caller_is_there),
		cmocka_unit_test(deep_stacks_are_cut),
		cmocka_unit_test(errno_is_kept),
		cmocka_unit_test(nothing_is_read_where_nothing_is),
		cmocka_unit_test(code_without_tables_has_no_rule),
		cmocka_unit_test(modules_are_found),
		cmocka_unit_test(drivers_are_known_by_name),
		cmocka_unit_test(a_walk_is_of_one_epoch),
		cmocka_unit_test(equal_stacks_have_one_id),
		cmocka_unit_test(threads_agree),
		cmocka_unit_test(sites_are_found_again),
		cmocka_unit_test(what_repeats_is_expected),
		cmocka_unit_test(functions_of_python_tell_sites_apart),
		cmocka_unit_test(a_full_table_is_counted),
		cmocka_unit_test(arenas_end),
	};

	process_start();
	if (!walk_start() || !stack_table_start() || !call_site_start())
		return 1;
	return cmocka_run_group_tests_name("callstack", tests, NULL, NULL);
}
