/* SPDX-License-Identifier: MIT */
/*
 * A page for a browser, in one file without any address of a network.  What is written here is
 * there without JavaScript: numbers, tables, trees, bars, words.  page/ has what draws the charts,
 * of data that html_charts.c writes.
 */
#include <string.h>

#include "analyzer/ledger/iterations.h"
#include "analyzer/print/message.h"
#include "analyzer/print/text.h"
#include "analyzer/view/content/format.h"
#include "analyzer/view/content/sums.h"
#include "analyzer/view/html/html_assets.h"
#include "analyzer/view/html/html_charts.h"
#include "analyzer/view/html/html_page.h"
#include "analyzer/view/html/html_put.h"

static void put_asset(FILE *out, const char *begin, struct html_asset asset, const char *end)
{
	fputs(begin, out);
	fwrite(asset.text, 1, asset.bytes, out);
	fputs(end, out);
}

static bool has_charts(void)
{
	return html_charts_js().bytes;
}

/* No address may be asked for, and no script runs but ours, whose hash this is. */
static void put_policy(FILE *out)
{
	struct html_asset script = html_charts_js();
	GChecksum *checksum = g_checksum_new(G_CHECKSUM_SHA256);
	guint8 digest[32];
	gsize bytes = sizeof(digest);
	char *base64;

	g_checksum_update(checksum, (const guchar *)script.text, (gssize)script.bytes);
	g_checksum_get_digest(checksum, digest, &bytes);
	base64 = g_base64_encode(digest, bytes);
	fprintf(out,
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"script-src 'sha256-%s'; style-src 'unsafe-inline'; img-src data:; base-uri "
		"'none'; form-action 'none'\">\n",
		base64);
	g_free(base64);
	g_checksum_free(checksum);
}

static void put_traces(FILE *out, const struct model *model)
{
	for (guint i = 0; i < model->directories->len; i++) {
		char *directory = text_valid(g_ptr_array_index(model->directories, i));
		char *name = g_path_get_basename(directory);

		fputs(i ? ", " : "", out);
		html_put_text(out, name);
		g_free(name);
		g_free(directory);
	}
}

static void put_head(const struct html_page *page)
{
	FILE *out = page->out;

	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
	put_policy(out);
	fputs("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<meta "
	      "name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" "
	      "content=\"pwrtrace " PWRTRACE_VERSION "\">\n<title>",
		out);
	put_traces(out, page->ledger->model);
	fputs(" · pwrtrace</title>\n", out);
	put_asset(out, "<style>\n", html_charts_css(), "");
	put_asset(out, "", html_page_css(), "</style>\n");
	fputs("</head>\n<body>\n<header>\n<h1>", out);
	put_traces(out, page->ledger->model);
	fprintf(out, "</h1>\n<p>Energy by pwrtrace %s, method %s</p>\n</header>\n<main>\n",
		PWRTRACE_VERSION, page->ledger->method);
}

static void put_foot(const struct html_page *page)
{
	FILE *out = page->out;

	fputs("</main>\n<footer>\n", out);
	if (has_charts())
		put_asset(out, "<details><summary>Licences of what draws the charts</summary><pre>",
			html_licences(), "</pre></details>\n");
	else
		fputs("<p>This pwrtrace was built without charts, which need npm: "
		      "<code>make html</code> brings them.</p>\n",
			out);
	fputs("</footer>\n", out);
	if (has_charts())
		put_asset(out, "<script>", html_charts_js(), "</script>\n");
	fputs("</body>\n</html>\n", out);
}

static void put_page(const struct html_page *page)
{
	put_head(page);
	html_put_summary(page);
	if (has_charts())
		html_put_charts(page);
	fputs("<section>\n<h2>What cost most</h2>\n", page->out);
	html_put_rows(page, page->flat);
	fputs("</section>\n", page->out);
	if (page->tree) {
		fputs("<section>\n<h2>Layers</h2>\n", page->out);
		html_put_rows(page, page->tree);
		fputs("</section>\n", page->out);
	}
	html_put_utilization(page);
	html_put_iterations(page);
	html_put_notes(page);
	if (has_charts())
		html_put_data_of_charts(page);
	put_foot(page);
}

static struct ledger *other_ledger(const struct ledger *ledger, const char *by)
{
	return ledger_make(ledger->attribution,
		&(struct ledger_options){.by = by,
			.iterations = ledger->iterations ? ledger->iterations->name : NULL,
			.graphs = ledger->graphs});
}

/* Whether there are layers, and not only what is in none. */
static bool has_layers(const struct ledger *ledger)
{
	return ledger->rows->len > 1 || ledger->model->event_count[PWRTRACE_EV_layer_def];
}

static void write_html(FILE *out, const struct ledger *ledger, const struct view_options *options)
{
	bool by_layer = strcmp(ledger->by, "layer") == 0;
	struct ledger *other = by_layer || ledger->timeline
				       ? other_ledger(ledger, by_layer ? "kernel" : "layer")
				       : NULL;
	const struct ledger *tree = by_layer ? ledger : other;
	struct html_page page = {.out = out,
		.ledger = ledger,
		.flat = by_layer ? other : ledger,
		.tree = tree && has_layers(tree) ? tree : NULL,
		.options = options,
		.gathering = html_gather(ledger)};

	if (!has_charts())
		message_warn("the page has no charts: this pwrtrace was built without npm; make "
			     "html brings them");
	put_page(&page);
	html_gathering_free((struct html_gathering *)page.gathering);
	if (other)
		ledger_free(other);
}

const struct format format_html = {
	.name = "html",
	.help = "a page for a browser, in one file",
	.write = write_html,
	.whole = true,
};
