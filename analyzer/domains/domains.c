/* SPDX-License-Identifier: MIT */
#include "analyzer/domains/domains.h"

#include <math.h>
#include <string.h>

#define PAIR_ROWS_MAX 50 /* the rows with the most energy that are asked for pairs */

/* ---- rows ---- */

static struct ledger_sums sums_of(const struct domain *domain, guint i)
{
	const struct ledger_row *row = domain_row(domain, i);

	if (row->node)
		return row->node->all;
	return (struct ledger_sums){.busy_ns = row->time_ns,
		.unmeasured_ns = row->unmeasured_ns,
		.energy_nj = row->energy_nj,
		.static_nj = row->static_nj,
		.static_known = row->static_known,
		.ci95_j = row->ci95_j,
		.energy_known = row->energy_known};
}

/* The time with known power; NaN where there is none. */
static double seconds(const struct ledger_sums *sums)
{
	uint64_t measured_ns = sums->busy_ns - sums->unmeasured_ns;

	return sums->energy_known && measured_ns ? (double)measured_ns / 1e9 : NAN;
}

double domain_j(const struct domain *domain, guint row)
{
	struct ledger_sums sums = sums_of(domain, row);

	return sums.energy_known ? (double)sums.energy_nj / 1e9 : NAN;
}

double domain_ci95_j(const struct domain *domain, guint row)
{
	struct ledger_sums sums = sums_of(domain, row);

	return sums.energy_known && sums.ci95_j >= 0 ? sums.ci95_j : NAN;
}

double domain_w(const struct domain *domain, guint row)
{
	struct ledger_sums sums = sums_of(domain, row);

	return domain_j(domain, row) / seconds(&sums);
}

double domain_ci95_w(const struct domain *domain, guint row)
{
	struct ledger_sums sums = sums_of(domain, row);

	return domain_ci95_j(domain, row) / seconds(&sums);
}

/* ---- pairs ---- */

/* 0 where it is not known. */
static double static_w(const struct domain *domain, guint row)
{
	struct ledger_sums sums = sums_of(domain, row);

	return sums.static_known ? (double)sums.static_nj / 1e9 / seconds(&sums) : 0;
}

double domain_together_w(const struct domain *domain, const struct domain_pair *pair)
{
	return domain_w(domain, pair->a) + domain_w(domain, pair->b) -
	       fmin(static_w(domain, pair->a), static_w(domain, pair->b));
}

/* The domain of which a row draws the largest part of what any row does. */
static guint stressed(const struct domains *domains, guint row)
{
	guint most = 0;

	for (guint i = 1; i < domains->list->len; i++)
		if (domain_w(domain_at(domains, i), row) / domain_at(domains, i)->largest_w >
			domain_w(domain_at(domains, most), row) /
				domain_at(domains, most)->largest_w)
			most = i;
	return most;
}

/* Whether both together stay below each limit; not where a power is not known. */
static bool fits(const struct domains *domains, const struct domain_pair *pair)
{
	for (guint i = 0; i < domains->list->len; i++) {
		const struct domain *domain = domain_at(domains, i);
		double limit_w = isnan(domain->limit_w) ? INFINITY : domain->limit_w;

		if (!(domain_together_w(domain, pair) <= limit_w))
			return false;
	}
	return true;
}

static bool is_kernel(const struct domains *domains, guint row)
{
	const char *kind = domain_row(domain_at(domains, 0), row)->kind;

	return kind && strcmp(kind, "kernel") == 0;
}

static int by_energy_of_row(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct domains *domains = data;
	double x = domain_j(domain_at(domains, 0), *(const guint *)a);
	double y = domain_j(domain_at(domains, 0), *(const guint *)b);

	return (x < y) - (x > y);
}

/* The kernels with the most energy (guint), the first ones first; the caller frees the array. */
static GArray *largest_kernels(struct domains *domains)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < domain_at(domains, 0)->ledger->rows->len; i++)
		if (is_kernel(domains, i) && isfinite(domain_j(domain_at(domains, 0), i)))
			g_array_append_val(rows, i);
	g_array_sort_with_data(rows, by_energy_of_row, domains);
	g_array_set_size(rows, MIN(rows->len, PAIR_ROWS_MAX));
	return rows;
}

static int by_energy(gconstpointer a, gconstpointer b)
{
	const struct domain_pair *x = a, *y = b;

	return (x->energy_j < y->energy_j) - (x->energy_j > y->energy_j);
}

