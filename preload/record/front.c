/* SPDX-License-Identifier: MIT */
#include "preload/record/front.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/common/log.h"
#include "preload/record/ending_signals.h"
#include "preload/record/live_line.h"
#include "preload/record/session.h"

#define INHERITED_MAX 1024
#define ORPHANS_MS 1000 /* how often they are looked for */

/* ---- the recorder's side ---- */

static bool inherited[INHERITED_MAX];

/* Remembers which descriptors the shell has given us: our own are closed on exec. */
static void note_inherited(void)
{
	for (int fd = 0; fd < INHERITED_MAX; fd++) {
		int flags = fcntl(fd, F_GETFD);

		inherited[fd] = flags >= 0 && !(flags & FD_CLOEXEC);
	}
}

void front_ready(int link, const char *why)
{
	send(link, why, strlen(why) + 1, MSG_NOSIGNAL);
}

void front_done(int *link)
{
	if (*link < 0)
		return;
	front_ready(*link, "");
	close(*link);
	*link = -1;
}

void front_leave(int *link)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd < INHERITED_MAX; fd++)
		if (inherited[fd])
			dup2(null, fd);
	close(null);
	front_done(link);
}

/* ---- both ---- */

/* What is sent to the process group, as batch systems do with SIGUSR1, is for the program: it must
 * not end the front, which lives as long as that.  Faults, stops and what front_serve takes stay.
 */
static void outlive_signals(void)
{
	static const int kept[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGILL, SIGTRAP, SIGABRT,
		SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGTSTP, SIGTTIN, SIGTTOU};
	sigset_t blocked;

	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		sigdelset(&blocked, kept[i]);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
}

pid_t front_split(int *link)
{
	int ends[2];
	pid_t recorder;

	note_inherited();
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -1;
	recorder = fork();
	*link = ends[recorder ? 0 : 1];
	close(ends[recorder ? 1 : 0]);
	if (recorder == 0)
		setsid();
	else
		outlive_signals();
	return recorder;
}

/* ---- the front's side ---- */

int front_await_ready(int link, char *why)
{
	ssize_t length;

	while ((length = recv(link, why, SESSION_WHY_MAX - 1, 0)) < 0 && errno == EINTR)
		;
	why[length > 0 ? length : 0] = 0;
	if (length <= 0)
		strcpy(why, "the recorder has died");
	return *why ? -1 : 0;
}

/* The terminal's Ctrl-C and Ctrl-\ reach the program by themselves; what a process sends to us is
 * passed on.  Once the program has ended, any of them means not to wait for those that it left. */
static void pass_on(
	int signal_fd, const struct program *program, bool program_ended, pid_t recorder)
{
	struct signalfd_siginfo info;

	if (read(signal_fd, &info, sizeof(info)) != sizeof(info))
		return;
	if (program_ended)
		kill(recorder, SIGTERM);
	else if (info.ssi_code <= 0 || info.ssi_signo == SIGHUP)
		kill(program->pid, (int)info.ssi_signo);
}

/* The first process of a container is the parent of all that lose theirs. */
static void reap_orphans(pid_t recorder, pid_t program, pid_t line)
{
	siginfo_t ended = {.si_pid = 0};

	while (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid &&
		ended.si_pid != recorder && ended.si_pid != program && ended.si_pid != line) {
		waitpid(ended.si_pid, NULL, 0);
		ended.si_pid = 0;
	}
}

int front_serve(int link, pid_t recorder, struct program *program, pid_t line)
{
	enum { SIGNAL, RECORDER, PROGRAM, FDS };
	struct pollfd fds[FDS];
	bool is_init = getpid() == 1;
	char said;

	fds[SIGNAL].fd = ending_signals_open();
	fds[RECORDER].fd = link;
	fds[PROGRAM].fd = (int)syscall(SYS_pidfd_open, program->pid, 0);
	for (int i = 0; i < FDS; i++)
		fds[i].events = POLLIN;
	program_start(program);
	while (fds[RECORDER].fd >= 0 || fds[PROGRAM].fd >= 0) {
		if (poll(fds, FDS, is_init ? ORPHANS_MS : -1) < 0) {
			if (errno == EINTR)
				continue;
			break;
		}
		if (is_init)
			reap_orphans(recorder, program->pid, line);
		if (fds[SIGNAL].revents)
			pass_on(fds[SIGNAL].fd, program, fds[PROGRAM].fd < 0, recorder);
		if (fds[RECORDER].revents) {
			if (recv(link, &said, sizeof(said), 0) <= 0)
				log_error("the recorder has died; the trace may be unreadable");
			fds[RECORDER].fd = -1;
		}
		if (fds[PROGRAM].revents) {
			fds[PROGRAM].fd = -1;
			live_line_end(line);
		}
	}
	return program_wait(program);
}
