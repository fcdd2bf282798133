/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/balance.h"

#include <string.h>

#include "analyzer/model/hosts.h"
#include "analyzer/model/replays.h"

char *balance_name(const struct ledger *ledger, const struct ledger_balance *balance)
{
	const char *part_of = balance->sensor->part_of;
	char *place = hosts_place(ledger->model, balance->recording->host);
	char *name = g_strdup_printf("%s%s, %s%s", balance->device, place, balance->domain,
		balance->summed             ? ""
		: strcmp(part_of, "*") == 0 ? " (beside the others)"
		: *part_of                  ? " (within another domain)"
					    : " (not in this report)");

	g_free(place);
	return name;
}

bool balance_has_replays(const struct ledger *ledger)
{
	return replays_span_ns(ledger->model);
}

const char *balance_word(const struct ledger *ledger)
{
	return ledger->all_estimated ? "estimated"
	       : ledger->estimated   ? "measured or estimated"
				     : "measured";
}
