/* SPDX-License-Identifier: MIT */
/*
 * Collectives of two ranks on the simulated NCCL: PROGRAM [linked|dlsym] [WAY] [TIMES].  WAY:
 *
 * threads, processes	each rank does TIMES (5) all_reduces of 64 KiB, of 128 KiB and of 1 MiB, and
 *			one each of the others in `others`
 * together		one thread has both ranks, and does TIMES all_reduces of 64 KiB
 * open			the same, but the last group does not end
 *
 * It prints the kernels that these launched.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda_client.h"
#include "tests/simgpu/nccl_sim.h"

#define RANKS 2
#define FLOAT32 7

/* NCCL's functions, as the program came by them. */
static struct {
#define HOOK(api, index, ret, name, params, args, role) ret(*name) params;
#include "preload/api/nccl.def"
#undef HOOK
} nccl;

static struct nccl_unique_id ids[2];
static unsigned long times = 5;

static void find_nccl(const char *way)
{
	void *library = strcmp(way, "dlsym") == 0 ? dlopen("libnccl.so.2", RTLD_NOW) : NULL;

#define HOOK(api, index, ret, name, params, args, role)                                            \
	nccl.name = library ? (ret(*) params)dlsym(library, #name) : name;
#include "preload/api/nccl.def"
#undef HOOK
}

static void must(nccl_result result, const char *what)
{
	if (result != PWR_NCCL_Success)
		fail("%s failed with NCCL error %d", what, result);
}

#define MUST(name, ...) must(nccl.name(__VA_ARGS__), #name)
#define LAUNCH(name, ...) (MUST(name, __VA_ARGS__), started[KERNEL]++)

static void reduce(nccl_communicator comm, CUstream stream, size_t bytes, unsigned long count)
{
	for (unsigned long i = 0; i < count; i++)
		LAUNCH(ncclAllReduce, NULL, NULL, bytes / 4, FLOAT32, 0, comm, stream);
}

/* A group of a send and a receive, in another order on each rank, and one of two all_reduces; each
 * is one kernel.  In an empty one nothing is launched. */
static void groups(nccl_communicator comm, CUstream stream, int rank)
{
	MUST(ncclGroupStart);
	if (rank == 0)
		MUST(ncclSend, NULL, 1024, FLOAT32, 1 - rank, comm, stream);
	MUST(ncclRecv, NULL, 1024, FLOAT32, 1 - rank, comm, stream);
	if (rank != 0)
		MUST(ncclSend, NULL, 1024, FLOAT32, 1 - rank, comm, stream);
	LAUNCH(ncclGroupEnd);

	MUST(ncclGroupStart);
	MUST(ncclGroupStart);
	MUST(ncclAllReduce, NULL, NULL, 256, FLOAT32, 0, comm, stream);
	MUST(ncclGroupEnd);
	MUST(ncclAllReduce, NULL, NULL, 256, FLOAT32, 0, comm, stream);
	LAUNCH(ncclGroupEnd);

	MUST(ncclGroupStart);
	MUST(ncclGroupEnd);
}

static void others(nccl_communicator comm, CUstream stream, int rank)
{
	nccl_communicator part = NULL, unknown;

	LAUNCH(ncclAllGather, NULL, NULL, 1024, FLOAT32, comm, stream);
	LAUNCH(ncclReduceScatter, NULL, NULL, 1024, FLOAT32, 0, comm, stream);
	LAUNCH(ncclBroadcast, NULL, NULL, 1024, FLOAT32, 0, comm, stream);
	LAUNCH(ncclReduce, NULL, NULL, 1024, FLOAT32, 0, 1, comm, stream);
	LAUNCH(ncclAlltoAll, NULL, NULL, 1024, FLOAT32, comm, stream);
	if (rank == 0)
		LAUNCH(ncclSend, NULL, 2048, FLOAT32, 1, comm, stream);
	else
		LAUNCH(ncclRecv, NULL, 2048, FLOAT32, 0, comm, stream);
	groups(comm, stream, rank);

	MUST(ncclCommSplit, comm, 0, rank, &part, NULL);
	reduce(part, stream, 4096, 1);
	MUST(ncclCommDestroy, part);
	must(ncclCommShrink(comm, NULL, 0, &unknown, NULL, 0), "ncclCommShrink");
	reduce(unknown, stream, 512, 1);
}

static void *run_rank(void *number)
{
	int rank = (int)(intptr_t)number;
	nccl_communicator comm, second;
	CUstream stream;

	open_device(rank);
	stream = new_stream();
	MUST(ncclCommInitRank, &comm, RANKS, ids[0], rank);
	MUST(ncclCommInitRankConfig, &second, RANKS, ids[1], rank, NULL);
	reduce(comm, stream, 65536, times);
	reduce(second, stream, 131072, times);
	reduce(comm, stream, 1 << 20, times);
	others(comm, stream, rank);
	/* No part of a collective. */
	launch(get_kernel(load_module(), SHORT), stream, 3);
	CHECK(cuStreamSynchronize, stream);
	MUST(ncclCommDestroy, second);
	MUST(ncclCommAbort, comm);
	return NULL;
}

static void run_threads(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run_rank, (void *)1))
		fail("no thread");
	run_rank(NULL);
	pthread_join(thread, NULL);
	print_started();
}

static void run_processes(void)
{
	pid_t child = fork();
	int status = 0;

	run_rank((void *)(intptr_t)(child == 0));
	print_started();
	if (!child)
		exit(0);
	if (waitpid(child, &status, 0) != child || status)
		fail("the other rank ended with status %#x", status);
}

static void run_together(bool open)
{
	nccl_communicator comms[RANKS];
	CUstream streams[RANKS];

	for (int rank = 0; rank < RANKS; rank++) {
		open_device(rank);
		streams[rank] = new_stream();
	}
	MUST(ncclCommInitAll, comms, RANKS, NULL);
	for (unsigned long i = 0; i < times; i++) {
		MUST(ncclGroupStart);
		for (int rank = 0; rank < RANKS; rank++)
			MUST(ncclAllReduce, NULL, NULL, 16384, FLOAT32, 0, comms[rank],
				streams[rank]);
		if (open && i + 1 == times)
			break;
		MUST(ncclGroupEnd);
		started[KERNEL] += RANKS;
	}
	for (int rank = 0; rank < RANKS; rank++)
		CHECK(cuStreamSynchronize, streams[rank]);
	print_started();
}

int main(int argc, char **argv)
{
	find_nccl(argc > 1 ? argv[1] : "linked");
	if (argc > 3)
		times = number(argv[3]);
	must(ncclGetUniqueId(&ids[0]), "ncclGetUniqueId");
	must(ncclGetUniqueId(&ids[1]), "ncclGetUniqueId");
	if (argc < 3 || strcmp(argv[2], "threads") == 0)
		run_threads();
	else if (strcmp(argv[2], "processes") == 0)
		run_processes();
	else
		run_together(strcmp(argv[2], "open") == 0);
	return 0;
}
