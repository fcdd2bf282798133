/* SPDX-License-Identifier: MIT */
/* The charts of a page: places for them, and the data that its JavaScript draws them of. */
#ifndef PWRTRACE_HTML_CHARTS_H
#define PWRTRACE_HTML_CHARTS_H

#include "analyzer/view/html/html_data.h"
#include "analyzer/view/html/html_page.h"

/* Where they will be; hidden until they are drawn. */
void html_put_charts(const struct html_page *page);

/* Columns, and what they mean. */
void html_put_data_of_charts(const struct html_page *page);

/* ---- what the files of charts make, for html_charts.c; the caller owns each array ---- */

/* Describes the lanes, and writes the columns of their blocks. */
json_t *html_charts_lanes(const struct html_page *page);

/* Describes the power of each sensor and the limits of devices over time, and writes the columns:
 * the least and the most in each of equal parts of the time. */
json_t *html_charts_power(const struct html_page *page);

/* The trees of energy by layer and kernel, and by call stack; that one is null where no stack was
 * recorded. */
json_t *html_charts_flames(const struct html_page *page);

#endif
