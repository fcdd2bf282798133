/* SPDX-License-Identifier: MIT */
/*
 * Uses HIP in a parent and its children: one is forked before HIP is used and uses it, one after
 * and cannot.  Prints a line for each process.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "hip_client.h"

static const char symbol[1];

static void use(void)
{
	started[KERNEL] = 0;
	launch(symbol, NULL, 20);
	ENQUEUE(SYNC, hipDeviceSynchronize);
}

static void find_useless(void)
{
	started[KERNEL] = 0;
	if (hipLaunchKernel(symbol, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL) == hipSuccess)
		fail("HIP works in a child of its user");
}

static void in_child(void (*work)(void))
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		work();
		printf("process pid=%d kernels=%lu\n", getpid(), started[KERNEL]);
		exit(0);
	}
	if (waitpid(child, &status, 0) < 0 || status)
		fail("the child ended with status %d", status);
}

int main(void)
{
	register_kernel(symbol, SHORT);
	in_child(use);
	use();
	in_child(find_useless);
	use();
	printf("process pid=%d kernels=%lu\n", getpid(), 2 * started[KERNEL]);
	return 0;
}