static void find_pairs(struct domains *domains)
{
	GArray *rows = largest_kernels(domains);

	for (guint i = 0; i < rows->len; i++)
		for (guint k = i + 1; k < rows->len; k++) {
			struct domain_pair pair = {
				g_array_index(rows, guint, i), g_array_index(rows, guint, k), 0};

			pair.energy_j = domain_j(domain_at(domains, 0), pair.a) +
					domain_j(domain_at(domains, 0), pair.b);
			if (stressed(domains, pair.a) != stressed(domains, pair.b) &&
				fits(domains, &pair))
				g_array_append_val(domains->pairs, pair);
		}
	g_array_sort(domains->pairs, by_energy);
	g_array_set_size(domains->pairs, MIN(domains->pairs->len, DOMAINS_PAIRS_MAX));
	g_array_free(rows, TRUE);
}

/* ---- domains ---- */

static bool measures(const struct model_sensor *sensor)
{
	return sensor->readings->len && strcmp(sensor->part_of, "*") != 0;
}

static void add_domain(struct domains *domains, const struct model_sensor *sensor)
{
	const struct domain domain = {.name = sensor->domain, .part_of = sensor->part_of};

	for (guint i = 0; i < domains->list->len; i++)
		if (strcmp(domain_at(domains, i)->name, domain.name) == 0)
			return;
	g_array_append_val(domains->list, domain);
}

/* Those that are no part of another, or those that are one. */
static void add_domains(struct domains *domains, const struct model *model, bool parts)
{
	for (guint i = 0; i < model->sensors->len; i++) {
		const struct model_sensor *sensor =
			&g_array_index(model->sensors, struct model_sensor, i);

		if (measures(sensor) && (*sensor->part_of != 0) == parts)
			add_domain(domains, sensor);
	}
}

/* The limit of whole devices as it was last; NaN: not recorded. */
static double recorded_limit_w(const struct model *model)
{
	double limit_w = NAN;

	for (guint i = 0; i < model->state_sensors->len; i++) {
		const GArray *states =
			g_array_index(model->state_sensors, struct model_state_sensor, i).states;

		for (guint k = 0; k < states->len; k++) {
			const struct model_state *state =
				&g_array_index(states, struct model_state, k);

			if (state->limit_mw != PWRTRACE_UNKNOWN_U32)
				limit_w = (double)state->limit_mw / 1e3;
		}
	}
	return limit_w;
}

static void find_limit(struct domain *domain, const struct model *model)
{
	double recorded_w = *domain->part_of ? NAN : recorded_limit_w(model);

	domain->largest_w = NAN;
	for (guint i = 0; i < domain->ledger->rows->len; i++)
		domain->largest_w = fmax(domain->largest_w, domain_w(domain, i));
	domain->limit_recorded = isfinite(recorded_w);
	domain->limit_w = *domain->part_of         ? NAN
			  : domain->limit_recorded ? recorded_w
						   : domain->largest_w;
}

struct domains *domains_of(const struct attribution *whole,
	const struct attribution_options *options, const struct ledger_options *by)
{
	struct domains *domains = g_new0(struct domains, 1);
	guint wholes;

	domains->list = g_array_new(FALSE, TRUE, sizeof(struct domain));
	domains->pairs = g_array_new(FALSE, FALSE, sizeof(struct domain_pair));
	add_domains(domains, whole->model, false);
	wholes = domains->list->len;
	add_domains(domains, whole->model, true);
	for (guint i = 0; i < domains->list->len; i++) {
		struct domain *domain = &g_array_index(domains->list, struct domain, i);
		struct attribution_options own = *options;

		own.domain = domain->name;
		/* Where there is one whole, whole devices are that. */
		if (wholes != 1 || i)
			domain->attribution = attribution_new(whole->model, &own);
		domain->ledger = ledger_make(domain->attribution ? domain->attribution : whole, by);
		find_limit(domain, whole->model);
	}
	if (domains->list->len > 1)
		find_pairs(domains);
	return domains;
}

void domains_free(struct domains *domains)
{
	for (guint i = 0; i < domains->list->len; i++) {
		struct domain *domain = &g_array_index(domains->list, struct domain, i);

		ledger_free(domain->ledger);
		if (domain->attribution)
			attribution_free(domain->attribution);
	}
	g_array_free(domains->list, TRUE);
	g_array_free(domains->pairs, TRUE);
	g_free(domains);
}
