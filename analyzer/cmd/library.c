/* SPDX-License-Identifier: MIT */
/* pwrtrace library: keeps what recordings tell of kernels' powers. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/attribute/attribution.h"
#include "analyzer/cmd/command.h"
#include "analyzer/library/library.h"
#include "analyzer/load/load.h"
#include "analyzer/print/message.h"
#include "analyzer/print/output.h"

/* The options, for command_parse. */
struct library_options {
	struct command_options common;
	const char *output;
	bool keep;
};

/* Adds what the fits of a trace tell.  Returns false, after an error message, where that is
 * nothing. */
static bool add_fits(struct library *library, const struct model *model, const char *trace)
{
	struct attribution *attribution = attribution_new(model, &(struct attribution_options){0});
	guint told = 0;

	for (guint i = 0; i < attribution->fits->len; i++) {
		struct library_message *message =
			library_tell(library, model, g_ptr_array_index(attribution->fits, i));

		told += message != NULL;
		if (message && !library_add(library, message))
			message_warn("%s is in the library already, and counts once", trace);
	}
	if (!told)
		message_error("%s tells no powers: it has too few readings for a fit, or nothing "
			      "ran that it could tell apart",
			trace);
	attribution_free(attribution);
	return told;
}

static bool add_trace(struct library *library, char *trace)
{
	struct model *model = load_traces((char *[]){trace, NULL}, &(struct load_options){0});
	bool added = model && add_fits(library, model, trace);

	if (model)
		model_free(model);
	return added;
}

static bool add_library(struct library *library, const char *path)
{
	struct library *other = library_read(path);

	if (!other)
		return false;
	library_merge(library, other);
	library_free(other);
	return true;
}

/* A directory is a trace, and anything else a library. */
static bool add(struct library *library, char *argument)
{
	struct stat about;

	if (stat(argument, &about) == 0 && S_ISREG(about.st_mode))
		return add_library(library, argument);
	return add_trace(library, argument);
}

static bool write_to(const struct library *library, const char *path)
{
	struct output output;

	if (!output_open(&output, path))
		return false;
	library_write(output.file, library);
	return output_close(&output);
}

/* Adds the user's own library, as far as there is one, and writes all of it there. */
static bool keep(struct library *library, const char *path)
{
	char *directory = g_path_get_dirname(path);
	bool made = g_mkdir_with_parents(directory, 0700) == 0;

	if (!made)
		message_error("%s cannot be made: %s", directory, strerror(errno));
	g_free(directory);
	return made && (!g_file_test(path, G_FILE_TEST_EXISTS) || add_library(library, path)) &&
	       write_to(library, path);
}

static bool make(const struct library_options *options)
{
	struct library *library = library_new();
	char *own = library_own_path();
	bool made = true;

	for (char *const *argument = options->common.arguments; made && *argument; argument++)
		made = add(library, *argument);
	if (made && options->keep)
		made = keep(library, own);
	if (made && (options->output || !options->keep))
		made = write_to(library, options->output);
	g_free(own);
	library_free(library);
	return made;
}

static int run(int argc, char **argv)
{
	struct library_options options = {.keep = false};
	int status = command_parse(&command_library, argc, argv, &options);

	if (status || options.common.done)
		return status;
	return make(&options) ? COMMAND_FINE : COMMAND_BAD_INPUT;
}

static const struct command_option options[] = {
	{"output", 'o', "FILE", "write there", .take = command_take_text,
		.offset = offsetof(struct library_options, output)},
	{"keep", 0, NULL, "add to your own library, which every report finds",
		.take = command_take_flag, .offset = offsetof(struct library_options, keep)},
	{0},
};

const struct command command_library = {
	.name = "library",
	.help = "keep what recordings tell of kernels' powers, for report --library",
	.synopsis = (const char *const[]){"[OPTION]... TRACE|FILE...", NULL},
	.about = "Writes what the traces tell of the power of each kernel, merged with libraries "
		 "that were made before.  pwrtrace report --library FILE uses it where readings "
		 "tell less.",
	.options = options,
	.traces = true,
	.run = run,
};
