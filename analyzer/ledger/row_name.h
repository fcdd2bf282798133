/* SPDX-License-Identifier: MIT */
/* What the row is called that executions of an origin belong to: each sets name, short_name and,
 * where it has one, shape, which the row then owns; and the device and API where those are not the
 * origin's. */
#ifndef PWRTRACE_ROW_NAME_H
#define PWRTRACE_ROW_NAME_H

#include "analyzer/ledger/ledger.h"

typedef void row_name(
	const struct model *model, const struct model_origin *origin, struct ledger_row *row);

row_name row_name_kernel, row_name_stream, row_name_device, row_name_process, row_name_stack;

#endif
