/* SPDX-License-Identifier: MIT */
#include "analyzer/view/ctf/ctf_analyses.h"

#include <glib.h>

extern const char ctf_analyses_text[];

__asm__(".section .rodata\n"
	".globl ctf_analyses_text\n"
	"ctf_analyses_text:\n.incbin \"analyzer/view/ctf/pwrtrace.xml\"\n.byte 0\n.previous");

bool ctf_analyses_write(const char *directory)
{
	char *path = g_build_filename(directory, "pwrtrace.xml", NULL);
	bool written = g_file_set_contents_full(
		path, ctf_analyses_text, -1, G_FILE_SET_CONTENTS_NONE, 0666, NULL);

	g_free(path);
	return written;
}
