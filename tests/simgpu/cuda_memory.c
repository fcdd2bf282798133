/* SPDX-License-Identifier: MIT */
/*
 * Device memory, which is host memory here, and the few kernels that work on it:
 *
 *   _Z5twicePfm      twice(data, n): doubles n floats
 *   _Z7countedPm     counted(word): counts its executions in a word, by millions
 *   _Z6sharedPm      shared(word): takes a millisecond and counts its work-groups in a word, where
 *                    that is 0; else takes half a second, as it does work that is not there
 *   _Z6hiddenPm      hidden(word): counts its executions in the variable of its module, and copies
 *                    that into a word
 *   _Z9addressedm    addressed(n): adds n to the word whose address that variable holds
 *   _Z4growPm        grow(word): takes as many ns as the word says, and multiplies the word by 20,
 *                    up to GROWN_NS
 *   _Z5sizedm, pwrtrace_load    take as many ns as their first argument says
 *   _Z6cachedm       takes as many, fewer where all its data are in the cache: it ran last,
 *                    and less than the cache holds was copied or filled since.  The next read is
 *                    WRITE_BACK_NS longer, as the cache has changed data
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "pwrtrace/kernels.h"
#include "tests/simgpu/cuda_parts.h"

#define BLOCKS_MAX 4096
#define GROWN_NS UINT64_C(300000000)
#define GROUPS 4
#define SHARED_NS UINT64_C(1000000)
#define BEYOND_NS UINT64_C(500000000)
#define WRITE_BACK_NS UINT64_C(600000)
#define PITCH 512
#define MEMORY_BYTES (UINT64_C(80) << 30)

static struct sim_block blocks[BLOCKS_MAX];
static unsigned count;

static struct sim_block *block_of(uintptr_t address)
{
	for (unsigned i = count; i > 0; i--)
		if (address - blocks[i - 1].begin < blocks[i - 1].bytes)
			return &blocks[i - 1];
	return NULL;
}

const struct sim_block *sim_block_of(uintptr_t address)
{
	return block_of(address);
}

/* The variable has a block of its own, which the program did not allocate. */
CUdeviceptr sim_variable(void)
{
	static uint64_t variable;

	return (CUdeviceptr)&variable;
}

static bool holds(uintptr_t address, size_t bytes)
{
	const struct sim_block *block = block_of(address);

	if (address == sim_variable())
		return bytes == sizeof(uint64_t);
	return block && bytes <= block->begin + block->bytes - address;
}

/* ---- changes of memory ---- */

static bool is_called(const char *name, const char *kernel)
{
	return strncmp(name, kernel, strlen(kernel)) == 0;
}

/* Parameters of a call as words: each letter names one, and each is as wide as a pointer. */
static const char *types_of(const char *name)
{
	return is_called(name, "_Z5twice")        ? "Pm"
	       : is_called(name, "_Z7counted")    ? "P"
	       : is_called(name, "_Z6shared")     ? "P"
	       : is_called(name, "_Z4grow")       ? "P"
	       : is_called(name, "_Z6hidden")     ? "P"
	       : is_called(name, "_Z9addressed")  ? "m"
	       : is_called(name, "_Z5sized")      ? "m"
	       : is_called(name, "_Z6cached")     ? "m"
	       : is_called(name, "pwrtrace_load") ? "m"
						  : "";
}

/* ---- the cache ---- */

uint64_t sim_cache_bytes(void)
{
	const char *bytes = getenv("SIMGPU_CUDA_CACHE");

	return bytes ? strtoull(bytes, NULL, 10) : 0;
}

static uint64_t cache_saves_percent(void)
{
	const char *percent = getenv("SIMGPU_CUDA_CACHE_SAVES");

	return percent ? strtoull(percent, NULL, 10) : 50;
}

uint64_t sim_with_cache_ns(const struct sim_record *work, uint64_t time_ns)
{
	static const char *last = ""; /* the kernel that ran last */
	static uint64_t moved;        /* bytes since */
	bool after_cached = is_called(last, "_Z6cached") && moved < sim_cache_bytes();

	if (work->kind != SIM_KERNEL) {
		moved += work->bytes;
		return time_ns;
	}
	if (strcmp(work->name, PWRTRACE_READ_KERNEL) == 0 && getenv("SIMGPU_CUDA_CACHE_KEEPS"))
		return time_ns;
	if (after_cached && strcmp(work->name, last) == 0)
		time_ns -= time_ns * cache_saves_percent() / 100;
	else if (after_cached && strcmp(work->name, PWRTRACE_READ_KERNEL) == 0)
		time_ns += WRITE_BACK_NS;
	last = work->name;
	moved = 0;
	return time_ns;
}

