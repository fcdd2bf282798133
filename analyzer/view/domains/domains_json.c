/* SPDX-License-Identifier: MIT */
/* The schema pwrtrace-domains/1, described in pwrtrace-json(5). */
#include "analyzer/view/domains/domains_view.h"
#include "analyzer/view/json/json_head.h"
#include "analyzer/view/json/json_put.h"

static void put_last(FILE *out, const char *key, double value)
{
	put_key(out, key);
	put_digits(out, value, 12);
}

static void put_domains(FILE *out, const struct domains *domains)
{
	fputs("\"domains\":[", out);
	for (guint i = 0; i < domains->list->len; i++) {
		const struct domain *domain = domain_at(domains, i);

		fputs(i ? ",{" : "{", out);
		put_text(out, "domain", domain->name);
		put_text(out, "part_of", domain->part_of);
		put_number(out, "largest_w", domain->largest_w);
		put_number(out, "limit_w", domain->limit_recorded ? domain->limit_w : NAN);
		put_key(out, "method");
		put_string(out, domain->ledger->method);
		fputc('}', out);
	}
	fputs("],\n ", out);
}

static void put_row_name(FILE *out, const struct ledger_row *row)
{
	put_text(out, "name", row->name);
	put_text(out, "shape", row->shape);
}

static void put_rows(FILE *out, const struct domains_shown *shown)
{
	const struct domains *domains = shown->domains;
	GArray *rows = domains_rows(shown);

	fputs("\"rows\":[", out);
	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);

		fputs(i ? ",\n  {" : "\n  {", out);
		put_text(out, "by", domain_at(domains, 0)->ledger->by);
		put_row_name(out, domain_row(domain_at(domains, 0), row));
		fputs("\"domains\":[", out);
		for (guint k = 0; k < domains->list->len; k++) {
			const struct domain *domain = domain_at(domains, k);

			fputs(k ? ",{" : "{", out);
			put_text(out, "domain", domain->name);
			put_number(out, "power_w", domain_w(domain, row));
			put_number(out, "ci95_w", domain_ci95_w(domain, row));
			put_number(out, "energy_j", domain_j(domain, row));
			put_number(out, "ci95_j", domain_ci95_j(domain, row));
			put_last(out, "relative", domain_w(domain, row) / domain->largest_w);
			fputc('}', out);
		}
		fputs("]}", out);
	}
	fputs("],\n ", out);
	g_array_free(rows, TRUE);
}

static void put_pairs(FILE *out, const struct domains *domains)
{
	fputs("\"complementary\":[", out);
	for (guint i = 0; i < domains->pairs->len; i++) {
		const struct domain_pair *pair =
			&g_array_index(domains->pairs, struct domain_pair, i);
		const guint of[] = {pair->a, pair->b};

		fputs(i ? ",\n  {\"kernels\":[" : "\n  {\"kernels\":[", out);
		for (guint k = 0; k < 2; k++) {
			fputs(k ? ",{" : "{", out);
			put_text(out, "name", domain_row(domain_at(domains, 0), of[k])->name);
			put_key(out, "shape");
			put_string(out, domain_row(domain_at(domains, 0), of[k])->shape);
			fputc('}', out);
		}
		fputs("],\"domains\":[", out);
		for (guint k = 0; k < domains->list->len; k++) {
			fputs(k ? ",{" : "{", out);
			put_text(out, "domain", domain_at(domains, k)->name);
			put_last(out, "power_w", domain_together_w(domain_at(domains, k), pair));
			fputc('}', out);
		}
		fputs("]}", out);
	}
	fputs("]}\n", out);
}

void domains_put_json(FILE *out, const void *data)
{
	const struct domains_shown *shown = data;

	json_put_head(out, "pwrtrace-domains/1", domain_at(shown->domains, 0)->ledger);
	put_domains(out, shown->domains);
	put_rows(out, shown);
	put_pairs(out, shown->domains);
}
