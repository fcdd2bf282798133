/* SPDX-License-Identifier: MIT */
#include "analyzer/print/input.h"

#include <glib.h>

#include "analyzer/print/message.h"

json_t *input_json(const char *path, const char *what, const char *command)
{
	json_t *root = NULL;
	json_error_t error;

	/* A directory can be opened, and would be JSON that ends too early. */
	if (g_file_test(path, G_FILE_TEST_IS_DIR))
		message_error("%s is a directory and no %s; make one with %s", path, what, command);
	else if ((root = json_load_file(path, 0, &error)) == NULL && error.line > 0)
		message_error("%s:%d is no %s: %s; make one with %s", path, error.line, what,
			error.text, command);
	else if (!root)
		message_error("%s; make a %s with %s", error.text, what, command);
	return root;
}
