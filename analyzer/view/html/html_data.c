/* SPDX-License-Identifier: MIT */
#include "analyzer/view/html/html_data.h"

#include <glib.h>
#define ZLIB_CONST /* it does not change what it reads */
#include <zlib.h>

#include "analyzer/print/text.h"
#include "analyzer/view/html/html_put.h"

#define NAME_MAX_CHARACTERS 160
#define GZIP 16 /* for deflateInit2: with its header, as browsers read it */

void html_put_data(FILE *out, const char *id, const char *form, const void *data, size_t bytes)
{
	z_stream stream = {.next_in = data, .avail_in = (uInt)bytes};
	unsigned char *packed;
	uLong room;
	char *base64;

	if (deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + GZIP, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		g_error("no memory to compress");
	room = deflateBound(&stream, bytes);
	packed = g_malloc(room);
	stream.next_out = packed;
	stream.avail_out = (uInt)room;
	deflate(&stream, Z_FINISH);
	base64 = g_base64_encode(packed, stream.total_out);
	deflateEnd(&stream);
	fprintf(out,
		"<script type=\"text/plain\" class=\"data\" id=\"%s\" "
		"data-form=\"%s\">%s</script>\n",
		id, form, base64);
	g_free(base64);
	g_free(packed);
}

json_t *html_json_name(const char *name)
{
	struct html_text text;
	char *escaped;
	json_t *json;
	glong length;

	text_put(html_begin_text(&text), *name ? name : "\"\"");
	escaped = html_end_text(&text);
	length = g_utf8_strlen(escaped, -1);
	if (length > NAME_MAX_CHARACTERS) {
		char *begin = g_utf8_substring(escaped, 0, NAME_MAX_CHARACTERS / 2);
		char *end = g_utf8_substring(escaped, length - NAME_MAX_CHARACTERS / 2, length);

		g_free(escaped);
		escaped = g_strconcat(begin, "…", end, NULL);
		g_free(begin);
		g_free(end);
	}
	json = json_string_nocheck(escaped);
	g_free(escaped);
	return json;
}
