/* SPDX-License-Identifier: MIT */
/*
 * A program whose kernels change memory in place, to be replayed or not.
 *
 *	cl_replay [CASE]
 *
 * It launches a kernel 10 times and prints what its buffer holds afterwards.  CASE is what else it
 * does, a row of the table below.
 */
#include <time.h>

#include "client.h"

#define ELEMENTS 65536
#define LAUNCHES 10

static const char twice_source[] = "kernel void twice(global uint *numbers)\n"
				   "{\n"
				   "	size_t i = get_global_id(0);\n"
				   "	numbers[i] = numbers[i] * 2 + 1;\n"
				   "}\n";
static const char printing_source[] = "kernel void twice(global uint *numbers)\n"
				      "{\n"
				      "	size_t i = get_global_id(0);\n"
				      "	numbers[i] = numbers[i] * 2 + 1;\n"
				      "	if (i == 7)\n"
				      "		printf(\"%u\\n\", numbers[i]);\n"
				      "}\n";
/* Work-items take numbers by a counter in the first, and leave those beside it alone. */
static const char sharing_source[] =
	"kernel void twice(global uint *numbers)\n"
	"{\n"
	"	size_t i = get_global_id(0) < 16 ? 0 : atomic_inc(numbers) + 16;\n"
	"	if (i >= get_global_size(0))\n"
	"		i <<= 40;\n"
	"	if (i)\n"
	"		numbers[i] = numbers[i] * 2 + 1;\n"
	"}\n";

static const char *source = twice_source;
static bool sets_counter;
static cl_context context;
static cl_command_queue queue, other;
static cl_mem buffer;
static cl_event first;

static void plain(void)
{
}

static void prints(void)
{
	source = printing_source;
}

static void shares_out(void)
{
	source = sharing_source;
	sets_counter = true;
}

static void svm(void)
{
	if (!clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0))
		fail("no shared virtual memory");
}

static void image(void)
{
	const cl_image_format format = {CL_RGBA, CL_FLOAT};
	const cl_image_desc description = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};

	if (!clCreateImage(context, CL_MEM_WRITE_ONLY, &format, &description, NULL, NULL))
		fail("no image");
}

static void mapped(void)
{
	cl_int error;

	clEnqueueMapBuffer(other, buffer, CL_TRUE, CL_MAP_READ, 0, 4096, 0, NULL, NULL, &error);
	count(MAP, error, "clEnqueueMapBuffer");
}

/* A buffer that was released is not saved any more. */
static void released(void)
{
	cl_mem spare = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);

	check(clRetainMemObject(spare), "clRetainMemObject");
	check(clReleaseMemObject(spare), "clReleaseMemObject");
	check(clReleaseMemObject(spare), "clReleaseMemObject");
}

static void CL_CALLBACK note_end(cl_mem memory, void *ended)
{
	(void)memory;
	__atomic_store_n((bool *)ended, true, __ATOMIC_RELEASE);
}

/* A queue and a buffer that are released while a command in flight holds them, are gone once it has
 * ended. */
static void released_early(void)
{
	static bool ended;
	cl_command_queue early = clCreateCommandQueue(context, first_device(), 0, NULL);
	cl_mem spare = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, NULL);
	cl_event begin = clCreateUserEvent(context, NULL), end;
	cl_uint zero = 0;

	check(clSetMemObjectDestructorCallback(spare, note_end, &ended),
		"clSetMemObjectDestructorCallback");
	ENQUEUE(FILL, clEnqueueFillBuffer, early, spare, &zero, sizeof(zero), 0, 4096, 1, &begin,
		&end);
	check(clReleaseMemObject(spare), "clReleaseMemObject");
	check(clFlush(early), "clFlush");
	check(clReleaseCommandQueue(early), "clReleaseCommandQueue");
	check(clSetUserEventStatus(begin, CL_COMPLETE), "clSetUserEventStatus");
	check(clWaitForEvents(1, &end), "clWaitForEvents");
	clReleaseEvent(begin);
	clReleaseEvent(end);
	while (!__atomic_load_n(&ended, __ATOMIC_ACQUIRE))
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* The host lets the launches begin. */
static void awaited(void)
{
	first = clCreateUserEvent(context, NULL);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{"plain", plain},
	{"prints", prints},
	{"shares_out", shares_out},
	{"svm", svm},
	{"image", image},
	{"mapped", mapped},
	{"released", released},
	{"released_early", released_early},
	{"awaited", awaited},
};

static void run_case(const char *name)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		if (strcmp(cases[i].name, name) == 0) {
			cases[i].run();
			return;
		}
	}
	fail("%s: no such case", name);
}

static cl_kernel build(cl_device_id device)
{
	cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);

	check(clBuildProgram(program, 1, &device, NULL, NULL, NULL), "clBuildProgram");
	return clCreateKernel(program, "twice", NULL);
}

int main(int argc, char **argv)
{
	static cl_uint numbers[ELEMENTS];
	cl_device_id device = first_device();
	size_t elements = ELEMENTS;
	cl_kernel kernel;
	cl_uint sum = 0, none = 0;

	context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	queue = clCreateCommandQueue(context, device, 0, NULL);
	other = clCreateCommandQueue(context, device, 0, NULL);
	buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(numbers), NULL, NULL);
	for (cl_uint i = 0; i < ELEMENTS; i++)
		numbers[i] = i;
	ENQUEUE(WRITE, clEnqueueWriteBuffer, queue, buffer, CL_TRUE, 0, sizeof(numbers), numbers, 0,
		NULL, NULL);
	run_case(argc > 1 ? argv[1] : "plain");
	kernel = build(device);
	check(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "clSetKernelArg");
	for (int i = 0; i < LAUNCHES; i++) {
		if (sets_counter)
			ENQUEUE(WRITE, clEnqueueWriteBuffer, queue, buffer, CL_TRUE, 0,
				sizeof(none), &none, 0, NULL, NULL);
		ENQUEUE(KERNEL, clEnqueueNDRangeKernel, queue, kernel, 1, NULL, &elements, NULL,
			first ? 1 : 0, first ? &first : NULL, NULL);
	}
	if (first)
		check(clSetUserEventStatus(first, CL_COMPLETE), "clSetUserEventStatus");
	ENQUEUE(READ, clEnqueueReadBuffer, queue, buffer, CL_TRUE, 0, sizeof(numbers), numbers, 0,
		NULL, NULL);
	for (int i = 0; i < ELEMENTS; i++)
		sum = sum * 31 + numbers[i];
	printf("sum: %u\n", sum);
	print_started();
	clReleaseKernel(kernel);
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(other);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
