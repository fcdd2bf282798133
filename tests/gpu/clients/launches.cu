/* SPDX-License-Identifier: MIT */
/*
 * Launches in every way that the runtime has, and every way in which a process ends.  Built with
 * the static runtime, with the shared one, and for per-thread default streams.
 *
 *	launches [--launches N] [--end WAY] [--reset 1]
 */
#include <signal.h>
#include <unistd.h>

#include "runtime.h"

enum { FEW = 5, BLOCKS = 4, THREADS = 64, WRITTEN_US = 500000 };

static struct counts counts;

static void launch(long launches)
{
	dim3 grid(BLOCKS), block(THREADS);
	cudaLaunchConfig_t config = {};
	cudaStream_t stream;
	float factor = 2, *data;
	void *arguments[] = {&data, &factor};

	TRY(cudaStreamCreate(&stream));
	TRY(cudaMalloc(&data, BLOCKS * THREADS * sizeof(*data)));
	TRY(cudaMemset(data, 0, BLOCKS * THREADS * sizeof(*data)));
	for (long i = 0; i < launches; i++) {
		empty<<<1, 32>>>();
		scale<<<grid, block, 0, stream>>>(data, factor);
	}
	config.gridDim = grid;
	config.blockDim = block;
	config.stream = stream;
	for (int i = 0; i < FEW; i++) {
		TRY(cudaLaunchKernel((const void *)scale, grid, block, arguments, 0, stream));
		TRY(cudaLaunchKernelEx(&config, scale, data, factor));
		TRY(cudaLaunchCooperativeKernel(
			(const void *)scale, grid, block, arguments, 0, stream));
	}
	TRY(cudaDeviceSynchronize());
	TRY(cudaFree(data));
	TRY(cudaStreamDestroy(stream));
	counts.kernels += 2 * launches + 3 * FEW;
	counts.memory++;
	counts.calls++;
}

static void launch_at_exit(void)
{
	for (int i = 0; i < FEW; i++)
		empty<<<1, 32>>>();
	TRY(cudaDeviceSynchronize());
}

/* What a killed process, or one that becomes another program, launched half a second ago is in the
 * recording. */
static void wait_until_written(void)
{
	usleep(WRITTEN_US);
}

/* Becomes itself once more; the next image prints the sum. */
static void exec_again(long launches)
{
	char done_text[32], launches_text[32];

	snprintf(done_text, sizeof(done_text), "%ld", counts.kernels);
	snprintf(launches_text, sizeof(launches_text), "%ld", launches);
	wait_until_written();
	execl("/proc/self/exe", "launches", "--launches", launches_text, "--done", done_text,
		(char *)NULL);
	perror("exec");
	exit(1);
}

int main(int argc, char **argv)
{
	long launches = option_number(argc, argv, "--launches", 1000);
	long done = option_number(argc, argv, "--done", 0);
	const char *end = option_word(argc, argv, "--end", "return");

	launch(launches);
	if (option_number(argc, argv, "--reset", 0)) {
		TRY(cudaDeviceReset());
		launch(launches);
	}
	if (strcmp(end, "exec") == 0)
		exec_again(launches);
	if (strcmp(end, "atexit") == 0) {
		atexit(launch_at_exit);
		counts.kernels += FEW;
	}
	if (done) {
		counts.kernels += done;
		counts.memory++;
		counts.calls++;
	}
	counts_print(&counts);
	if (strcmp(end, "exit") == 0)
		exit(3);
	if (strcmp(end, "_exit") == 0)
		_exit(4);
	if (strcmp(end, "quick_exit") == 0)
		quick_exit(5);
	if (strcmp(end, "abort") == 0)
		abort();
	if (strcmp(end, "sigterm") == 0) {
		wait_until_written();
		raise(SIGTERM);
	}
	return 0;
}
