/* SPDX-License-Identifier: MIT */
/*
 * Orders of execution and of release that a tracer could get wrong, and what a program can ask of
 * its queues and events.  Prints "<test>: <what the program saw>" lines and the totals.
 *
 *	cl_order [--threads N]		N threads, each with queues of its own (default 4)
 */
#include <pthread.h>

#include "client.h"

#define ITEMS 64
#define LAUNCHES_PER_THREAD 250

static struct client client;

static void close_queue(cl_command_queue queue)
{
	check(clFinish(queue), "clFinish");
	clReleaseCommandQueue(queue);
}

static cl_kernel new_add_one(cl_mem numbers)
{
	cl_kernel kernel = new_kernel(&client, "add_one");

	check(clSetKernelArg(kernel, 0, sizeof(numbers), &numbers), "clSetKernelArg");
	return kernel;
}

static cl_uint first_number(cl_command_queue queue, cl_mem numbers, const cl_event *after)
{
	cl_uint first;

	ENQUEUE(READ, clEnqueueReadBuffer, queue, numbers, CL_TRUE, 0, sizeof(first), &first, 1,
		after, NULL);
	return first;
}

static cl_event fill_with_zeros(cl_command_queue queue, cl_mem numbers)
{
	const cl_uint zero = 0;
	cl_event filled;

	ENQUEUE(FILL, clEnqueueFillBuffer, queue, numbers, &zero, sizeof(zero), 0,
		ITEMS * sizeof(zero), 0, NULL, &filled);
	return filled;
}

