/* SPDX-License-Identifier: MIT */
#include "preload/record/live_line.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/common/log.h"

#define CLEAR_MS 1000

/* bin/pwrtrace, from our own lib/pwrtrace/pwrtrace-record. */
static void find_pwrtrace(char path[PATH_MAX])
{
	static const char place[] = "/../../bin/pwrtrace";
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof(place));
	char *slash;

	path[length > 0 ? length : 0] = 0;
	slash = strrchr(path, '/');
	if (slash)
		strcpy(slash, place);
}

/* Ctrl-C is for the program: we end the line when that has ended. */
static _Noreturn void be_line(const char *path, pid_t recorder)
{
	char number[16];
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	snprintf(number, sizeof(number), "%d", (int)recorder);
	execl(path, path, "top", "--line", "--recorder", number, (char *)NULL);
	_exit(EXIT_FAILURE);
}

pid_t live_line_begin(pid_t recorder)
{
	int terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC);
	const char *why = terminal < 0 ? "there is no terminal" : NULL;
	char path[PATH_MAX];
	pid_t line = -1;

	if (terminal >= 0)
		close(terminal);
	find_pwrtrace(path);
	if (!why && access(path, X_OK))
		why = "pwrtrace is not where it was installed";
	if (!why && (line = fork()) < 0)
		why = strerror(errno);
	if (line == 0)
		be_line(path, recorder);
	if (why)
		log_notice("--live shows no line: %s", why);
	return line;
}

void live_line_end(pid_t line)
{
	struct pollfd end = {.events = POLLIN};

	if (line < 0)
		return;
	end.fd = (int)syscall(SYS_pidfd_open, line, 0);
	kill(line, SIGTERM);
	if (end.fd < 0 || poll(&end, 1, CLEAR_MS) < 1)
		kill(line, SIGKILL);
	if (end.fd >= 0)
		close(end.fd);
	waitpid(line, NULL, 0);
}
