/* support/test.h -- cmocka with what it wants included first; include it before anything of ours. */
#ifndef LEAFWALK_TEST_H
#define LEAFWALK_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* base/error.h has a function of the name `fail`; cmocka's fail_msg would call it. */
#undef fail
#undef fail_msg
#define fail_msg(...) (print_error(__VA_ARGS__), print_error("\n"), _fail(__FILE__, __LINE__))

#endif
