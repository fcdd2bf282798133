/* SPDX-License-Identifier: MIT */
#include "analyzer/view/html/html_assets.h"

#include <stdint.h>

/* The file of a name, which the assembler finds in the room or in the build. */
#define ASSET(name, file)                                                                          \
	extern const char name##_text[];                                                           \
	extern const uint64_t name##_bytes;                                                        \
	__asm__(".section .rodata\n" #name "_text:\n.incbin \"" file "\"\n" #name "_end:\n"        \
		".balign 8\n" #name "_bytes:\n.quad " #name "_end - " #name "_text\n.previous");   \
	struct html_asset html_##name(void)                                                        \
	{                                                                                          \
		return (struct html_asset){name##_text, name##_bytes};                             \
	}

ASSET(page_css, "page.css")
ASSET(charts_js, "charts.js")
ASSET(charts_css, "charts.css")
ASSET(licences, "licences.txt")
