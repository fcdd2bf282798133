/* SPDX-License-Identifier: MIT */
/* All formats of reports. */
#ifndef PWRTRACE_FORMATS_H
#define PWRTRACE_FORMATS_H

#include "analyzer/view/content/format.h"

extern const struct format *const formats[]; /* ended by NULL */

/* NULL where none has that name. */
const struct format *format_find(const char *name);

#endif
