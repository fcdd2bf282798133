/* SPDX-License-Identifier: MIT */
#include "analyzer/cmd/sweep.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/cmd/recording.h"
#include "analyzer/print/message.h"

/* What is swept. */
struct sweep {
	char *name, *place; /* "batch", "{batch}" */
	char **values;
	const char *set;
	char *const *command;
	char *directory;
};

static char *replaced(const struct sweep *sweep, const char *text, const char *value)
{
	char **parts = g_strsplit(text, sweep->place, -1);
	char *joined = g_strjoinv(value, parts);

	g_strfreev(parts);
	return joined;
}

/* Returns false after an error message. */
static bool prepare(const struct sweep *sweep, const char *value)
{
	char *line, *words[] = {"/bin/sh", "-c", NULL, NULL};
	GError *error = NULL;
	int status;
	bool fine;

	if (!sweep->set)
		return true;
	line = words[2] = replaced(sweep, sweep->set, value);
	fine = g_spawn_sync(NULL, words, NULL, G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL,
		       &status, &error) &&
	       g_spawn_check_wait_status(status, &error);
	if (!fine) {
		message_error("--set for %s=%s: %s", sweep->name, value, error->message);
		g_error_free(error);
	}
	g_free(line);
	return fine;
}

/* Returns the path of the trace; NULL after an error message. */
static char *record(const struct sweep *sweep, const char *value)
{
	char *tag = g_strdup_printf("%s=%s", sweep->name, value);
	char *file = g_strdelimit(g_strdup(tag), "/", '_');
	char *trace = g_build_filename(sweep->directory, file, NULL);
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	for (char *const *word = sweep->command; *word; word++)
		g_ptr_array_add(words, replaced(sweep, *word, value));
	g_ptr_array_add(words, NULL);
	if (!recording_make(trace, (char *const *)words->pdata,
		    (const char *const[]){"--tag", tag, NULL}, NULL)) {
		message_error("%s: is left out", tag);
		g_clear_pointer(&trace, g_free);
	}
	g_ptr_array_free(words, TRUE);
	g_free(file);
	g_free(tag);
	return trace;
}

static GPtrArray *record_all(const struct sweep *sweep)
{
	guint count = g_strv_length(sweep->values);
	GPtrArray *traces = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < count; i++) {
		const char *value = sweep->values[i];
		char *trace = NULL;

		message_warn("%s=%s (%u of %u)", sweep->name, value, i + 1, count);
		if (prepare(sweep, value))
			trace = record(sweep, value);
		if (trace)
			g_ptr_array_add(traces, trace);
	}
	if (!traces->len) {
		message_error("no run of the sweep was recorded");
		g_ptr_array_free(traces, TRUE);
		return NULL;
	}
	message_warn("the traces are in %s", sweep->directory);
	g_ptr_array_add(traces, NULL);
	return traces;
}

GPtrArray *sweep_run(const char *text, const char *set, char *const *command)
{
	const char *equals = strchr(text, '=');
	struct sweep sweep = {.set = set, .command = command};
	GPtrArray *traces = NULL;

	sweep.name = g_strndup(text, (gsize)(equals - text));
	sweep.place = g_strdup_printf("{%s}", sweep.name);
	sweep.values = g_strsplit(equals + 1, ",", -1);
	sweep.directory = g_strdup_printf("pwrtrace-frontier-%d", (int)getpid());
	if (mkdir(sweep.directory, 0777) == 0)
		traces = record_all(&sweep);
	else
		message_error("%s cannot be made: %s", sweep.directory, strerror(errno));
	g_strfreev(sweep.values);
	g_free(sweep.directory);
	g_free(sweep.place);
	g_free(sweep.name);
	return traces;
}
