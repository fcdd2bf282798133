/* SPDX-License-Identifier: MIT */
/* CUDA's streams, and its events for event pairs. */
#include "preload/engine/gpu/cuda/cuda.h"

/* The home of events is the context, because the driver crashes on events of a destroyed one.
 * Contexts have an id since CUDA 12; 0 before. */
static struct event_home current_context(void *stream)
{
	struct event_home home = {NULL, 0};

	(void)stream;
	if (CUDA(cuCtxGetCurrent)(&home.handle) != CUDA_SUCCESS)
		return (struct event_home){NULL, 0};
	if (CUDA(cuCtxGetId))
		CUDA(cuCtxGetId)(home.handle, &home.id);
	return home;
}

_Static_assert(CU_STREAM_CAPTURE_MODE_RELAXED == CAPTURE_MODE_RELAXED, "as event_pairs.h says");

static int exchange_capture_mode(int mode)
{
	if (CUDA(cuThreadExchangeStreamCaptureMode))
		CUDA(cuThreadExchangeStreamCaptureMode)(&mode);
	return mode;
}

static void *create(struct event_home home)
{
	CUevent event;

	(void)home;
	return CUDA(cuEventCreate)(&event, CU_EVENT_DEFAULT) == CUDA_SUCCESS ? event : NULL;
}

static void destroy(void *event)
{
	CUDA(cuEventDestroy_v2)(event);
}

static bool record(void *event, void *stream)
{
	return CUDA(cuEventRecord)(event, stream) == CUDA_SUCCESS;
}

static enum gpu_progress query(void *event)
{
	CUresult state = CUDA(cuEventQuery)(event);

	return state == CUDA_SUCCESS                      ? GPU_FINISHED
	       : state == CUDA_ERROR_NOT_READY            ? GPU_RUNNING
	       : state == CUDA_ERROR_CONTEXT_IS_DESTROYED ? GPU_GONE
							  : GPU_FAILED;
}

static int elapsed_ms(float *ms, void *begin, void *end)
{
	return CUDA(cuEventElapsedTime)(ms, begin, end);
}

static bool enter(struct event_home home)
{
	return CUDA(cuCtxPushCurrent_v2)(home.handle) == CUDA_SUCCESS;
}

static void leave(void)
{
	CUDA(cuCtxPopCurrent_v2)(&(CUcontext){NULL});
}

static void *new_stream(void)
{
	CUstream stream;

	return CUDA(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS ? stream
										     : NULL;
}

static const struct event_api events = {
	.name = "CUDA",
	.of_contexts = true,
	.home = current_context,
	.create = create,
	.destroy = destroy,
	.record = record,
	.query = query,
	.elapsed_ms = elapsed_ms,
	.enter = enter,
	.leave = leave,
	.new_stream = new_stream,
	.exchange_capture_mode = exchange_capture_mode,
};

/* ---- streams ---- */

static struct handles streams;

static bool place(void *stream, uint32_t *device, void **default_of)
{
	CUdevice ordinal;

	(void)stream;
	if (CUDA(cuCtxGetDevice)(&ordinal) != CUDA_SUCCESS)
		return false;
	*device = cuda_device(ordinal);
	CUDA(cuCtxGetCurrent)(default_of);
	return true;
}

static bool is_capturing(void *stream)
{
	int status = CU_STREAM_CAPTURE_STATUS_NONE;

	return CUDA(cuStreamIsCapturing) &&
	       (CUDA(cuStreamIsCapturing)(stream, &status) != CUDA_SUCCESS ||
		       status != CU_STREAM_CAPTURE_STATUS_NONE);
}

const struct stream_api cuda_streams = {
	.events = &events,
	.place = place,
	.is_capturing = is_capturing,
	.streams = &streams,
};
