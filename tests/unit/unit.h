/* SPDX-License-Identifier: MIT */
/* What every unit test includes: cmocka with what it needs before it. */
#ifndef PWRTRACE_TESTS_UNIT_H
#define PWRTRACE_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