uint64_t sim_compute(const char *name, void *const *values)
{
	uint64_t *words, asked_ns;

	if (!values || !*types_of(name))
		return 0;
	words = *(uint64_t *const *)values[0];
	if (is_called(name, "_Z5sized") || is_called(name, "_Z6cached") ||
		is_called(name, "pwrtrace_load"))
		return (uintptr_t)words;
	if (is_called(name, "_Z9addressed"))
		**(uint64_t **)sim_variable() += (uintptr_t)words;
	if (!block_of((uintptr_t)words))
		return 0;
	if (is_called(name, "_Z5twice"))
		for (size_t i = 0; i < *(const size_t *)values[1]; i++)
			((float *)words)[i] *= 2;
	if (is_called(name, "_Z7counted"))
		*words += 1000000;
	if (is_called(name, "_Z6hidden"))
		*words = ++*(uint64_t *)sim_variable();
	if (is_called(name, "_Z6shared"))
		return (*words += GROUPS) == GROUPS ? SHARED_NS : BEYOND_NS;
	if (!is_called(name, "_Z4grow"))
		return 0;
	asked_ns = *words;
	*words = 20 * asked_ns < GROWN_NS ? 20 * asked_ns : GROWN_NS;
	return asked_ns;
}

void *const *sim_keep_values(const char *name, void *const *values)
{
	size_t length = values ? strlen(types_of(name)) : 0;
	void **kept = calloc(length + 1, 2 * sizeof(*kept));

	for (size_t i = 0; i < length; i++)
		kept[i] = memcpy(&kept[length + 1 + i], values[i], sizeof(*kept));
	return length ? kept : NULL;
}

void sim_move(bool reads, void *to, const void *from, size_t bytes)
{
	if (holds(reads ? (uintptr_t)from : (uintptr_t)to, bytes))
		memmove(to, from, bytes);
}

void sim_fill(void *to, unsigned value, unsigned unit_bytes, size_t units)
{
	if (!holds((uintptr_t)to, units * unit_bytes))
		return;
	for (size_t i = 0; i < units; i++)
		memcpy((char *)to + i * unit_bytes, &value, unit_bytes);
}

void sim_copy(const char *name, const void *params)
{
	const uintptr_t *words = params;
	bool reads = is_called(name, "cuMemcpyDtoH") || is_called(name, "cuMemcpyDtoD");

	if (is_called(name, "cuMemsetD32"))
		sim_fill((void *)words[0], (unsigned)words[1], sizeof(uint32_t), words[2]);
	if (reads || is_called(name, "cuMemcpyHtoD"))
		sim_move(reads, (void *)words[0], (const void *)words[1], words[2]);
}

/* ---- entry points ---- */

static CUresult allocate(uintptr_t *address, size_t bytes, enum sim_memory kind)
{
	void *memory;

	ENTER;
	if (!sim_context())
		return CUDA_ERROR_INVALID_CONTEXT;
	if (sim_unsafe(false) != CUDA_SUCCESS)
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED || count == BLOCKS_MAX)
		return CUDA_ERROR_OUT_OF_MEMORY;
	blocks[count++] =
		(struct sim_block){(uintptr_t)memory, bytes, kind, sim_context()->ordinal};
	*address = (uintptr_t)memory;
	return CUDA_SUCCESS;
}

static CUresult give_back(uintptr_t address)
{
	struct sim_block *block;

	ENTER;
	block = block_of(address);
	if (!block || block->begin != address)
		return CUDA_ERROR_INVALID_VALUE;
	munmap((void *)address, block->bytes);
	block->bytes = 0;
	return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *memory, size_t bytes)
{
	return allocate(memory, bytes, SIM_DEVICE_MEMORY);
}

