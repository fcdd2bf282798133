/* SPDX-License-Identifier: MIT */
/* Replay with HIP: its memory, and which launches can be repeated. */
#include <stdlib.h>
#include <string.h>

#include "preload/engine/gpu/hip/hip.h"
#include "preload/engine/gpu/hip/hip_shapes.h"
#include "preload/engine/replay/reach.h"

/* The wrappers that trace. */
static void *traced[HOOK_COUNT];

#define TRACED(name) ((name##_function *)(traced[HOOK_##name] ?: hip_host->real[HOOK_##name]))

/* ---- functions of struct replay_api ---- */

static bool place(void *stream, uint32_t *device, void **of)
{
	return hip_streams.place(stream, device, of);
}

static bool is_capturing(void *stream)
{
	return hip_streams.is_capturing(stream);
}

/* Waits for the current device, which is that of the launch: see why_not_here. */
static bool wait(void *of)
{
	(void)of;
	return hip_succeeded(HIP(hipDeviceSynchronize)());
}

static bool save(void *stream, void *to, uintptr_t from, size_t at, size_t bytes)
{
	(void)stream;
	return hip_succeeded(TRACED(hipMemcpyDtoH)(to, (hipDeviceptr_t)(from + at), bytes));
}

static bool restore(void *stream, uintptr_t to, size_t at, const void *from, size_t bytes)
{
	return hip_succeeded(
		TRACED(hipMemcpyHtoDAsync)((hipDeviceptr_t)(to + at), (void *)from, bytes, stream));
}

static uint64_t room(void)
{
	size_t bytes, total;

	return HIP(hipMemGetInfo) && hip_succeeded(HIP(hipMemGetInfo)(&bytes, &total)) ? bytes : 0;
}

static uintptr_t allocate(size_t bytes)
{
	void *memory;

	return hip_succeeded(HIP(hipMalloc)(&memory, bytes)) ? (uintptr_t)memory : 0;
}

static void release(uintptr_t memory)
{
	hip_succeeded(HIP(hipFree)((void *)memory));
}

static bool copy(void *stream, uintptr_t to, uintptr_t from, size_t bytes)
{
	return hip_succeeded(TRACED(hipMemcpyDtoDAsync)(
		(hipDeviceptr_t)to, (hipDeviceptr_t)from, bytes, stream));
}

static const struct replay_device_api on_device = {
	.room = room,
	.allocate = allocate,
	.release = release,
	.copy = copy,
};

/* Whether the program has not read its last error yet: from HIP 7 on, one of ours would replace it.
 */
static bool has_error(void)
{
	return HIP(hipPeekAtLastError) && HIP(hipPeekAtLastError)() != hipSuccess;
}

/* ---- memory ---- */

/* The owner of memory that was found by an address alone, perhaps a variable of some module. */
static const char found;

static enum memory_kind kind_of(const hipPointerAttribute_t *attributes)
{
	hipMemoryType device = hipMemoryTypeDevice + (hip_version() >= HIP_VERSION_6_0);

	return attributes->isManaged              ? MEMORY_MANAGED
	       : attributes->memoryType == device ? MEMORY_DEVICE
						  : MEMORY_HOST;
}

static void find(uintptr_t address)
{
	hipPointerAttribute_t attributes;
	hipDeviceptr_t memory;
	size_t bytes;

	if (!HIP(hipMemGetAddressRange) || !HIP(hipPointerGetAttributes) ||
		!hip_succeeded(
			HIP(hipMemGetAddressRange)(&memory, &bytes, (hipDeviceptr_t)address)) ||
		!hip_succeeded(HIP(hipPointerGetAttributes)(&attributes, (const void *)address)))
		return;
	replay_add_memory(&(struct memory_range){.begin = (uintptr_t)memory,
		.end = (uintptr_t)memory + bytes,
		.bytes = bytes,
		.place = hip_place(attributes.device),
		.owner = &found,
		.kind = kind_of(&attributes)});
}

/* Arguments are searched for host addresses: so devices must use the same addresses for host
 * memory. */
static void check_address(void *memory)
{
	void *address;

	if (has_error() || !HIP(hipHostGetDevicePointer) ||
		!hip_succeeded(HIP(hipHostGetDevicePointer)(&address, memory, 0)) ||
		address != memory)
		replay_forbid("devices know the host's memory by other addresses");
}

