/* SPDX-License-Identifier: MIT */
#include "preload/common/rendezvous.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "pwrtrace/units.h"

void rendezvous_new_id(char *id, size_t size)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	snprintf(id, size, "%d-%llx", (int)getpid(),
		(unsigned long long)now.tv_sec * PWRTRACE_NS_PER_S + now.tv_nsec);
}

/* An abstract address (leading NUL): it needs no directory and is gone with its last descriptor. */
static socklen_t address_of(struct sockaddr_un *address, const char *id)
{
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	int length = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
		"pwrtrace/%u/%s", (unsigned)geteuid(), id);

	return offsetof(struct sockaddr_un, sun_path) + 1 + length;
}

static int open_socket(
	const char *id, int (*attach)(int, const struct sockaddr *, socklen_t), int backlog)
{
	struct sockaddr_un address;
	socklen_t length = address_of(&address, id);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	if (attach(fd, (struct sockaddr *)&address, length) || (backlog && listen(fd, backlog))) {
		int why = errno;

		close(fd);
		errno = why;
		return -1;
	}
	return fd;
}

bool rendezvous_trusts(int fd, pid_t *peer)
{
	struct ucred credentials;
	socklen_t size = sizeof(credentials);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) ||
		credentials.uid != geteuid())
		return false;
	*peer = credentials.pid;
	return true;
}

int rendezvous_connect(const char *id)
{
	int fd = open_socket(id, connect, 0);
	pid_t recorder;

	if (fd < 0 || rendezvous_trusts(fd, &recorder))
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

int rendezvous_listen(const char *id)
{
	return open_socket(id, bind, 128);
}

int rendezvous_send(int fd, const char *word, const char *argument)
{
	char message[RENDEZVOUS_MESSAGE_MAX];
	int length = snprintf(message, sizeof(message), "%s %s", word, argument);

	if (length >= (int)sizeof(message))
		length = sizeof(message) - 1;
	return send(fd, message, length, MSG_NOSIGNAL) == length ? 0 : -1;
}

int rendezvous_receive(
	int fd, char word[RENDEZVOUS_MESSAGE_MAX], char **argument, uint64_t deadline_ns)
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
	ssize_t length;

	for (;;) {
		struct timespec now;
		int64_t left_ns;
		int ready;

		clock_gettime(CLOCK_MONOTONIC, &now);
		left_ns = (int64_t)(deadline_ns - (now.tv_sec * PWRTRACE_NS_PER_S + now.tv_nsec));
		ready = poll(&poll_fd, 1, left_ns > 0 ? (int)(left_ns / 1000000) + 1 : 0);
		if (ready > 0)
			break;
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready == 0)
			errno = ETIMEDOUT;
		return -1;
	}
	length = recv(fd, word, RENDEZVOUS_MESSAGE_MAX - 1, 0);
	if (length <= 0) {
		if (length == 0)
			errno = EPIPE;
		return -1;
	}
	word[length] = 0;
	*argument = strchr(word, ' ');
	if (*argument)
		*(*argument)++ = 0;
	else
		*argument = word + length;
	return 0;
}
