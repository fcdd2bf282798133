/* SPDX-License-Identifier: MIT */
#include "preload/engine/replay/known.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/common/conf.h"
#include "preload/common/log.h"
#include "preload/engine/gpu/definitions.h"

static char **lines; /* sorted */
static size_t count;
static unsigned taken;

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Takes a line, which was allocated. */
static bool add(char *line)
{
	char **more = realloc(lines, (count + 1) * sizeof(*lines));

	if (!more)
		return false;
	lines = more;
	lines[count++] = line;
	return true;
}

void known_start(void)
{
	FILE *file = *conf.replay_known ? fopen(conf.replay_known, "re") : NULL;
	char *line = NULL;
	size_t room = 0;

	if (!file) {
		if (*conf.replay_known)
			log_error("PWRTRACE_REPLAY_KNOWN=%s: %s; all kernels are replayed",
				conf.replay_known, strerror(errno));
		return;
	}
	while (getline(&line, &room, file) > 0) {
		line[strcspn(line, "\n")] = 0;
		if (!add(line))
			break;
		line = NULL;
	}
	free(line);
	fclose(file);
	qsort(lines, count, sizeof(*lines), by_text);
}

bool known_take(uint32_t kernel)
{
	const struct gpu_kernel *class = gpu_kernel(kernel);
	char *line;
	bool has;

	if (!count ||
		asprintf(&line, "%s\t%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\t%u,%u,%u\t%u",
			gpu_name(class->name), class->global[0], class->global[1], class->global[2],
			class->local[0], class->local[1], class->local[2], class->shared_bytes) < 0)
		return false;
	has = bsearch(&line, lines, count, sizeof(*lines), by_text);
	free(line);
	__atomic_fetch_add(&taken, has, __ATOMIC_RELAXED);
	return has;
}

void known_end(void)
{
	unsigned classes = __atomic_load_n(&taken, __ATOMIC_RELAXED);

	if (classes)
		log_notice("replay: %u class%s known, and not replayed (%s)", classes,
			classes == 1 ? " is" : "es are", conf.replay_known);
}
