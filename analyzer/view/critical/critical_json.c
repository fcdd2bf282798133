/* SPDX-License-Identifier: MIT */
/* The schema pwrtrace-critical/1, described in pwrtrace-json(5). */
#include "analyzer/view/critical/critical_view.h"
#include "analyzer/view/json/json_head.h"
#include "analyzer/view/json/json_put.h"

static void put_seconds(FILE *out, const char *key, uint64_t ns, const char *end)
{
	char exact[CELL_MAX];

	put_key(out, key);
	fprintf(out, "%s%s", cell_exact_joules(exact, ns), end);
}

static void put_row(FILE *out, const struct critical_row *row)
{
	char joules[CELL_MAX];

	fputc('{', out);
	put_text(out, "name", row->name);
	put_seconds(out, "critical_s", row->critical_ns, ",");
	put_seconds(out, "slack_s", row->slack_ns, ",");
	put_joules(out, "critical_j", row->energy_known, row->critical_nj);
	put_key(out, "energy_j");
	fprintf(out, "%s}", row->energy_known ? cell_exact_joules(joules, row->energy_nj) : "null");
}

void critical_put_json(FILE *out, const void *result)
{
	const struct critical_answer *answer = result;
	const struct critical_pieces *pieces = &answer->pieces;

	json_put_head(out, "pwrtrace-critical/1", answer->ledger);
	put_seconds(out, "span_s", answer->span.end_ns - answer->span.begin_ns, ",\n ");
	fputs("\"pieces\":{", out);
	put_seconds(out, "device_s", pieces->device_ns, ",");
	put_seconds(out, "launch_s", pieces->launch_ns, ",");
	put_seconds(out, "host_s", pieces->host_ns, ",");
	put_seconds(out, "peer_s", pieces->peer_ns, "},\n ");
	fputs("\"rows\":[", out);
	for (guint i = 0; i < answer->rows->len; i++) {
		fputs(i ? ",\n  " : "\n  ", out);
		put_row(out, &g_array_index(answer->rows, struct critical_row, i));
	}
	fputs("],\n \"bloat_j\":", out);
	put_digits(out, answer->bloat_j, 12);
	fputs("}\n", out);
}
