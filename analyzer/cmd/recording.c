/* SPDX-License-Identifier: MIT */
#include "analyzer/cmd/recording.h"

#include <glib.h>
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/cmd/online.h"
#include "analyzer/print/message.h"

static void print_on_stderr(gpointer data)
{
	(void)data;
	dup2(STDERR_FILENO, STDOUT_FILENO);
}

bool recording_make(
	const char *trace, char *const *command, const char *const *options, char **environment)
{
	char program[PATH_MAX];
	GPtrArray *words = g_ptr_array_new();
	GError *error = NULL;
	int status = 0;
	bool fine;

	online_path(program, "pwrtrace-record");
	g_ptr_array_add(words, program);
	if (message_quiet)
		g_ptr_array_add(words, "-q");
	g_ptr_array_add(words, "-o");
	g_ptr_array_add(words, (gpointer)trace);
	for (; options && *options; options++)
		g_ptr_array_add(words, (gpointer)*options);
	g_ptr_array_add(words, "--");
	for (; *command; command++)
		g_ptr_array_add(words, *command);
	g_ptr_array_add(words, NULL);
	fine = g_spawn_sync(NULL, (char **)words->pdata, environment, G_SPAWN_CHILD_INHERITS_STDIN,
		print_on_stderr, NULL, NULL, NULL, &status, &error);
	if (!fine) {
		message_error("%s; install pwrtrace whole", error->message);
		g_error_free(error);
	} else if (status) {
		message_error("the program, or its recording, ended with exit status %d",
			WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	}
	g_ptr_array_free(words, TRUE);
	g_strfreev(environment);
	return fine && !status;
}
