/* SPDX-License-Identifier: MIT */
/*
 * Ranges in every way in which programs get them wrong, by any of the interfaces.  Prints "layer
 * kernels=N copies=0 path=A/B", as cuda_layers does, for each whose path fits on a line.
 */
#ifndef RANGES_H
#define RANGES_H

#include <pthread.h>

#include "cuda_client.h"

/* An interface to name ranges with; start and end are NULL where it has none. */
struct range_api {
	void (*push)(const char *name);
	void (*pop)(void);
	uint64_t (*start)(const char *name);
	void (*end)(uint64_t id);
};

static CUcontext context;
static CUfunction small;
static unsigned outside; /* kernels in no layer */

static inline void open_small(void)
{
	context = open_device(0);
	small = get_kernel(load_module(), SHORT);
}

static inline void expect(const char *path, unsigned kernels)
{
	printf("layer kernels=%u copies=0 path=%s\n", kernels, path);
}

static inline void launch_outside(void)
{
	launch(small, NULL, 1);
	outside++;
}

static inline void nested(const struct range_api *by)
{
	by->push("outer");
	launch(small, NULL, 1);
	by->push("inner");
	launch(small, NULL, 2);
	by->pop();
	launch(small, NULL, 1);
	by->pop();
	expect("outer", 2);
	expect("outer/inner", 2);
	for (int i = 0; i < 3; i++)
		by->pop();
	launch_outside();
}

static void *leave_open(void *by)
{
	check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
	((const struct range_api *)by)->push("left open");
	launch(small, NULL, 3);
	return NULL;
}

static inline void in_thread(void *(*function)(void *), void *argument)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, function, argument))
		fail("no thread");
	pthread_join(thread, NULL);
}

static inline void never_popped(const struct range_api *by)
{
	in_thread(leave_open, (void *)by);
	launch_outside();
	expect("left open", 3);
}

/* Ranges that are nested deeper than 128 count as the 128th. */
static inline void deep(const struct range_api *by)
{
	char path[2 * 128] = "d";

	for (int i = 0; i < 10000; i++)
		by->push("d");
	launch(small, NULL, 2);
	for (int i = 0; i < 10000; i++)
		by->pop();
	launch_outside();
	for (int i = 1; i < 128; i++)
		strcat(path, "/d");
	expect(path, 2);
}

static inline void long_name(const struct range_api *by)
{
	char *name = calloc(1, (1 << 20) + 1);
	char kept[1025] = "";

	for (int i = 0; i < 1 << 20; i += 2)
		memcpy(name + i, "é", 2);
	by->push(name);
	launch(small, NULL, 2);
	by->pop();
	memcpy(kept, name, 1020);
	strcat(kept, "…");
	expect(kept, 2);
	free(name);
}

/* Names with odd characters; tests/e2e/nvtx.sh knows what the trace must have of them. */
static inline void odd_names(const struct range_api *by)
{
	static const char *const names[] = {
		"a;b", "two\nlines", "not \xff\xfe UTF-8 \xc3", "tab\there", "\"quoted\" \\ {x}"};

	by->push("");
	launch(small, NULL, 1);
	by->pop();
	expect("(unnamed)", 1);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		by->push(names[i]);
		launch(small, NULL, 1);
		by->pop();
	}
}

/* ---- ranges that need not nest, and that any thread may end ---- */

static const struct range_api *ending_by;
static uint64_t ending_id;

static void *end_it(void *unused)
{
	ending_by->end(ending_id);
	return unused;
}

static inline void started_ranges(const struct range_api *by)
{
	uint64_t first = by->start("first"), second, twice;

	launch(small, NULL, 1);
	second = by->start("second");
	by->push("pushed");
	launch(small, NULL, 2);
	by->end(first);
	launch(small, NULL, 3);
	by->pop();
	launch(small, NULL, 4);
	by->end(second);
	by->end(second);
	by->end(123456789);
	launch_outside();
	expect("first", 1);
	expect("first/second/pushed", 2);
	expect("second/pushed", 3);
	expect("second", 4);

	ending_by = by;
	ending_id = by->start("ended elsewhere");
	launch(small, NULL, 5);
	in_thread(end_it, NULL);
	launch_outside();
	expect("ended elsewhere", 5);

	twice = by->start("never ended");
	by->push("within");
	launch(small, NULL, 6);
	by->pop();
	by->pop();
	expect("never ended/within", 6);
	launch(small, NULL, 7);
	expect("never ended", 7);
	by->end(twice);
}

static inline void all_ranges(const struct range_api *by)
{
	nested(by);
	never_popped(by);
	deep(by);
	long_name(by);
	odd_names(by);
	if (by->start)
		started_ranges(by);
}

static inline int end_ranges(void)
{
	expect("", outside);
	CHECK(cuCtxSynchronize);
	print_started();
	return 0;
}

#endif
