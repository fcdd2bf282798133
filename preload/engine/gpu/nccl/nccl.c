/* SPDX-License-Identifier: MIT */
/* The wrappers made from nccl.def, on the launching threads. */
#include "preload/engine/gpu/nccl/nccl.h"

#include <pthread.h>
#include <string.h>

#include "preload/api/hooks.h"
#include "preload/common/clock.h"
#include "preload/engine/core/process.h"
#include "preload/engine/gpu/rounds.h"
#include "preload/engine/gpu/submit.h"

#define NO_PEER PWRTRACE_UNKNOWN_U32

static const struct engine_host *host;

#define HOOK(api, index, ret, name, params, args, role) typedef ret name##_function params;
#include "preload/api/nccl.def"
#undef HOOK

#define NCCL(name) ((name##_function *)host->real[HOOK_##name])

static const struct gpu_api nccl_api = {
	.name = "nccl",
	.take = collectives_take,
	.harvest = collectives_harvest,
};

/* ---- where a thread is ---- */

static __thread struct {
	bool inside;        /* a hooked call: what NCCL calls of itself is not the program's */
	uint32_t depth;     /* of groups */
	uint32_t group;     /* the correlation of the outermost one */
	uint32_t submitted; /* so many of its operations */
} here;

static bool fine(nccl_result result)
{
	return result == PWR_NCCL_Success || result == PWR_NCCL_InProgress;
}

/* Returns when the call began; 0: it is not the program's.  Else leave must follow. */
static uint64_t enter(void)
{
	if (here.inside)
		return 0;
	here.inside = true;
	return clock_now_ns();
}

/* Returns whether the call is one of the program's, and did not fail. */
static bool leave(uint64_t begin_ns, nccl_result result)
{
	if (!begin_ns)
		return false;
	here.inside = false;
	return fine(result);
}

/* ---- operations ---- */

/* NCCL knows rank and size of a communicator that was made by a call that we do not know. */
static struct communicator *known(nccl_communicator handle)
{
	struct communicator *communicator = communicator_of(handle);
	int rank, size;

	if (communicator && !communicator->size && NCCL(ncclCommUserRank) && NCCL(ncclCommCount) &&
		NCCL(ncclCommUserRank)(handle, &rank) == 0 &&
		NCCL(ncclCommCount)(handle, &size) == 0) {
		communicator->rank = (uint32_t)rank;
		communicator->size = (uint32_t)size;
	}
	return communicator;
}

/* Of count elements, which may depend on the communicator's size. */
static uint64_t bytes_of(const struct communicator *communicator, uint64_t count, int type)
{
	static const uint8_t bytes[] = NCCL_TYPE_BYTES;

	return communicator->size && type >= 0 && (size_t)type < sizeof(bytes)
		       ? count * bytes[type]
		       : PWRTRACE_UNKNOWN_U64;
}

static uint32_t sequence_of(const char *kind, struct communicator *communicator, uint32_t peer)
{
	if (strcmp(kind, "send") == 0)
		return communicator_count_sent(communicator, peer);
	if (strcmp(kind, "recv") == 0)
		return communicator_count_received(communicator, peer);
	return communicator_count(communicator);
}

/* It counts whether or not it is wanted, as it does on other ranks. */
static void submit(const struct gpu_call *call, struct communicator *communicator,
	uint64_t begin_ns, uint64_t bytes, uint32_t peer)
{
	uint32_t sequence = sequence_of(call->collective_kind, communicator, peer);

	if (!gpu_launches_wanted())
		return;
	gpu_submit(&(struct gpu_work){.kind = GPU_WORK_COLLECTIVE,
		.tid = gpu_tid(),
		.correlation = here.depth ? here.group : gpu_new_correlation(),
		.enqueue_ns = begin_ns,
		.return_ns = here.depth ? PWRTRACE_UNKNOWN_U64 : clock_now_ns(),
		.call = call,
		.token = communicator,
		.collective = {bytes, sequence, peer}});
	here.submitted++;
}

