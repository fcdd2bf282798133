/* SPDX-License-Identifier: MIT */
/* Short names of kernels, for people who look into a trace. */
#ifndef PWRTRACE_SHORT_NAME_H
#define PWRTRACE_SHORT_NAME_H

#define SHORT_NAME_MAX 31

/* Sets text to the function's own name, without namespaces, template arguments and parameters, of
 * a name that is mangled as the Itanium C++ ABI says; another name is taken as it is.  What is
 * longer than SHORT_NAME_MAX is cut off at the end. */
void short_name(char text[SHORT_NAME_MAX + 1], const char *name);

#endif
