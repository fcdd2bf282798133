/* SPDX-License-Identifier: MIT */
#include "analyzer/view/content/balance.h"

#include <string.h>

#include "analyzer/model/replays.h"

char *balance_name(const struct ledger_balance *balance)
{
	const char *part_of = balance->sensor->part_of;

	return g_strdup_printf("%s, %s%s", balance->device, balance->domain,
		balance->summed             ? ""
		: strcmp(part_of, "*") == 0 ? " (beside the others)"
		: *part_of                  ? " (within another domain)"
					    : " (not in this report)");
}

bool balance_has_replays(const struct ledger *ledger)
{
	return replays_span_ns(ledger->model);
}
