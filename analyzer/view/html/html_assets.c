/* SPDX-License-Identifier: MIT */
#include "analyzer/view/html/html_assets.h"

/* The file of a name, which the assembler finds in the room or in the build. */
#define ASSET(name, file)                                                                          \
	extern const char name##_begin[], name##_end[];                                            \
	__asm__(".section .rodata\n" #name "_begin:\n.incbin \"" file "\"\n" #name                 \
		"_end:\n.byte 0\n.previous");                                                      \
	struct html_asset html_##name(void)                                                        \
	{                                                                                          \
		return (struct html_asset){name##_begin, (size_t)(name##_end - name##_begin)};     \
	}

ASSET(page_css, "page.css")
ASSET(charts_js, "charts.js")
ASSET(charts_css, "charts.css")
ASSET(licences, "licences.txt")
