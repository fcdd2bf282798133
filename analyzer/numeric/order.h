/* SPDX-License-Identifier: MIT */
#ifndef PWRTRACE_ORDER_H
#define PWRTRACE_ORDER_H

/* For qsort and g_array_sort of doubles: the least first. */
int order_doubles(const void *a, const void *b);

#endif
