/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_JSON_FITS_H
#define PWRTRACE_JSON_FITS_H

#include <stdio.h>

#include "analyzer/ledger/ledger.h"

/* The members "fits" and "groups". */
void json_put_fits(FILE *out, const struct ledger *ledger);

#endif
