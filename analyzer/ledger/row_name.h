/* SPDX-License-Identifier: MIT */
/* Names rows by the origin of one of their executions.  Each function sets name, short_name and,
 * where the row has one, shape, which the row then owns; and device and api, where the row's are
 * not those of the origin's device. */
#ifndef PWRTRACE_ROW_NAME_H
#define PWRTRACE_ROW_NAME_H

#include "analyzer/ledger/ledger.h"

typedef void row_name(
	const struct model *model, const struct model_origin *origin, struct ledger_row *row);

row_name row_name_kernel, row_name_stream, row_name_device, row_name_process, row_name_stack,
	row_name_collective;

#endif
