/* SPDX-License-Identifier: MIT */
#include "analyzer/print/output.h"

#include <errno.h>
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
