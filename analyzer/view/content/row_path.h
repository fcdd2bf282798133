/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_ROW_PATH_H
#define PWRTRACE_ROW_PATH_H

#include "analyzer/ledger/ledger.h"

/* The names that a row's name consists of, outermost first (const char *): of layers and call paths
 * several, of others one.  The caller frees the array. */
GPtrArray *row_path(const struct ledger *ledger, const struct ledger_row *row);

#endif