CUresult cuMemAllocPitch_v2(
	CUdeviceptr *memory, size_t *pitch, size_t width, size_t height, unsigned element_bytes)
{
	(void)element_bytes;
	*pitch = (width + PITCH - 1) / PITCH * PITCH;
	return allocate(memory, *pitch * height, SIM_DEVICE_MEMORY);
}

CUresult cuMemAllocAsync(CUdeviceptr *memory, size_t bytes, CUstream stream)
{
	(void)stream;
	return allocate(memory, bytes, SIM_DEVICE_MEMORY);
}

CUresult cuMemAllocAsync_ptsz(CUdeviceptr *memory, size_t bytes, CUstream stream)
{
	return cuMemAllocAsync(memory, bytes, stream);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *memory, size_t bytes, void *pool, CUstream stream)
{
	(void)pool;
	return cuMemAllocAsync(memory, bytes, stream);
}

CUresult cuMemAllocFromPoolAsync_ptsz(
	CUdeviceptr *memory, size_t bytes, void *pool, CUstream stream)
{
	return cuMemAllocFromPoolAsync(memory, bytes, pool, stream);
}

CUresult cuMemAllocManaged(CUdeviceptr *memory, size_t bytes, unsigned flags)
{
	(void)flags;
	return allocate(memory, bytes, SIM_MANAGED_MEMORY);
}

CUresult cuMemAllocHost_v2(void **memory, size_t bytes)
{
	return allocate((uintptr_t *)memory, bytes, SIM_HOST_MEMORY);
}

CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned flags)
{
	(void)flags;
	return allocate((uintptr_t *)memory, bytes, SIM_HOST_MEMORY);
}

CUresult cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags)
{
	ENTER;
	(void)flags;
	return memory && bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemHostUnregister(void *memory)
{
	ENTER;
	return memory ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Virtual memory management is not simulated: no address space is reserved. */
CUresult cuMemMap(CUdeviceptr memory, size_t bytes, size_t offset, uint64_t handle, uint64_t flags)
{
	ENTER;
	(void)bytes, (void)offset, (void)handle, (void)flags;
	return memory ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemUnmap(CUdeviceptr memory, size_t bytes)
{
	ENTER;
	(void)bytes;
	return memory ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemFree_v2(CUdeviceptr memory)
{
	return give_back(memory);
}

CUresult cuMemFreeAsync(CUdeviceptr memory, CUstream stream)
{
	(void)stream;
	return give_back(memory);
}

CUresult cuMemFreeAsync_ptsz(CUdeviceptr memory, CUstream stream)
{
	return cuMemFreeAsync(memory, stream);
}

CUresult cuMemFreeHost(void *memory)
{
	return give_back((uintptr_t)memory);
}

/* What was allocated beyond that is no matter. */
CUresult cuMemGetInfo_v2(size_t *bytes, size_t *total)
{
	const char *memory = getenv("SIMGPU_CUDA_MEMORY");
	size_t used = 0;

	ENTER;
	for (unsigned i = 0; i < count; i++)
		used += blocks[i].kind == SIM_DEVICE_MEMORY ? blocks[i].bytes : 0;
	*total = memory ? strtoull(memory, NULL, 10) : MEMORY_BYTES;
	*bytes = *total > used ? *total - used : 0;
	return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *memory, size_t *bytes, CUdeviceptr address)
{
	const struct sim_block *block;

	ENTER;
	block = block_of(address);
	if (!block)
		return CUDA_ERROR_INVALID_VALUE;
	*memory = block->begin;
	*bytes = block->bytes;
	return CUDA_SUCCESS;
}

/* ---- parameters ---- */

static CUresult parameter_at(const char *name, size_t index, size_t *offset, size_t *bytes)
{
	if (index >= strlen(types_of(name)))
		return CUDA_ERROR_INVALID_VALUE;
	*offset = index * sizeof(uintptr_t);
	*bytes = sizeof(uintptr_t);
	return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes)
{
	const char *name;
	CUresult result = cuFuncGetName(&name, function);

	return result == CUDA_SUCCESS ? parameter_at(name, index, offset, bytes) : result;
}

CUresult cuKernelGetParamInfo(void *kernel, size_t index, size_t *offset, size_t *bytes)
{
	const char *name;
	CUresult result = cuKernelGetName(&name, kernel);

	return result == CUDA_SUCCESS ? parameter_at(name, index, offset, bytes) : result;
}
