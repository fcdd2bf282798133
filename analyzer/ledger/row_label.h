/* SPDX-License-Identifier: MIT */
/* What people call rows. */
#ifndef PWRTRACE_ROW_LABEL_H
#define PWRTRACE_ROW_LABEL_H

#include "analyzer/ledger/ledger.h"

/* Sets label of count rows, which these then own: a kernel's by its label (kernel_label.h), another
 * row's by its name.  The shape is behind it where rows of several shapes have the name, and, if
 * shaped, wherever there is one. */
void row_label_all(struct ledger_row *rows, guint count, bool shaped);

#endif
