/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/print/message.h"
#include "analyzer/response/calibration/identify.h"
#include "pwrtrace/kernels.h"

#define JOIN_S 50e-6 /* a shorter gap is between two launches of one pulse */

static bool is_ours(const struct model *model, const struct model_execution *execution)
{
	const struct model_kernel *kernel =
		model_kernel_of(model, model_origin_of(model, execution));

	return kernel && strcmp(kernel->name, PWRTRACE_LOAD_KERNEL) == 0;
}

static bool ran_on(const struct model *model, const struct model_execution *execution, guint gpu)
{
	return model_is_timed(execution) && model_gpu_of(model, execution) == gpu;
}

struct load *identify_load(const struct model *model, guint gpu)
{
	struct load *load = NULL;
	bool ours = false;

	for (guint i = 0; i < model->executions->len && !ours; i++) {
		const struct model_execution *execution = model_execution_at(model, i);

		ours = ran_on(model, execution, gpu) && is_ours(model, execution);
	}
	for (guint i = 0; i < model->executions->len; i++) {
		const struct model_execution *execution = model_execution_at(model, i);

		if (!ran_on(model, execution, gpu))
			continue;
		if (!load)
			load = load_new(execution->begin_ns);
		load_add(load, !ours || is_ours(model, execution), execution->begin_ns,
			execution->end_ns);
	}
	if (load)
		load_finish(load, JOIN_S);
	return load;
}

/* ---- from a file ---- */

/* The length of a name without the digits at its end. */
static size_t family_length(const char *name)
{
	size_t length = strlen(name);

	while (length && name[length - 1] >= '0' && name[length - 1] <= '9')
		length--;
	return length;
}

/* One line of the file. */
struct csv_line {
	char *kernel;
	uint64_t begin_ns, end_ns;
};

static bool parse_time(const char *text, uint64_t *time_ns)
{
	char *end;

	errno = 0;
	*time_ns = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* Splits text, which is changed and stays the caller's, into the fields of a line. */
static bool parse_line(char *text, struct csv_line *line)
{
	char *begin, *end;

	text[strcspn(text, "\r\n")] = 0;
	end = strrchr(text, ',');
	if (!end)
		return false;
	*end++ = 0;
	begin = strrchr(text, ',');
	if (!begin)
		return false;
	*begin++ = 0;
	line->kernel = text;
	return *text && parse_time(begin, &line->begin_ns) && parse_time(end, &line->end_ns) &&
	       line->begin_ns < line->end_ns;
}

/* Returns NULL after printing which line is wrong. */
static struct load *read_lines(FILE *file, const char *path)
{
	char *text = NULL, *family = NULL;
	size_t capacity = 0;
	struct load *load = NULL;
	bool wrong = false, same = true;

	for (unsigned number = 1; !wrong && getline(&text, &capacity, file) >= 0; number++) {
		struct csv_line line;

		if (number == 1 && g_str_has_prefix(text, "kernel,begin_ns,end_ns"))
			continue;
		wrong = !parse_line(text, &line);
		if (wrong) {
			message_error("%s:%u: not kernel,begin_ns,end_ns; a load's times are those "
				      "of CLOCK_MONOTONIC",
				path, number);
			continue;
		}
		if (!load) {
			load = load_new(line.begin_ns);
			family = g_strndup(line.kernel, family_length(line.kernel));
		}
		same &= strlen(family) == family_length(line.kernel) &&
			g_str_has_prefix(line.kernel, family);
		load_add(load, same, line.begin_ns, line.end_ns);
	}
	if (!wrong && !load)
		message_error("%s: it has no launches", path);
	if (wrong && load) {
		load_free(load);
		load = NULL;
	}
	free(text);
	g_free(family);
	return load;
}

struct load *identify_load_csv(const char *path)
{
	FILE *file = fopen(path, "re");
	struct load *load;

	if (!file) {
		message_error("%s: %s", path, strerror(errno));
		return NULL;
	}
	load = read_lines(file, path);
	fclose(file);
	if (load)
		load_finish(load, JOIN_S);
	return load;
}
