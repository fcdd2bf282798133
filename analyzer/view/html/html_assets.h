/* SPDX-License-Identifier: MIT */
/* Files that are built into pwrtrace, for the pages that it writes. */
#ifndef PWRTRACE_HTML_ASSETS_H
#define PWRTRACE_HTML_ASSETS_H

#include <stddef.h>

/* Not ended by a null. */
struct html_asset {
	const char *text;
	size_t bytes;
};

struct html_asset html_page_css(void);

/* What draws the charts, its style sheet, and the licences of what it is made of; all are empty in
 * a build without npm. */
struct html_asset html_charts_js(void);
struct html_asset html_charts_css(void);
struct html_asset html_licences(void);

#endif
