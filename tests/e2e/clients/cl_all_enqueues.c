/* SPDX-License-Identifier: MIT */
/*
 * Every clEnqueue* of OpenCL 3.0 that starts device work or orders it.  Prints one line
 * "enqueue <function>" per call that succeeded, "skip <function>..." for functions that the device
 * does not support, and the totals.
 */
#include "client.h"

#define BYTES 4096
#define SIDE 16

/* What every test uses: the queue, two buffers of BYTES, two SIDE × SIDE images of RGBA floats. */
static struct client client;
static cl_command_queue queue;
static cl_mem buffers[2];
static cl_mem images[2];
static char host[SIDE * SIDE * 16];

static const size_t origin[3] = {0, 0, 0};
static const size_t rect[3] = {16, 16, 1};
static const size_t square[3] = {SIDE, SIDE, 1};

#define NO_WAIT 0, NULL, NULL

#define SHOW(kind, function, ...)                                                                  \
	do {                                                                                       \
		ENQUEUE(kind, function, __VA_ARGS__);                                              \
		puts("enqueue " #function);                                                        \
	} while (0)

/* The device's capability, 0 where the device does not know the question. */
static cl_bitfield capability(cl_device_info what)
{
	cl_bitfield value = 0;

	clGetDeviceInfo(client.device, what, sizeof(value), &value, NULL);
	return value;
}

static void CL_CALLBACK native(void *arguments)
{
	(void)arguments;
}

static void kernels(void)
{
	const size_t global[] = {4, 2, 2}, local[] = {2, 1, 1}, offset[] = {1, 0, 0};
	cl_kernel empty = new_kernel(&client, "empty");

	for (cl_uint dimensions = 1; dimensions <= 3; dimensions++)
		SHOW(KERNEL, clEnqueueNDRangeKernel, queue, empty, dimensions, NULL, global, NULL,
			NO_WAIT);
	SHOW(KERNEL, clEnqueueNDRangeKernel, queue, empty, 3, offset, global, local, NO_WAIT);
	SHOW(KERNEL, clEnqueueTask, queue, empty, NO_WAIT);
	if (capability(CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_NATIVE_KERNEL)
		SHOW(KERNEL, clEnqueueNativeKernel, queue, native, NULL, 0, 0, NULL, NULL, NO_WAIT);
	else
		puts("skip clEnqueueNativeKernel");
	clReleaseKernel(empty);
}

static void buffer_copies(void)
{
	const cl_uint pattern = 7;

	SHOW(WRITE, clEnqueueWriteBuffer, queue, buffers[0], CL_FALSE, 0, BYTES, host, NO_WAIT);
	SHOW(WRITE, clEnqueueWriteBuffer, queue, buffers[0], CL_TRUE, 0, BYTES, host, NO_WAIT);
	SHOW(FILL, clEnqueueFillBuffer, queue, buffers[0], &pattern, sizeof(pattern), 0, BYTES,
		NO_WAIT);
	SHOW(COPY, clEnqueueCopyBuffer, queue, buffers[0], buffers[1], 0, 0, BYTES, NO_WAIT);
	SHOW(READ, clEnqueueReadBuffer, queue, buffers[1], CL_FALSE, 0, BYTES, host, NO_WAIT);
	SHOW(READ, clEnqueueReadBuffer, queue, buffers[1], CL_TRUE, 0, BYTES, host, NO_WAIT);
	if (memcmp(host, &pattern, sizeof(pattern)))
		fail("the buffer does not hold what it was filled with");
	SHOW(WRITE, clEnqueueWriteBufferRect, queue, buffers[0], CL_TRUE, origin, origin, rect, 64,
		0, 64, 0, host, NO_WAIT);
	SHOW(COPY, clEnqueueCopyBufferRect, queue, buffers[0], buffers[1], origin, origin, rect, 64,
		0, 64, 0, NO_WAIT);
	SHOW(READ, clEnqueueReadBufferRect, queue, buffers[1], CL_TRUE, origin, origin, rect, 64, 0,
		64, 0, host, NO_WAIT);
	SHOW(MIGRATE, clEnqueueMigrateMemObjects, queue, 2, buffers, 0, NO_WAIT);
}

static void image_copies(void)
{
	const cl_float color[4] = {1, 0, 0, 1};

	SHOW(FILL, clEnqueueFillImage, queue, images[0], color, origin, square, NO_WAIT);
	SHOW(COPY, clEnqueueCopyImage, queue, images[0], images[1], origin, origin, square,
		NO_WAIT);
	SHOW(COPY, clEnqueueCopyImageToBuffer, queue, images[1], buffers[0], origin, square, 0,
		NO_WAIT);
	SHOW(COPY, clEnqueueCopyBufferToImage, queue, buffers[0], images[1], 0, origin, square,
		NO_WAIT);
	SHOW(WRITE, clEnqueueWriteImage, queue, images[0], CL_TRUE, origin, square, 0, 0, host,
		NO_WAIT);
	SHOW(READ, clEnqueueReadImage, queue, images[1], CL_TRUE, origin, square, 0, 0, host,
		NO_WAIT);
	if (memcmp(host, color, sizeof(color)))
		fail("the image does not hold what it was filled with");
}

static void unmap(cl_mem memory, void *mapped)
{
	SHOW(UNMAP, clEnqueueUnmapMemObject, queue, memory, mapped, NO_WAIT);
}

/* Blocking, non-blocking, and without asking for the error. */
static void buffer_mappings(void)
{
	cl_int error;
	void *mapped = clEnqueueMapBuffer(
		queue, buffers[0], CL_TRUE, CL_MAP_READ, 0, BYTES, NO_WAIT, &error);

	count(MAP, error, "clEnqueueMapBuffer");
	puts("enqueue clEnqueueMapBuffer");
	unmap(buffers[0], mapped);

	mapped = clEnqueueMapBuffer(
		queue, buffers[0], CL_FALSE, CL_MAP_WRITE, 64, 64, NO_WAIT, NULL);
	count(MAP, mapped ? CL_SUCCESS : CL_MAP_FAILURE, "clEnqueueMapBuffer");
	puts("enqueue clEnqueueMapBuffer");
	unmap(buffers[0], mapped);
}

static void image_mapping(void)
{
	size_t row_pitch, slice_pitch;
	cl_int error;
	void *mapped = clEnqueueMapImage(queue, images[0], CL_TRUE, CL_MAP_READ, origin, square,
		&row_pitch, &slice_pitch, NO_WAIT, &error);

	count(MAP, error, "clEnqueueMapImage");
	puts("enqueue clEnqueueMapImage");
	unmap(images[0], mapped);
}

static void images_of_all_kinds(void)
{
	const cl_image_format format = {CL_RGBA, CL_FLOAT};
	const cl_image_desc shape = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
	cl_int error;

	if (!capability(CL_DEVICE_IMAGE_SUPPORT)) {
		puts("skip clEnqueueFillImage clEnqueueCopyImage clEnqueueCopyImageToBuffer "
		     "clEnqueueCopyBufferToImage clEnqueueWriteImage clEnqueueReadImage "
		     "clEnqueueMapImage");
		return;
	}
	for (size_t i = 0; i < COUNT_OF(images); i++) {
		images[i] = clCreateImage(
			client.context, CL_MEM_READ_WRITE, &format, &shape, NULL, &error);
		check(error, "clCreateImage");
	}
	image_copies();
	image_mapping();
	for (size_t i = 0; i < COUNT_OF(images); i++)
		clReleaseMemObject(images[i]);
}

static void shared_virtual_memory(void)
{
	const cl_uint pattern = 7;
	void *from, *to;

	if (!(capability(CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) {
		puts("skip clEnqueueSVMMap clEnqueueSVMUnmap clEnqueueSVMMemFill"
		     " clEnqueueSVMMemcpy"
		     " clEnqueueSVMMigrateMem clEnqueueSVMFree");
		return;
	}
	from = clSVMAlloc(client.context, CL_MEM_READ_WRITE, BYTES, 0);
	to = clSVMAlloc(client.context, CL_MEM_READ_WRITE, BYTES, 0);
	if (!from || !to)
		fail("clSVMAlloc failed");
	SHOW(MAP, clEnqueueSVMMap, queue, CL_TRUE, CL_MAP_WRITE, from, BYTES, NO_WAIT);
	SHOW(UNMAP, clEnqueueSVMUnmap, queue, from, NO_WAIT);
	SHOW(FILL, clEnqueueSVMMemFill, queue, from, &pattern, sizeof(pattern), BYTES, NO_WAIT);
	SHOW(COPY, clEnqueueSVMMemcpy, queue, CL_TRUE, to, from, BYTES, NO_WAIT);
	SHOW(MIGRATE, clEnqueueSVMMigrateMem, queue, 1, (const void **)&to, NULL, 0, NO_WAIT);
	SHOW(FREE, clEnqueueSVMFree, queue, 1, &from, NULL, NULL, NO_WAIT);
	clFinish(queue);
	clSVMFree(client.context, to);
}

/* PoCL ends the program in what it does not implement. */
static bool is_pocl(void)
{
	char version[256] = "";

	clGetDeviceInfo(client.device, CL_DEVICE_VERSION, sizeof(version), version, NULL);
	return strstr(version, "PoCL");
}

static void orders(void)
{
	cl_event events[3];

	SHOW(SYNC, clEnqueueMarkerWithWaitList, queue, 0, NULL, &events[0]);
	SHOW(SYNC, clEnqueueBarrierWithWaitList, queue, 1, &events[0], &events[1]);
	SHOW(SYNC, clEnqueueMarker, queue, &events[2]);
	if (is_pocl())
		puts("skip clEnqueueWaitForEvents");
	else
		SHOW(SYNC, clEnqueueWaitForEvents, queue, 3, events);
	SHOW(SYNC, clEnqueueBarrier, queue);
	check(clWaitForEvents(3, events), "clWaitForEvents");
	for (size_t i = 0; i < COUNT_OF(events); i++)
		clReleaseEvent(events[i]);
}

int main(void)
{
	client = client_open(first_device());
	queue = new_queue(&client, 0);
	for (size_t i = 0; i < COUNT_OF(buffers); i++)
		buffers[i] = new_buffer(&client, BYTES);

	kernels();
	buffer_copies();
	buffer_mappings();
	images_of_all_kinds();
	shared_virtual_memory();
	orders();
	check(clFinish(queue), "clFinish");

	for (size_t i = 0; i < COUNT_OF(buffers); i++)
		clReleaseMemObject(buffers[i]);
	clReleaseCommandQueue(queue);
	client_close(&client);
	print_started();
	return 0;
}
