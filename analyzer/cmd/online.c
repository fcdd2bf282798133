/* SPDX-License-Identifier: MIT */
#include "analyzer/cmd/online.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/print/message.h"
#include "analyzer/print/text.h"

#define CANNOT_EXECUTE 126 /* the shell's exit status for this */

void online_path(char path[PATH_MAX], const char *program)
{
	static const char place[] = "/../lib/pwrtrace/";
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *slash;

	path[length > 0 ? length : 0] = 0;
	slash = strrchr(path, '/');
	if (slash)
		g_snprintf(slash, (gulong)(PATH_MAX - (slash - path)), "%s%s", place, program);
}

void online_exec(const char *program, char *const *argv)
{
	char path[PATH_MAX];

	online_path(path, program);
	execv(path, argv);
	message_error("%s: %s; install pwrtrace whole", path, strerror(errno));
}

/* A file that holds the text, to be read from its begin; NULL where it cannot be made. */
static FILE *file_of(const char *text)
{
	FILE *file = tmpfile();

	if (file && (fputs(text, file) < 0 || fflush(file))) {
		fclose(file);
		file = NULL;
	}
	if (file)
		rewind(file);
	return file;
}

static int wait_for(pid_t child, const char *program)
{
	int status = -1;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	message_error("%s ended by signal %d", program, WTERMSIG(status));
	return -1;
}

int online_run(const char *program, char *const *argv, const char *input)
{
	FILE *file = input ? file_of(input) : NULL;
	pid_t child;

	if (input && !file) {
		message_error("no room for a temporary file: %s", strerror(errno));
		return -1;
	}
	child = fork();
	if (child == 0) {
		if (file)
			dup2(fileno(file), STDIN_FILENO);
		online_exec(program, argv);
		_exit(CANNOT_EXECUTE);
	}
	if (file)
		fclose(file);
	if (child < 0) {
		message_error("%s: %s", program, strerror(errno));
		return -1;
	}
	return wait_for(child, program);
}

int online_show(const char *program, char *const *argv)
{
	int ends[2];
	FILE *output = pipe2(ends, O_CLOEXEC) ? NULL : fdopen(ends[0], "re");
	pid_t child = output ? fork() : -1;
	char *line = NULL;
	size_t capacity = 0;

	if (child == 0) {
		dup2(ends[1], STDOUT_FILENO);
		online_exec(program, argv);
		_exit(CANNOT_EXECUTE);
	}
	if (child < 0) {
		message_error("%s: %s", program, strerror(errno));
		return -1;
	}
	close(ends[1]);
	while (getline(&line, &capacity, output) >= 0) {
		char *valid = text_valid(line);

		fputs(valid, stdout);
		g_free(valid);
	}
	free(line);
	fclose(output);
	return wait_for(child, program);
}
