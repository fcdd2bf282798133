/* SPDX-License-Identifier: MIT */
#include "analyzer/print/output.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/print/message.h"

/* The temporary file is in the target's directory: rename() works only within a file system.
 * Returns NULL with errno set where it cannot be made. */
static FILE *open_temporary(struct output *output)
{
	mode_t mask = umask(0);
	FILE *file;
	int fd;

	umask(mask);
	output->temporary = g_strdup_printf("%s.XXXXXX", output->target);
	fd = mkstemp(output->temporary);
	if (fd < 0)
		return NULL;
	file = fchmod(fd, 0666 & ~mask) ? NULL : fdopen(fd, "w");
	if (!file) {
		close(fd);
		unlink(output->temporary);
	}
	return file;
}

bool output_open(struct output *output, const char *path)
{
	struct stat status;

	*output = (struct output){.file = stdout, .path = path};
	if (!path)
		return true;
	/* Devices and pipes are written to in place: to replace them would be wrong. */
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		output->file = fopen(path, "we");
	} else {
		char *real = realpath(path, NULL);

		output->target = g_strdup(real ? real : path);
		free(real);
		output->file = open_temporary(output);
	}
	if (!output->file)
		message_error("%s cannot be written: %s", path, strerror(errno));
	return output->file;
}

bool output_finish(void)
{
	bool failed = fflush(stdout) != 0 || ferror(stdout);

	if (failed)
		message_error(
			"the standard output could not be written whole: %s", strerror(errno));
	return !failed;
}

bool output_close(struct output *output)
{
	bool failed;

	if (!output->path)
		return output_finish();
	failed = ferror(output->file);
	failed |= fclose(output->file) != 0;
	if (!failed && output->target)
		failed = rename(output->temporary, output->target) != 0;
	if (failed)
		message_error("%s could not be written whole: %s", output->path, strerror(errno));
	if (failed && output->temporary)
		unlink(output->temporary);
	g_free(output->target);
	g_free(output->temporary);
	return !failed;
}

/* ---- directories ---- */

/* Why a directory cannot be made there: what is there already; NULL: it can. */
static const char *what_is_there(const char *path)
{
	GDir *directory = g_dir_open(path, 0, NULL);
	bool empty = directory && !g_dir_read_name(directory);

	if (directory)
		g_dir_close(directory);
	if (empty || !g_file_test(path, G_FILE_TEST_EXISTS))
		return NULL;
	return directory                               ? "is not empty"
	       : g_file_test(path, G_FILE_TEST_IS_DIR) ? "cannot be read"
						       : "is no directory";
}

bool output_directory_open(struct output_directory *directory, const char *path)
{
	mode_t mask = umask(0);
	size_t length = strlen(path);
	const char *there = what_is_there(path);

	umask(mask);
	if (there) {
		message_error("%s exists and %s; name another directory with -o", path, there);
		return false;
	}
	while (length > 1 && path[length - 1] == '/')
		length--;
	directory->path = g_strndup(path, length);
	directory->temporary = g_strconcat(directory->path, ".XXXXXX", NULL);
	if (mkdtemp(directory->temporary) && chmod(directory->temporary, 0777 & ~mask) == 0)
		return true;
	message_error("%s cannot be written: %s", path, strerror(errno));
	g_free(directory->path);
	g_free(directory->temporary);
	return false;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	return remove(path);
}

void output_directory_remove(const char *path)
{
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Why nothing more can be written into a directory, where who failed to does not say. */
static const char *why_not(const char *directory)
{
	char *path = g_build_filename(directory, "probe", NULL);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	int error = fd < 0 ? errno : posix_fallocate(fd, 0, 1 << 20);

	if (fd >= 0)
		close(fd);
	g_free(path);
	return error ? strerror(error) : "a library that writes it failed";
}

bool output_directory_close(struct output_directory *directory, bool written)
{
	if (!written)
		message_error("%s could not be written whole: %s", directory->path,
			why_not(directory->temporary));
	else if (rename(directory->temporary, directory->path) != 0) {
		message_error("%s cannot be written: %s", directory->path, strerror(errno));
		written = false;
	}
	if (!written)
		output_directory_remove(directory->temporary);
	g_free(directory->path);
	g_free(directory->temporary);
	return written;
}
