/* SPDX-License-Identifier: MIT */
/*
 * Layers pushed by two threads.  Prints, per layer, how many kernels and copies were launched while
 * it was the innermost one ("layer kernels=N copies=N path=A/B", an empty path for none), the paths
 * that must not appear because nothing was launched inside ("absent path=A/B"), the marks, and the
 * totals.
 */
#include <pthread.h>

#include <pwrtrace/pwrtrace.h>

#include "client.h"

#define ITEMS 1024

static struct client client;

static void expect(const char *path, unsigned kernels, unsigned copies)
{
	printf("layer kernels=%u copies=%u path=%s\n", kernels, copies, path);
}

static void mark(const char *name, double value, const char *unit)
{
	pwrtrace_mark(name, value, unit);
	printf("mark name=%s value=%g unit=%s\n", name, value, unit);
}

static void write_once(cl_command_queue queue, cl_mem numbers)
{
	const cl_uint zero = 0;

	ENQUEUE(WRITE, clEnqueueWriteBuffer, queue, numbers, CL_TRUE, 0, sizeof(zero), &zero, 0,
		NULL, NULL);
}

/* Layers within layers, the same name in two places and twice in a row, launches between them. */
static void nesting(cl_command_queue queue, cl_mem numbers)
{
	launch_empty(&client, queue, 2);
	for (int turn = 0; turn < 3; turn++) {
		pwrtrace_push("outer");
		launch_empty(&client, queue, 1);
		pwrtrace_push("inner");
		launch_empty(&client, queue, 3);
		write_once(queue, numbers);
		pwrtrace_push("inner");
		launch_empty(&client, queue, 1);
		pwrtrace_pop();
		pwrtrace_pop();
		launch_empty(&client, queue, 1);
		mark("turn", turn, "");
		pwrtrace_pop();
	}
	pwrtrace_push("inner");
	launch_empty(&client, queue, 5);
	pwrtrace_pop();
	launch_empty(&client, queue, 2);
	expect("outer", 6, 0);
	expect("outer/inner", 9, 3);
	expect("outer/inner/inner", 3, 0);
	expect("inner", 5, 0);
}

/* Nothing is launched in the innermost layer; one pop too many does nothing. */
static void empty_ranges(cl_command_queue queue)
{
	pwrtrace_push("sparse");
	pwrtrace_push("nothing here");
	pwrtrace_pop();
	launch_empty(&client, queue, 1);
	pwrtrace_pop();
	pwrtrace_pop();
	pwrtrace_push("nothing at all");
	pwrtrace_pop();
	expect("sparse", 1, 0);
	puts("absent path=sparse/nothing here");
	puts("absent path=nothing at all");
}

/* The name may change as soon as the push has returned. */
static void borrowed_name(cl_command_queue queue)
{
	char name[] = "name 0";

	for (; name[5] < '2'; name[5]++) {
		pwrtrace_push(name);
		memset(name, 'x', 4);
		launch_empty(&client, queue, 1);
		memcpy(name, "name", 4);
		pwrtrace_pop();
	}
	expect("name 0", 1, 0);
	expect("name 1", 1, 0);
}

/* A kernel that only begins to run, and runs long, after its layer was popped and another opened.
 */
static void late_kernel(cl_mem numbers)
{
	const cl_uint turns = 1 << 18;
	const size_t items = ITEMS;
	cl_command_queue gated = new_queue(&client, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_command_queue other = new_queue(&client, 0);
	cl_kernel spin = new_kernel(&client, "spin");
	cl_int error;
	cl_event gate = clCreateUserEvent(client.context, &error);

	check(error, "clCreateUserEvent");
	check(clSetKernelArg(spin, 0, sizeof(numbers), &numbers), "clSetKernelArg");
	check(clSetKernelArg(spin, 1, sizeof(turns), &turns), "clSetKernelArg");
	pwrtrace_push("gated");
	launch(gated, spin, items, 1, &gate, NULL);
	check(clFlush(gated), "clFlush");
	pwrtrace_pop();
	pwrtrace_push("later");
	launch_empty(&client, other, 2);
	check(clFinish(other), "clFinish");
	check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	check(clFinish(gated), "clFinish");
	pwrtrace_pop();
	expect("gated", 1, 0);
	expect("later", 2, 0);
	clReleaseEvent(gate);
	clReleaseKernel(spin);
	clReleaseCommandQueue(other);
	clReleaseCommandQueue(gated);
}

/* Runs while the main thread has a layer open: it is not this thread's. */
static void *second_thread(void *queue)
{
	launch_empty(&client, queue, 3);
	pwrtrace_push("second");
	launch_empty(&client, queue, 4);
	mark("items", 2.5, "item");
	pwrtrace_pop();
	return NULL;
}

static void two_threads(cl_command_queue queue)
{
	pthread_t second;

	pwrtrace_push("first");
	launch_empty(&client, queue, 1);
	if (pthread_create(&second, NULL, second_thread, queue))
		fail("no second thread");
	pthread_join(second, NULL);
	launch_empty(&client, queue, 1);
	pwrtrace_pop();
	expect("first", 2, 0);
	expect("second", 4, 0);
}

int main(void)
{
	cl_command_queue queue;
	cl_mem numbers;

	/* Open before the first use of the device. */
	pwrtrace_push("program");
	client = client_open(first_device());
	queue = new_queue(&client, 0);
	numbers = new_buffer(&client, ITEMS * sizeof(cl_uint));
	launch_empty(&client, queue, 1);
	pwrtrace_pop();
	expect("program", 1, 0);

	nesting(queue, numbers);
	empty_ranges(queue);
	borrowed_name(queue);
	late_kernel(numbers);
	two_threads(queue);
	/* 4 around the nested layers, 3 of the second thread. */
	expect("", 7, 0);
	check(clFinish(queue), "clFinish");

	clReleaseMemObject(numbers);
	clReleaseCommandQueue(queue);
	client_close(&client);
	print_started();
	return 0;
}
