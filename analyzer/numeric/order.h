/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_NUMERIC_ORDER_H
#define PWRTRACE_NUMERIC_ORDER_H

/* Compares doubles for qsort and g_array_sort, in ascending order. */
int order_doubles(const void *a, const void *b);

#endif
