/* SPDX-License-Identifier: MIT */
/*
 * A program that has closed descriptors which are not its own, and got the number of each socket of
 * packets among them for a file: prints how many, and how many of these files a forked child lacks.
 */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda_client.h"

enum { DESCRIPTORS = 256 };

static bool is_socket_of_packets(int fd)
{
	int type;

	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &(socklen_t){sizeof(type)}) == 0 &&
	       type == SOCK_SEQPACKET;
}

static bool is_same_file(int a, int b)
{
	struct stat of_a, of_b;

	return fstat(a, &of_a) == 0 && fstat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
	       of_a.st_ino == of_b.st_ino;
}

int main(void)
{
	int own[DESCRIPTORS], count = 0, lacking = 0, status;
	pid_t pid;

	open_device(0);
	launch(get_kernel(load_module(), SHORT), NULL, 1);
	CHECK(cuCtxSynchronize);
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		if (is_socket_of_packets(fd) && dup2(STDERR_FILENO, fd) == fd)
			own[count++] = fd;
	pid = fork();
	for (int i = 0; !pid && i < count; i++)
		lacking += !is_same_file(own[i], STDERR_FILENO);
	if (!pid)
		_exit(lacking);
	if (waitpid(pid, &status, 0) != pid)
		fail("no child process");
	printf("files=%d lacking=%d\n", count, WEXITSTATUS(status));
	return 0;
}
