/* SPDX-License-Identifier: MIT */
/* Binary search in what is in order. */
#ifndef PWRTRACE_BISECT_H
#define PWRTRACE_BISECT_H

#include <glib.h>

/* The value of the block below: cppcheck takes a plain one for a statement without effect. */
static inline guint bisect_value(guint i)
{
	return i;
}

/* The first i of begin <= i < end for which an expression of i is true; end where it is for none.
 * Once it is true it stays so: the expression says that element i is not before what is sought. */
#define BISECT(i, begin, end, is_true)                                                             \
	__extension__({                                                                            \
		guint i##_low = (begin), i##_high = (end);                                         \
                                                                                                   \
		while (i##_low < i##_high) {                                                       \
			guint i = i##_low + (i##_high - i##_low) / 2;                              \
                                                                                                   \
			if (is_true)                                                               \
				i##_high = i;                                                      \
			else                                                                       \
				i##_low = i + 1;                                                   \
		}                                                                                  \
		bisect_value(i##_low);                                                             \
	})

#endif
