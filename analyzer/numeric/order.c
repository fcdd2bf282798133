/* SPDX-License-Identifier: MIT */
#include "analyzer/numeric/order.h"

int order_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}
