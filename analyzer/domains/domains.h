/* SPDX-License-Identifier: MIT */
/*
 * The energy and the power of each row in each power domain, as the whole of a GPU and its memory,
 * side by side; and which kernels would complement each other: those that stress different domains,
 * and together would stay below the limit of each.
 */
#ifndef PWRTRACE_DOMAINS_H
#define PWRTRACE_DOMAINS_H

#include "analyzer/ledger/ledger.h"

struct domain {
	const char *name;
	const char *part_of; /* another domain, whose energy includes its own; "": none */
	struct attribution *attribution; /* its own; NULL: that of the others' */
	struct ledger *ledger;           /* all have the same rows in the same order */
	double largest_w;                /* of the rows' powers; NaN: none is known */
	double limit_w; /* as recorded, else largest_w; NaN: of a part, whose limit nothing tells */
	bool limit_recorded;
};

/* Two rows (their indexes) that complement each other. */
struct domain_pair {
	guint a, b;
	double energy_j; /* of both, in the first domain */
};

struct domains {
	GArray *list;  /* struct domain: those that are no part of another first */
	GArray *pairs; /* struct domain_pair, those with the most energy first */
};

#define DOMAINS_PAIRS_MAX 10

/* Attributes the energy of each domain that a sensor measures, as options say but for the domain;
 * whole is the attribution of whole devices.  What is given must outlive the result, which
 * domains_free frees. */
struct domains *domains_of(const struct attribution *whole,
	const struct attribution_options *options, const struct ledger_options *by);
void domains_free(struct domains *domains);

static inline const struct domain *domain_at(const struct domains *domains, guint i)
{
	return &g_array_index(domains->list, struct domain, i);
}

/* Row i in a domain. */
static inline const struct ledger_row *domain_row(const struct domain *domain, guint i)
{
	return &g_array_index(domain->ledger->rows, struct ledger_row, i);
}

/* The mean power of row i in a domain, and half its 95 % interval, in W; of a layer, with those
 * inside it.  NaN: not known. */
double domain_w(const struct domain *domain, guint row);
double domain_ci95_w(const struct domain *domain, guint row);

/* Its energy, likewise, and half the 95 % interval of that, in J. */
double domain_j(const struct domain *domain, guint row);
double domain_ci95_j(const struct domain *domain, guint row);

/* What a domain would draw if both rows ran at once: the sum of their powers, less the static
 * power, which is drawn once, where it is known. */
double domain_together_w(const struct domain *domain, const struct domain_pair *pair);

#endif
