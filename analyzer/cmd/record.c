/* SPDX-License-Identifier: MIT */
/* pwrtrace record is a program of its own, of the online half: this hands over to it. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/cmd/command.h"
#include "analyzer/message.h"

#define EXIT_CANNOT_RECORD 125

static int run(int argc, char **argv)
{
	static const char place[] = "/../lib/pwrtrace/pwrtrace-record";
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - sizeof(place));
	char *slash;

	(void)argc;
	path[length > 0 ? length : 0] = 0;
	slash = strrchr(path, '/');
	if (slash)
		strcpy(slash, place);
	execv(path, argv);
	message_error("%s: %s; install pwrtrace whole", path, strerror(errno));
	return EXIT_CANNOT_RECORD;
}

const struct command command_record = {
	.name = "record",
	.help = "run a program and record what its GPU does and what power that takes",
	.run = run,
};
