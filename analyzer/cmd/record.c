/* SPDX-License-Identifier: MIT */
/*
 * pwrtrace record is a program of its own, of the online half: this hands over to it.  What a
 * library knows is handed over as a list of kernels that need no replay.
 */
#include <errno.h>
#include <string.h>

#include "analyzer/cmd/command.h"
#include "analyzer/cmd/online.h"
#include "analyzer/library/library.h"
#include "analyzer/print/message.h"
#include "analyzer/print/output.h"

#define EXIT_CANNOT_RECORD 125 /* as pwrtrace-record(1) states it */
#define KNOWN "PWRTRACE_REPLAY_KNOWN"
#define LIBRARY "--library"

/* Whether the next word belongs to an option of pwrtrace-record. */
static bool takes_next(const char *option)
{
	static const char *const options[] = {
		"-o", "--output", "--power", "--layers", "--graphs", "--replay-budget", "--tag"};

	for (size_t i = 0; i < G_N_ELEMENTS(options); i++)
		if (strcmp(option, options[i]) == 0)
			return true;
	return false;
}

/* Removes the first of some words. */
static void remove_word(char **words)
{
	for (; *words; words++)
		words[0] = words[1];
}

/* Takes --library out of the options.  Returns its argument, "" where that is missing, or NULL:
 * there is no such option. */
static const char *take_library(char **argv)
{
	const char *found = NULL;

	for (argv++; *argv && **argv == '-' && strcmp(*argv, "--") != 0;) {
		bool next = takes_next(*argv) && argv[1];

		if (g_str_has_prefix(*argv, LIBRARY "=")) {
			found = *argv + strlen(LIBRARY "=");
			remove_word(argv);
		} else if (strcmp(*argv, LIBRARY) == 0) {
			found = argv[1] ? argv[1] : "";
			remove_word(argv);
			remove_word(argv);
		} else {
			argv += next ? 2 : 1;
		}
	}
	return found;
}

/* Where the list lies: a name for each library, so that the same one is not written again and
 * again.  NULL after an error message; else g_free it. */
static char *list_path(const char *library)
{
	char *directory = g_build_filename(g_get_user_cache_dir(), "pwrtrace", NULL);
	char *whole = g_canonicalize_filename(library, NULL), *path = NULL;
	char *name = g_compute_checksum_for_string(G_CHECKSUM_SHA256, whole, -1);

	if (g_mkdir_with_parents(directory, 0700) == 0)
		path = g_strdup_printf("%s/known-%.16s", directory, name);
	else
		message_error("%s cannot be made: %s", directory, strerror(errno));
	g_free(directory);
	g_free(whole);
	g_free(name);
	return path;
}

/* Writes the kernels that a library knows, and says where, unless that is said already.  Returns
 * false after an error message. */
static bool hand_over_known(const char *path)
{
	struct library *library = library_read(path);
	char *list = library ? list_path(path) : NULL;
	struct output output;
	bool written = list && output_open(&output, list);

	if (written) {
		library_write_known(output.file, library);
		written = output_close(&output);
	}
	if (written)
		g_setenv(KNOWN, list, FALSE);
	g_free(list);
	library_free(library);
	return written;
}

static int run(int argc, char **argv)
{
	const char *library = take_library(argv);

	(void)argc;
	if (library && !*library)
		return command_misused(&command_record, LIBRARY " takes a file");
	if (library && strcmp(library, "none") != 0 && !hand_over_known(library))
		return EXIT_CANNOT_RECORD;
	online_exec("pwrtrace-record", argv);
	return EXIT_CANNOT_RECORD;
}

const struct command command_record = {
	.name = "record",
	.help = "run a program and record what its GPU does and what power that takes",
	.run = run,
};
