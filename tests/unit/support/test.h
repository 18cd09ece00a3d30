/* support/test.h -- cmocka with what it wants included first; include it before anything of ours. */
#ifndef LEAFWALK_TEST_H
#define LEAFWALK_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#undef fail    /* base/error.h has a function of that name; fail_msg(...) remains */

#endif
