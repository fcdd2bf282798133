/* SPDX-License-Identifier: MIT */
#include "preload/power/kept_response.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/common/conf.h"

#define FIRST_LINE "pwrtrace-response 1\n"
#define LINE_MAX_BYTES 512

/* Which device and driver a file is of, and whether the wanted sensor is in it. */
struct kept_file {
	char device[LINE_MAX_BYTES], driver[LINE_MAX_BYTES];
	bool has_sensor;
};

/* ---- lines ---- */

static bool read_u64(const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	return isdigit((unsigned char)*text) && !*end && !errno;
}

static bool read_number(const char *text, double *value)
{
	*value = conf_number(text);
	return isfinite(*value);
}

static bool read_tap(const char *text, struct kept_response *response)
{
	struct kept_tap *tap = &response->taps[response->tap_count];
	char *end;

	if (response->tap_count == KEPT_TAPS_MAX)
		return false;
	errno = 0;
	tap->lag_ns = strtoll(text, &end, 10);
	if (errno || end == text || *end != ' ' || !read_number(end + 1, &tap->weight))
		return false;
	response->tap_count++;
	return true;
}

static bool read_value(const char *word, const char *text, struct kept_response *response)
{
	const struct {
		const char *word;
		uint64_t *time_ns;
		double *number;
	} rows[] = {
		{"period_ns", &response->period_ns, NULL},
		{"window_ns", &response->window_ns, NULL},
		{"lag_ns", &response->lag_ns, NULL},
		{"jitter_ns", &response->jitter_ns, NULL},
		{"noise_w", NULL, &response->noise_w},
		{"gain", NULL, &response->gain},
		{"off_grid", NULL, &response->off_grid},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (strcmp(rows[i].word, word) == 0)
			return rows[i].time_ns ? read_u64(text, rows[i].time_ns)
					       : read_number(text, rows[i].number);
	return strcmp(word, "tap") == 0 && read_tap(text, response);
}

static void clear(struct kept_response *response)
{
	*response = (struct kept_response){.period_ns = PWRTRACE_UNKNOWN_U64,
		.window_ns = PWRTRACE_UNKNOWN_U64,
		.lag_ns = PWRTRACE_UNKNOWN_U64,
		.jitter_ns = PWRTRACE_UNKNOWN_U64,
		.noise_w = NAN,
		.gain = NAN,
		.off_grid = NAN};
}

static void copy(char *to, size_t size, const char *text)
{
	snprintf(to, size, "%s", text);
}

/*
 * Reads a whole file.  kept becomes its device and driver, response what it says of the sensor
 * that wanted names; wanted NULL: of the last.  Returns the number of the line that is wrong, or 0.
 */
static unsigned read_lines(
	FILE *file, struct kept_file *kept, struct kept_response *response, const char *wanted)
{
	char line[LINE_MAX_BYTES], calibrated[sizeof(response->calibrated)] = "";
	struct kept_response other = {0}, *into = NULL;
	unsigned number = 1;

	*kept = (struct kept_file){0};
	if (!fgets(line, sizeof(line), file) || strcmp(line, FIRST_LINE) != 0)
		return number;
	for (number++; fgets(line, sizeof(line), file); number++) {
		char *text = line + strcspn(line, " \n");
		bool named = *text == ' ';

		line[strcspn(line, "\n")] = 0;
		if (named)
			*text++ = 0;
		if (strcmp(line, "device") == 0) {
			copy(kept->device, sizeof(kept->device), text);
		} else if (strcmp(line, "driver") == 0) {
			copy(kept->driver, sizeof(kept->driver), text);
		} else if (strcmp(line, "calibrated") == 0) {
			copy(calibrated, sizeof(calibrated), text);
		} else if (strcmp(line, "sensor") == 0) {
			bool this = !wanted || strcmp(text, wanted) == 0;

			into = this ? response : &other;
			kept->has_sensor |= this;
			clear(into);
			copy(into->calibrated, sizeof(into->calibrated), calibrated);
		} else if (!named || !into || !read_value(line, text, into)) {
			return number;
		}
	}
	return *kept->device && into ? 0 : number;
}

/* ---- where it lies ---- */

static const char *text_of(const char *text)
{
	return text ? text : "";
}

static int directory_of(char directory[PATH_MAX])
{
	const char *config = text_of(getenv("XDG_CONFIG_HOME")), *home = text_of(getenv("HOME"));
	int length;

	/* A relative one is to be ignored (XDG Base Directory Specification). */
	if (*config == '/')
		length = snprintf(directory, PATH_MAX, "%s/pwrtrace/responses", config);
	else if (*home == '/')
		length = snprintf(directory, PATH_MAX, "%s/.config/pwrtrace/responses", home);
	else
		return -1;
	return length < PATH_MAX / 2 ? 0 : -1;
}

/* Appends a name behind a character, with what might not be one of a file replaced. */
static void append_name(char path[PATH_MAX], char first, const char *name)
{
	size_t used = strlen(path);

	path[used++] = first;
	for (; *name && used + 2 < PATH_MAX; name++)
		path[used++] = isalnum((unsigned char)*name) || strchr("-_.+", *name) ? *name : '_';
	path[used] = 0;
}

static int path_of(char path[PATH_MAX], const char *device, const char *driver)
{
	if (directory_of(path))
		return -1;
	append_name(path, '/', device);
	append_name(path, '@', driver);
	return 0;
}

static bool read_kept(
	struct kept_response *response, const char *source, const struct power_sensor *sensor)
{
	char path[PATH_MAX], wanted[LINE_MAX_BYTES];
	struct kept_file kept;
	unsigned wrong;
	FILE *file;

	if (path_of(path, text_of(sensor->device), text_of(sensor->driver)))
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	snprintf(wanted, sizeof(wanted), "%s\t%s\t%s", source, sensor->domain, sensor->quantity);
	wrong = read_lines(file, &kept, response, wanted);
	fclose(file);
	/* Names that differ only in what was replaced have the same file. */
	return !wrong && kept.has_sensor && strcmp(kept.device, text_of(sensor->device)) == 0 &&
	       strcmp(kept.driver, text_of(sensor->driver)) == 0;
}

static void apply(uint64_t *time_ns, uint64_t measured_ns)
{
	if (measured_ns != PWRTRACE_UNKNOWN_U64)
		*time_ns = measured_ns;
}

bool kept_response_apply(
	struct kept_response *response, const char *source, struct power_sensor *sensor)
{
	if (!read_kept(response, source, sensor))
		return false;
	apply(&sensor->period_ns, response->period_ns);
	apply(&sensor->window_ns, response->window_ns);
	apply(&sensor->lag_ns, response->lag_ns);
	return true;
}

/* ---- keeping ---- */

static int make_directories(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		if (mkdir(path, 0777) && errno != EEXIST)
			return -1;
		*slash = '/';
	}
	return 0;
}