#define COLLECTIVE(kind, name_, params, args, count, peer)                                         \
	static nccl_result traced_##name_ params                                                   \
	{                                                                                          \
		static const struct gpu_call call = {&nccl_api, #name_, .collective_kind = #kind}; \
		uint64_t begin_ns = enter();                                                       \
		nccl_result result = NCCL(name_) args;                                             \
		struct communicator *communicator;                                                 \
                                                                                                   \
		if (leave(begin_ns, result) && (communicator = known(comm))) {                     \
			uint64_t comm_size = communicator->size;                                   \
                                                                                                   \
			(void)comm_size;                                                           \
			submit(&call, communicator, begin_ns, bytes_of(communicator, count, type), \
				(uint32_t)(peer));                                                 \
		}                                                                                  \
		return result;                                                                     \
	}

/* ---- groups ---- */

static void open_group(void)
{
	if (here.depth++)
		return;
	here.group = gpu_new_correlation();
	here.submitted = 0;
}

static void close_group(uint64_t begin_ns)
{
	static const struct gpu_call call = {&nccl_api, .name = "ncclGroupEnd"};

	if (!here.depth || --here.depth || !here.submitted)
		return;
	gpu_submit(&(struct gpu_work){.kind = GPU_WORK_GROUP,
		.tid = gpu_tid(),
		.correlation = here.group,
		.enqueue_ns = begin_ns,
		.return_ns = clock_now_ns(),
		.call = &call});
}

/* A group ends whether or not that succeeds. */
#define GROUP(name, params, args, opens)                                                           \
	static nccl_result traced_##name params                                                    \
	{                                                                                          \
		uint64_t begin_ns = enter();                                                       \
		nccl_result result = NCCL(name) args;                                              \
                                                                                                   \
		leave(begin_ns, result);                                                           \
		if (begin_ns && !(opens))                                                          \
			close_group(begin_ns);                                                     \
		else if (begin_ns && fine(result))                                                 \
			open_group();                                                              \
		return result;                                                                     \
	}

/* ---- communicators ---- */

/* The ids of all ranks are the same. */
#define JOINS(name, params, args, id, ids, size, rank)                                             \
	static nccl_result traced_##name params                                                    \
	{                                                                                          \
		uint64_t begin_ns = enter();                                                       \
		nccl_result result = NCCL(name) args;                                              \
                                                                                                   \
		if (leave(begin_ns, result) && *comm)                                              \
			communicator_add(*comm,                                                    \
				communicator_id(                                                   \
					id, (size_t)(ids) * sizeof(struct nccl_unique_id)),        \
				(uint32_t)(rank), (uint32_t)(size));                               \
		return result;                                                                     \
	}

/* All ranks split a communicator together, so each has as many before: the parts of one color are
 * the same. */
static void add_split(nccl_communicator whole, int color, nccl_communicator part)
{
	struct communicator *communicator = communicator_of(whole);
	uint64_t from[3];

	if (!communicator)
		return;
	from[0] = communicator->id;
	from[1] = communicator->splits++;
	from[2] = (uint64_t)color;
	if (part)
		communicator_add(
			part, communicator->id ? communicator_id(from, sizeof(from)) : 0, 0, 0);
}

#define SPLITS(name, params, args, color)                                                          \
	static nccl_result traced_##name params                                                    \
	{                                                                                          \
		uint64_t begin_ns = enter();                                                       \
		nccl_result result = NCCL(name) args;                                              \
                                                                                                   \
		if (leave(begin_ns, result))                                                       \
			add_split(comm, color, *made);                                             \
		return result;                                                                     \
	}

/* Only this process has these. */
static void add_all(const nccl_communicator *comms, int size)
{
	uint32_t from[] = {process_number, gpu_new_correlation()};
	uint64_t id = communicator_id(from, sizeof(from));

	for (int i = 0; i < size; i++)
		communicator_add(comms[i], id, (uint32_t)i, (uint32_t)size);
}

#define COMMUNICATORS(name, params, args)                                                          \
	static nccl_result traced_##name params                                                    \
	{                                                                                          \
		uint64_t begin_ns = enter();                                                       \
		nccl_result result = NCCL(name) args;                                              \
                                                                                                   \
		if (leave(begin_ns, result))                                                       \
			add_all(comms, size);                                                      \
		return result;                                                                     \
	}

#define LEAVES(name, params, args)                                                                 \
	static nccl_result traced_##name params                                                    \
	{                                                                                          \
		uint64_t begin_ns = enter();                                                       \
		nccl_result result = NCCL(name) args;                                              \
                                                                                                   \
		if (leave(begin_ns, result))                                                       \
			communicator_forget(comm);                                                 \
		return result;                                                                     \
	}

#define PLAIN(name, params)
#include "preload/api/nccl.def"

static void install(void **wrappers, const struct engine_host *engine_host)
{
	host = engine_host;
	pthread_atfork(NULL, NULL, collectives_forget);
#define HOOK(api, index, ret, name, params, args, role) wrappers[HOOK_##name] = traced_##name;
#define PLAIN(name, params)
#include "preload/api/nccl.def"
#undef HOOK
}

const struct gpu_back_end nccl_back_end = {
	.install = install,
	.api = &nccl_api,
};
