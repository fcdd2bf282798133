/* SPDX-License-Identifier: MIT */
/*
 * Kernels launched along known call paths.  Prints "path N A;B;C" for each: how many kernels C
 * launched that B called that A called; "*" stands for any functions.
 *
 *	cl_stacks [PLUGIN]	this file built as a library, to be called through
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "client.h"

#define NOINLINE __attribute__((noinline))

/* What a compiler would make a jump of stays a call. */
#define STAYS() __asm__ volatile("" ::: "memory")

/* ---- the library: calls back ---- */

NOINLINE static void plugin_inner(void (*call)(void))
{
	call();
	STAYS();
}

__attribute__((visibility("default"))) void plugin_call(void (*call)(void));
__attribute__((visibility("default"))) void plugin_call(void (*call)(void))
{
	plugin_inner(call);
	STAYS();
}

/* ---- the program ---- */

static struct client client;
static cl_command_queue queue;
static cl_kernel kernel;

static void expect(unsigned kernels, const char *path)
{
	printf("path %u %s\n", kernels, path);
}

static inline __attribute__((always_inline)) void inlined_launch(void)
{
	launch(queue, kernel, 1, 0, NULL, NULL);
}

NOINLINE static void leaf(void)
{
	inlined_launch();
	STAYS();
}

NOINLINE static void outer(unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		leaf();
	STAYS();
}

/* The same function at the same depth of the stack, from two callers. */
NOINLINE static void first_caller(void)
{
	leaf();
	STAYS();
}

NOINLINE static void second_caller(void)
{
	leaf();
	/* Or it would be the same code. */
	__asm__ volatile("nop");
}

static void alternating(void)
{
	for (int i = 0; i < 5; i++) {
		first_caller();
		second_caller();
	}
	expect(5, "main;alternating;first_caller;leaf;inlined_launch;launch");
	expect(5, "main;alternating;second_caller;leaf;inlined_launch;launch");
}

NOINLINE static void recursive(unsigned depth)
{
	if (depth)
		recursive(depth - 1);
	else
		leaf();
	STAYS();
}

/* Where frames have no fixed size, the same return addresses stand elsewhere each time. */
NOINLINE static void varying(unsigned bytes)
{
	volatile char *room = __builtin_alloca(bytes);

	room[0] = 1;
	leaf();
	room[bytes - 1] = 1;
	STAYS();
}

static void *thread(void *times)
{
	outer(*(unsigned *)times);
	return NULL;
}

NOINLINE static void in_threads(void)
{
	unsigned times = 7;
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, thread, &times))
			fail("no thread");
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	expect(28, "thread;outer;leaf;inlined_launch;launch");
}

NOINLINE static void by_plugin(const char *path)
{
	void (*call)(void (*)(void));
	void *library;

	/* The second time it may lie elsewhere, or in another's place. */
	for (int turn = 0; turn < 2; turn++) {
		library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (!library)
			fail("%s", dlerror());
		call = (void (*)(void (*)(void)))dlsym(library, "plugin_call");
		call(leaf);
		clFinish(queue);
		dlclose(library);
	}
	expect(2, "main;by_plugin;plugin_call;plugin_inner;leaf;inlined_launch;launch");
}

static void on_signal(int number)
{
	(void)number;
	leaf();
	STAYS();
}

NOINLINE static void in_signal_handler(void)
{
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	expect(1, "main;in_signal_handler;*;on_signal;leaf;inlined_launch;launch");
}

/* ---- stacks of the program's own ---- */

static ucontext_t fiber_context, main_context;

NOINLINE static void fiber(void)
{
	outer(2);
	STAYS();
}

NOINLINE static void in_fiber(void)
{
	enum { STACK_BYTES = 1 << 18 };
	void *stack =
		mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (stack == MAP_FAILED)
		fail("no stack");
	for (int turn = 0; turn < 2; turn++) {
		getcontext(&fiber_context);
		fiber_context.uc_stack.ss_sp = stack;
		fiber_context.uc_stack.ss_size = STACK_BYTES;
		fiber_context.uc_link = &main_context;
		makecontext(&fiber_context, fiber, 0);
		swapcontext(&main_context, &fiber_context);
	}
	munmap(stack, STACK_BYTES);
	expect(4, "fiber;outer;leaf;inlined_launch;launch");
}

/* ---- code that was made at run time, without unwind tables ---- */

#if defined(__x86_64__)
NOINLINE static void through(void (*code)(void (*)(void)))
{
	code(leaf);
	STAYS();
}

static void by_made_code(void)
{
	/* push %rbp; mov %rsp, %rbp; call *%rdi; pop %rbp; ret */
	static const unsigned char with_frame_pointer[] = {
		0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
	/* push %rbp; mov $16, %rbp; call *%rdi; pop %rbp; ret */
	static const unsigned char with_broken_one[] = {
		0x55, 0x48, 0xc7, 0xc5, 0x10, 0, 0, 0, 0xff, 0xd7, 0x5d, 0xc3};
	/* push %rbp; mov %rsp, %rbp; add $0x7000, %rbp; call *%rdi; pop %rbp; ret */
	static const unsigned char with_wrong_one[] = {
		0x55, 0x48, 0x89, 0xe5, 0x48, 0x81, 0xc5, 0, 0x70, 0, 0, 0xff, 0xd7, 0x5d, 0xc3};
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		fail("no page");
	memcpy(page, with_frame_pointer, sizeof(with_frame_pointer));
	memcpy(page + 256, with_broken_one, sizeof(with_broken_one));
	memcpy(page + 512, with_wrong_one, sizeof(with_wrong_one));
	mprotect(page, 4096, PROT_READ | PROT_EXEC);
	for (int i = 0; i < 3; i++)
		through((void (*)(void (*)(void)))page);
	through((void (*)(void (*)(void)))(page + 256));
	through((void (*)(void (*)(void)))(page + 512));
	munmap(page, 4096);
	expect(3, "main;by_made_code;through;(code without a file);leaf;inlined_launch;launch");
	/* Where frame pointers lead nowhere, the path begins there. */
	expect(2, "(code without a file);leaf;inlined_launch;launch");
}
#else
static void by_made_code(void)
{
}
#endif

int main(int argc, char **argv)
{
	client = client_open(first_device());
	queue = new_queue(&client, 0);
	kernel = new_kernel(&client, "empty");

	leaf();
	expect(1, "main;leaf;inlined_launch;launch");
	outer(3);
	expect(3, "main;outer;leaf;inlined_launch;launch");
	alternating();
	recursive(3);
	expect(1, "main;recursive;recursive;recursive;recursive;leaf;inlined_launch;launch");
	recursive(1000);
	expect(1, "(more frames);recursive;*;leaf;inlined_launch;launch");
	for (unsigned bytes = 16; bytes < 4096; bytes += 48)
		varying(bytes);
	expect(85, "main;varying;leaf;inlined_launch;launch");
	in_threads();
	if (argc > 1)
		by_plugin(argv[1]);
	in_signal_handler();
	in_fiber();
	by_made_code();
	check(clFinish(queue), "clFinish");
	clReleaseKernel(kernel);
	clReleaseCommandQueue(queue);
	client_close(&client);
	print_started();
	return 0;
}