static int copy_whole(FILE *from, const char *path)
{
	char block[4096];
	size_t length;
	FILE *to = fopen(path, "we");
	int failed;

	if (!to)
		return -1;
	rewind(from);
	while ((length = fread(block, 1, sizeof(block), from)) > 0)
		fwrite(block, 1, length, to);
	failed = ferror(from) || ferror(to) || fflush(to) || fsync(fileno(to));
	return fclose(to) || failed ? -1 : 0;
}

static int replace(FILE *text, char *path)
{
	char temporary[PATH_MAX + 32];
	int error;

	snprintf(temporary, sizeof(temporary), "%s.%d", path, (int)getpid());
	if (make_directories(path))
		return -1;
	if (copy_whole(text, temporary) == 0 && rename(temporary, path) == 0)
		return 0;
	error = errno;
	unlink(temporary);
	errno = error;
	return -1;
}

int kept_response_write(FILE *text, char *where, size_t size)
{
	struct kept_response response;
	struct kept_file kept;
	char path[PATH_MAX];
	unsigned wrong = read_lines(text, &kept, &response, NULL);

	if (wrong) {
		snprintf(where, size, "line %u is not one of a response", wrong);
		return -1;
	}
	if (path_of(path, kept.device, kept.driver)) {
		snprintf(where, size, "neither XDG_CONFIG_HOME nor HOME names a directory");
		return -1;
	}
	if (replace(text, path)) {
		snprintf(where, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	snprintf(where, size, "%s", path);
	return 0;
}
