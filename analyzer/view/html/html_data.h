/* SPDX-License-Identifier: MIT */
/* Columns of numbers within a page: compressed, so that millions of executions are a few MB. */
#ifndef PWRTRACE_HTML_DATA_H
#define PWRTRACE_HTML_DATA_H

#include <jansson.h>
#include <stdio.h>

/* Writes bytes as an element of this id, gzip in base64.  form: what they are in JavaScript, as
 * "Float32" or "JSON". */
void html_put_data(FILE *out, const char *id, const char *form, const void *data, size_t bytes);

/* A name as JSON, as people read it, cut in the middle where it is long. */
json_t *html_json_name(const char *name);

#endif
