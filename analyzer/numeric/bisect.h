/* SPDX-License-Identifier: MIT */
/* Binary search. */
#ifndef PWRTRACE_BISECT_H
#define PWRTRACE_BISECT_H

#include <glib.h>

/* The identity.  BISECT ends with it, since cppcheck takes a plain variable there for a statement
 * without effect. */
static inline guint bisect_value(guint i)
{
	return i;
}

/* The first i with begin <= i < end for which is_true, an expression of i, holds; end where there
 * is none.  The expression must be false up to some i and true from there on. */
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
