/* SPDX-License-Identifier: MIT */
#include "preload/engine/gpu/cuda/cuda_reader.h"

#include "pwrtrace/kernels.h"

#define THREADS 256
#define BLOCK_BYTES (THREADS * 16)

/* Each thread reads 16 bytes, past the caches that not all processors share.  They are stored where
 * they are what they hardly ever are, so that the read is not left out. */
static const char source[] = ".version 6.0\n"
			     ".target sm_50\n"
			     ".address_size 64\n"
			     ".visible .entry " PWRTRACE_READ_KERNEL "(.param .u64 memory)\n"
			     "{\n"
			     ".reg .pred %odd;\n"
			     ".reg .u32 %thread, %threads, %block, %a, %b, %c, %d;\n"
			     ".reg .u64 %from, %offset;\n"
			     "ld.param.u64 %from, [memory];\n"
			     "mov.u32 %thread, %tid.x;\n"
			     "mov.u32 %threads, %ntid.x;\n"
			     "mov.u32 %block, %ctaid.x;\n"
			     "mad.lo.u32 %thread, %block, %threads, %thread;\n"
			     "mul.wide.u32 %offset, %thread, 16;\n"
			     "add.u64 %from, %from, %offset;\n"
			     "ld.global.cg.v4.u32 {%a, %b, %c, %d}, [%from];\n"
			     "xor.b32 %a, %a, %b;\n"
			     "xor.b32 %c, %c, %d;\n"
			     "xor.b32 %a, %a, %c;\n"
			     "setp.eq.u32 %odd, %a, 3141592653;\n"
			     "@%odd st.global.u32 [%from], %a;\n"
			     "ret;\n"
			     "}\n";

bool cuda_reader_load(struct cuda_reader *reader)
{
	if (!CUDA(cuModuleLoadData) || !CUDA(cuModuleGetFunction) || !CUDA(cuModuleUnload) ||
		CUDA(cuModuleLoadData)(&reader->module, source) != CUDA_SUCCESS)
		return false;
	if (CUDA(cuModuleGetFunction)(&reader->function, reader->module, PWRTRACE_READ_KERNEL) ==
		CUDA_SUCCESS)
		return true;
	cuda_reader_unload(reader);
	return false;
}

void cuda_reader_unload(struct cuda_reader *reader)
{
	CUDA(cuModuleUnload)(reader->module);
}

bool cuda_reader_launch(const struct cuda_reader *reader, cuLaunchKernel_function *launch,
	CUdeviceptr memory, size_t bytes, CUstream stream)
{
	void *values[] = {&memory};

	return launch(reader->function, (unsigned)(bytes / BLOCK_BYTES), 1, 1, THREADS, 1, 1, 0,
		       stream, values, NULL) == CUDA_SUCCESS;
}