/* A chain through wait lists alone in a queue that keeps no order by itself. */
static void out_of_order(void)
{
	cl_command_queue queue = new_queue(&client, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_mem numbers = new_buffer(&client, ITEMS * sizeof(cl_uint));
	cl_kernel add_one = new_add_one(numbers);
	cl_event events[5] = {fill_with_zeros(queue, numbers)};

	for (size_t i = 1; i < COUNT_OF(events); i++)
		launch(queue, add_one, ITEMS, i, events, &events[i]);
	printf("out_of_order: %u\n", first_number(queue, numbers, &events[4]));
	for (size_t i = 0; i < COUNT_OF(events); i++)
		clReleaseEvent(events[i]);
	clReleaseKernel(add_one);
	clReleaseMemObject(numbers);
	close_queue(queue);
}

/* Work that may not begin before the program says so, long after it was enqueued. */
static void user_event(void)
{
	cl_command_queue queue = new_queue(&client, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_mem numbers = new_buffer(&client, ITEMS * sizeof(cl_uint));
	cl_kernel add_one = new_add_one(numbers);
	cl_event filled = fill_with_zeros(queue, numbers);
	cl_int error, status;
	cl_event gate = clCreateUserEvent(client.context, &error);
	cl_event done;

	check(error, "clCreateUserEvent");
	check(clWaitForEvents(1, &filled), "clWaitForEvents");
	launch(queue, add_one, ITEMS, 1, &gate, &done);
	ENQUEUE(SYNC, clEnqueueMarkerWithWaitList, queue, 1, &done, NULL);
	check(clFlush(queue), "clFlush");
	launch_empty(&client, queue, 10);
	clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
	printf("user_event: %s before the gate opens,",
		status == CL_COMPLETE ? "complete" : "incomplete");
	check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	printf(" %u after\n", first_number(queue, numbers, &done));
	clReleaseEvent(gate);
	clReleaseEvent(done);
	clReleaseEvent(filled);
	clReleaseKernel(add_one);
	clReleaseMemObject(numbers);
	close_queue(queue);
}

static void CL_CALLBACK count_callback(cl_event event, cl_int status, void *data)
{
	(void)event;
	atomic_fetch_add((_Atomic unsigned *)data, status == CL_COMPLETE);
}

/* An event of the program's own, with a callback and with times where it asked for them. */
static void own_event(const char *test, cl_command_queue_properties properties)
{
	static _Atomic unsigned callbacks;
	cl_command_queue queue = new_queue(&client, properties);
	cl_mem numbers = new_buffer(&client, ITEMS * sizeof(cl_uint));
	cl_event filled = fill_with_zeros(queue, numbers);
	cl_ulong times[4] = {0};
	cl_int error = CL_SUCCESS;

	callbacks = 0;
	check(clSetEventCallback(filled, CL_COMPLETE, count_callback, &callbacks),
		"clSetEventCallback");
	check(clFinish(queue), "clFinish");
	while (!callbacks)
		;
	for (size_t i = 0; i < COUNT_OF(times) && !error; i++)
		error = clGetEventProfilingInfo(
			filled, CL_PROFILING_COMMAND_QUEUED + i, sizeof(times[i]), &times[i], NULL);
	printf("%s: callbacks %u, profiling error %d, in order %d\n", test, callbacks, error,
		times[0] <= times[1] && times[1] <= times[2] && times[2] <= times[3]);
	clReleaseEvent(filled);
	clReleaseMemObject(numbers);
	close_queue(queue);
}

/* What is released straight after the enqueue that uses it, in an order per round. */
static void early_release(void)
{
	for (int round = 0; round < 4; round++) {
		struct client own = client_open(client.device);
		cl_command_queue queue = new_queue(&own, 0);
		cl_kernel empty = new_kernel(&own, "empty");
		cl_event event;

		launch(queue, empty, 1, 0, NULL, &event);
		if (round & 1)
			clReleaseEvent(event);
		clReleaseKernel(empty);
		clReleaseProgram(own.program);
		check(clFlush(queue), "clFlush");
		if (round & 2)
			clReleaseContext(own.context);
		clReleaseCommandQueue(queue);
		if (!(round & 2))
			clReleaseContext(own.context);
		if (!(round & 1)) {
			check(clWaitForEvents(1, &event), "clWaitForEvents");
			clReleaseEvent(event);
		}
	}
}

/* Two parts of the device share a context; each has a queue. */
static void sub_devices(void)
{
	static const cl_device_partition_property halves[] = {
		CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
	cl_device_id parts[2];
	cl_int error = clCreateSubDevices(client.device, halves, 2, parts, NULL);
	cl_context context;

	if (error) {
		printf("sub_devices: unsupported\n");
		return;
	}
	context = clCreateContext(NULL, 2, parts, NULL, NULL, &error);
	check(error, "clCreateContext");
	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		cl_command_queue queue = clCreateCommandQueue(context, parts[i], 0, &error);
		cl_mem numbers = clCreateBuffer(
			context, CL_MEM_READ_WRITE, ITEMS * sizeof(cl_uint), NULL, &error);
		cl_event filled = fill_with_zeros(queue, numbers);

		printf("sub_devices: %u\n", first_number(queue, numbers, &filled));
		clReleaseEvent(filled);
		clReleaseMemObject(numbers);
		close_queue(queue);
		clReleaseDevice(parts[i]);
	}
	clReleaseContext(context);
}

static void print_queue(const char *test, cl_command_queue queue)
{
	cl_command_queue_properties properties = 0;
	cl_queue_properties array[16];
	size_t bytes = 0;

	clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof(properties), &properties, NULL);
	clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof(array), array, &bytes);
	printf("%s: profiling %d, out of order %d, array", test,
		!!(properties & CL_QUEUE_PROFILING_ENABLE),
		!!(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
	for (size_t i = 0; i < bytes / sizeof(*array); i++)
		printf(" %#llx", (unsigned long long)array[i]);
	putchar('\n');
}

/* Every way to make a queue, and what the program is told about it afterwards. */
static void queue_properties(void)
{
	static const cl_queue_properties none[] = {0}, zero[] = {CL_QUEUE_PROPERTIES, 0, 0},
					 profiling[] = {CL_QUEUE_PROPERTIES,
						 CL_QUEUE_PROFILING_ENABLE, 0},
					 both[] = {CL_QUEUE_PROPERTIES,
						 CL_QUEUE_PROFILING_ENABLE |
							 CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
						 0};
	static const cl_queue_properties *const lists[] = {NULL, none, zero, profiling, both};
	static const cl_command_queue_properties words[] = {
		0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
	cl_command_queue queue;
	cl_int error;

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		queue = new_queue(&client, words[i]);
		print_queue("clCreateCommandQueue", queue);
		launch_empty(&client, queue, 1);
		close_queue(queue);
	}
	for (size_t i = 0; i < COUNT_OF(lists); i++) {
		queue = clCreateCommandQueueWithProperties(
			client.context, client.device, lists[i], &error);
		check(error, "clCreateCommandQueueWithProperties");
		print_queue("clCreateCommandQueueWithProperties", queue);
		launch_empty(&client, queue, 1);
		close_queue(queue);
	}
}

/* Calls that fail start nothing and count for nothing. */
static void errors(void)
{
	const size_t one = 1;
	cl_command_queue queue = new_queue(&client, 0);
	cl_mem buffer = new_buffer(&client, 1);
	cl_kernel empty = new_kernel(&client, "empty");
	char byte;
	cl_int error;

	printf("errors: %d",
		clEnqueueNDRangeKernel(queue, empty, 4, NULL, &one, NULL, 0, NULL, NULL));
	printf(" %d", clEnqueueReadBuffer(queue, buffer, CL_TRUE, 1, 1, &byte, 0, NULL, NULL));
	clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 1, 1, 0, NULL, NULL, &error);
	printf(" %d", error);
	clCreateCommandQueue(client.context, client.device, 1 << 20, &error);
	printf(" %d", error);
	clCreateKernel(client.program, "no_such_kernel", &error);
	printf(" %d %d\n", error, clFinish(NULL));
	clReleaseKernel(empty);
	clReleaseMemObject(buffer);
	close_queue(queue);
}

static void *thread_main(void *unused)
{
	cl_command_queue queues[2] = {
		new_queue(&client, 0), new_queue(&client, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};

	for (size_t i = 0; i < LAUNCHES_PER_THREAD; i++)
		launch_empty(&client, queues[i % COUNT_OF(queues)], 1);
	for (size_t i = 0; i < COUNT_OF(queues); i++)
		close_queue(queues[i]);
	return unused;
}

static void threads(size_t count_of_threads)
{
	pthread_t *thread = calloc(count_of_threads, sizeof(*thread));

	for (size_t i = 0; i < count_of_threads; i++)
		if (!thread || pthread_create(&thread[i], NULL, thread_main, NULL))
			fail("%zu threads are too many", count_of_threads);
	for (size_t i = 0; i < count_of_threads; i++)
		pthread_join(thread[i], NULL);
	free(thread);
}

int main(int argc, char **argv)
{
	client = client_open(first_device());
	early_release();
	out_of_order();
	user_event();
	own_event("own_event", 0);
	own_event("own_event with profiling", CL_QUEUE_PROFILING_ENABLE);
	sub_devices();
	queue_properties();
	errors();
	threads(argc == 3 && !strcmp(argv[1], "--threads") ? number(argv[2]) : 4);
	client_close(&client);
	print_started();
	return 0;
}
