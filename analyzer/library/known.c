/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "analyzer/library/library.h"

#define KNOWN 0.05 /* relative deviation: a replay would hardly tell more */

static bool is_known(const struct library_class *class)
{
	return strcmp(class->work.kind, "kernel") == 0 && !strpbrk(class->work.name, "\t\n") &&
	       class->deviation_w < KNOWN * class->dynamic_w;
}

void library_write_known(FILE *out, const struct library *library)
{
	for (guint m = 0; m < library->messages->len; m++) {
		const struct library_message *message = g_ptr_array_index(library->messages, m);

		for (guint i = 0; i < message->classes->len; i++) {
			const struct library_class *class =
				&g_array_index(message->classes, struct library_class, i);
			const struct library_work *work = &class->work;

			if (is_known(class))
				fprintf(out,
					"%s\t%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
					",%" G_GUINT64_FORMAT "\t%u,%u,%u\t%u\n",
					work->name, work->grid[0], work->grid[1], work->grid[2],
					work->block[0], work->block[1], work->block[2],
					work->shared_bytes);
		}
	}
}