static void allocated(hipStream_t stream, enum memory_kind kind, void *memory, size_t bytes)
{
	struct memory_range range = {.begin = (uintptr_t)memory,
		.end = (uintptr_t)memory + bytes,
		.bytes = bytes,
		.kind = kind};
	uint32_t device;

	if (stream && is_capturing(stream))
		replay_forbid("graphs allocate memory");
	else if (!place(stream, &device, &range.place))
		return;
	if (kind == MEMORY_HOST)
		check_address(memory);
	replay_add_memory(&range);
}

/* The kind of memory that hipExtMallocWithFlags allocates. */
static enum memory_kind KIND(unsigned flags)
{
	return flags & hipMallocSignalMemory ? MEMORY_HOST : MEMORY_DEVICE;
}

static const char *why_not_access(const hipMemAccessDesc *access, size_t count)
{
	return count != 1 || access->location.id != hip_ordinal(NULL)
		       ? "devices reach one another's memory"
		       : NULL;
}

static const struct replay_api hip_replay = {
	.place = place,
	.is_capturing = is_capturing,
	.wait = wait,
	.save = save,
	.restore = restore,
	.on_device = &on_device,
	.find = find,
};

/* ---- whether a launch can be repeated ---- */

#define why_not_cooperative "it is a cooperative launch"
#define why_not_old "it is launched by a call of the first HIP"
#define why_not_attributes(config) ((config)->numAttrs ? "its launch has attributes" : NULL)

static const char *why_not_beside(bool triggers, unsigned flags)
{
	return triggers ? "its launch triggers an event" : flags ? "it may run out of order" : NULL;
}

static const char *why_not_here(const struct replay *replay)
{
	if (has_error())
		return "the program has not looked at an error of HIP's yet";
	if (hip_place(hip_ordinal(NULL)) != replay->place)
		return "its stream is of a device that is not the current one";
	return NULL;
}

/* A kernel can reach the variables of its code object: they are added to the known memory. */
static bool find_variable(hipModule_t module, const char *name)
{
	struct memory_range range = {
		.place = hip_place(hip_ordinal(NULL)), .owner = module, .kind = MEMORY_DEVICE};
	hipDeviceptr_t memory;

	if (!module || !HIP(hipModuleGetGlobal) ||
		!hip_succeeded(HIP(hipModuleGetGlobal)(&memory, &range.bytes, module, name)))
		return false;
	range.begin = (uintptr_t)memory;
	range.end = range.begin + range.bytes;
	replay_add_memory(&range);
	reach_add(range.begin);
	return true;
}

/* names: as `variables` of struct code_kernel. */
static bool find_variables(hipModule_t module, const char *names)
{
	char name[strlen(names) + 1];
	size_t length;

	for (names += strspn(names, " "); *names; names += strspn(names, " ")) {
		length = strcspn(names, " ");
		memcpy(name, names, length);
		name[length] = 0;
		names += length;
		if (!find_variable(module, name))
			return false;
	}
	return true;
}

/* arguments: as in struct code_kernel. */
static const char *why_not_values(const char *arguments, void **values)
{
	const char *colon, *why_not = NULL;

	for (; values && !why_not && (colon = strchr(arguments, ':')); values++) {
		char *end;
		size_t bytes = strtoul(colon + 1, &end, 10);

		why_not = replay_why_not_argument(&hip_replay, *values, bytes);
		arguments = end;
	}
	return why_not;
}

static const char *why_not_plain(
	const struct replay *replay, hipModule_t module, void **values, void **extra)
{
	const char *why_not = why_not_here(replay);
	struct hip_reach reach;

	if (why_not)
		return why_not;
	if (!hip_code_reach(hip_class_name(replay->kernel), &reach) || !reach.variables)
		return "what its code may change is not known";
	if (reach.calls_host)
		return "it may print, or allocate memory";
	if (!find_variables(module, reach.variables))
		return "a variable of its module cannot be saved";
	if (!extra && !reach.arguments)
		return "what it is passed is not known";
	why_not = extra ? replay_why_not_buffer(&hip_replay, extra)
			: why_not_values(reach.arguments, values);
	/* Constants may hold addresses, and cannot be read where a kernel has no module. */
	if (!reach.constants)
		reach_is_told();
	return why_not;
}

#define why_not_symbol(values) why_not_plain(&replay, NULL, values, NULL)
#define why_not_function(function, values, extra)                                                  \
	why_not_plain(&replay, hip_module_of(function), values, extra)

