/* SPDX-License-Identifier: MIT */
/* The clock at which classes ran. */
#ifndef PWRTRACE_LIBRARY_CLOCKS_H
#define PWRTRACE_LIBRARY_CLOCKS_H

#include "analyzer/regress/design/classes.h"

/* The mean clock of the device while each class ran, in MHz; negative: not known.  g_free it. */
double *library_clocks(const struct model *model, const struct classes *classes);

#endif
