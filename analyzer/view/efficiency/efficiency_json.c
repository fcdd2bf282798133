/* SPDX-License-Identifier: MIT */
/* The schema pwrtrace-efficiency/1, described in pwrtrace-json(5). */
#include "analyzer/view/efficiency/efficiency_view.h"
#include "analyzer/view/json/json_head.h"
#include "analyzer/view/json/json_put.h"

/* A last member. */
static void put_last(FILE *out, const char *key, double value)
{
	put_key(out, key);
	put_digits(out, value, 12);
	fputc('}', out);
}

static void put_phase(FILE *out, const struct efficiency_phase *phase)
{
	put_text(out, "phase", phase->name);
	put_text(out, "unit", phase->unit);
	put_number(out, "amount", phase->amount);
	put_number(out, "energy_j", phase->energy_j);
	put_number(out, "ci95_j", phase->ci95_j);
	put_number(out, "time_s", phase->time_s);
	put_truth(out, "partly_measured", phase->partly_measured);
	put_last(out, "j_per_unit", phase->energy_j / phase->amount);
}

static void put_request(FILE *out, const struct efficiency_request *request)
{
	put_text(out, "request", request->name);
	put_number(out, "input", request->input);
	put_number(out, "output", request->output);
	put_number(out, "energy_j", request->energy_j);
	put_number(out, "ttft_s", request->ttft_s);
	put_last(out, "tpot_s", request->tpot_s);
}

static void put_model(FILE *out, const struct efficiency_model *model)
{
	put_text(out, "model", model->model);
	put_text(out, "gpu", model->gpu);
	put_text(out, "batch", model->batch);
	put_number(out, "j_per_token", model->j_per_token);
	put_number(out, "output", model->output);
	put_number(out, "j_per_request", model->j_per_request);
	put_truth(out, "cheapest", model->cheapest);
	put_last(out, "tpot_s", model->tpot_s);
}

static void put_run(FILE *out, const struct efficiency_run *run)
{
	json_put_traces(out, "trace", run->ledger->model);
	json_put_tags(out, run->ledger->model);
	json_put_coverage(out, run->ledger);
	put_truth(out, "partly_measured", run->partly_measured);
	put_last(out, "total_j", run->total_j);
}

/* The member key, an array of what lies in list, each written by a statement with i. */
#define PUT_ARRAY(out, key, list, put)                                                             \
	do {                                                                                       \
		fputs("\"" key "\":[", out);                                                       \
		for (guint i = 0; i < (list); i++) {                                               \
			fputs(i ? ",\n  {" : "\n  {", out);                                        \
			put;                                                                       \
		}                                                                                  \
		fputs("]", out);                                                                   \
	} while (0)

void efficiency_put_json(FILE *out, const void *data)
{
	const struct efficiency_result *result = data;
	const struct efficiency_run *run = efficiency_run_at(result, 0);
	struct efficiency_totals totals = efficiency_totals_of(result);
	bool one = result->runs->len == 1;

	json_put_head(out, "pwrtrace-efficiency/1", run->ledger);
	put_number(out, "total_j", totals.total_j);
	put_number(out, "tokens_per_j", totals.tokens_per_j);
	put_number(out, "power_w", totals.power_w);
	put_truth(out, "partly_measured", totals.partly_measured);
	PUT_ARRAY(out, "phases", one ? run->phases->len : 0,
		put_phase(out, &g_array_index(run->phases, struct efficiency_phase, i)));
	fputs(",\n ", out);
	PUT_ARRAY(out, "requests", one ? run->requests->len : 0,
		put_request(out, &g_array_index(run->requests, struct efficiency_request, i)));
	fputs(",\n ", out);
	PUT_ARRAY(out, "models", result->models ? result->models->len : 0,
		put_model(out, &g_array_index(result->models, struct efficiency_model, i)));
	fputs(",\n ", out);
	PUT_ARRAY(out, "runs", result->runs->len, put_run(out, efficiency_run_at(result, i)));
	fputs("}\n", out);
}