/* ---- the wrappers ---- */

static bool fill_again(const struct replay_fill *fill)
{
	hipDeviceptr_t to = (hipDeviceptr_t)fill->to;
	hipError_t result;

	if (fill->unit_bytes == sizeof(unsigned char))
		result = TRACED(hipMemsetAsync)(to, (int)fill->value, fill->count, fill->stream);
	else if (fill->unit_bytes == sizeof(unsigned short))
		result = TRACED(hipMemsetD16Async)(
			to, (unsigned short)fill->value, fill->count, fill->stream);
	else
		result = TRACED(hipMemsetD32Async)(to, (int)fill->value, fill->count, fill->stream);
	return hip_succeeded(result);
}

static void end_call(const int *unused)
{
	(void)unused;
	replay_call_end();
}

/* Forgets the memory of a module, and what was found by address, which may be another module's
 * next. */
static void forget(const void *module)
{
	if (module)
		replay_owner_freed(module);
	replay_owner_freed(&found);
}

/* A capture that fails to end may go on: then nothing is replayed any more. */
static void captured(bool ok, int change)
{
	if (ok || change < 0)
		replay_count_captures(change);
	if (!ok && change < 0)
		replay_forbid("a capture was given up");
}

#define REPLAY_STATUS hipError_t
#define REPLAY_TRACED TRACED
#define REPLAY_API hip_replay
#include "preload/engine/replay/wrappers.h"

#define KERNEL(since, name, params, args, stream, shape, why_not)                                  \
	REPLAY_KERNEL(name, params, args, stream, shape, why_not, replay_forget_fills())
#define KERNEL_EACH(since, name, params, args, ...)                                                \
	REPLAY_FORBIDS(name, params, args, "kernels work together with those of other devices")
#define GRAPH(since, name, params, args, ...) REPLAY_CALL(name, params, args, replay_forget_fills())
#define MEMORY(since, name, params, args, ...)                                                     \
	REPLAY_CALL(name, params, args, replay_forget_fills())
#define FILL(since, name, params, args, unit_bytes, count, stream)                                 \
	REPLAY_CALL(name, params, args,                                                            \
		replay_note_fill(&(struct replay_fill){fill_again, (uintptr_t)to, count,           \
			stream_named(#name, stream), (unsigned)value, unit_bytes}))
#define TEARDOWN(since, name, params, args) REPLAY_FORBIDS(name, params, args, "a device was reset")
#define FORGETS(since, ret, name, params, args)                                                    \
	static ret replayed_##name params                                                          \
	{                                                                                          \
		__attribute__((cleanup(end_call))) const int afterwards = 0;                       \
                                                                                                   \
		(void)afterwards;                                                                  \
		replay_call_begin();                                                               \
		forget args;                                                                       \
		return TRACED(name) args;                                                          \
	}
#define ALLOCATES(since, name, params, args, ...)                                                  \
	REPLAY_CALL(name, params, args, allocated(__VA_ARGS__))
#define FREES(since, ...) REPLAY_FREES(__VA_ARGS__)
#define FORBIDS(since, ...) REPLAY_FORBIDS(__VA_ARGS__)
#define CAPTURES(since, name, params, args, change)                                                \
	static hipError_t replayed_##name params                                                   \
	{                                                                                          \
		hipError_t result;                                                                 \
                                                                                                   \
		replay_call_begin();                                                               \
		result = TRACED(name) args;                                                        \
		captured(result == hipSuccess, change);                                            \
		replay_call_end();                                                                 \
		return result;                                                                     \
	}
#define ORDER(...)
#define BLOCKING(...)
#define INSTANTIATE(...)
#define UPDATE(...)
#define THEN(...)
#define OBJECT(...)
#define RESOLVER(...)
#define PLAIN(...)
#include "preload/api/hip.def"

void hip_replay_install(void **wrappers)
{
#define HOOK(api, index, ret, name, params, args, role)                                            \
	traced[HOOK_##name] = wrappers[HOOK_##name];                                               \
	wrappers[HOOK_##name] = replayed_##name;
#define ORDER(...)
#define BLOCKING(...)
#define INSTANTIATE(...)
#define UPDATE(...)
#define THEN(...)
#define OBJECT(...)
#define RESOLVER(...)
#define PLAIN(...)
#include "preload/api/hip.def"
#undef HOOK
}
