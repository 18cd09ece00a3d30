/* Threads: every index once, every started job done. */
#include "support/test.h"

#include <stdatomic.h>
#include <unistd.h>

#include "base/base.h"
#include "base/jobs.h"

typedef struct Tally { atomic_int hits[1000]; Jobs *jobs; atomic_int inner; } Tally;

static void hit(void *user, int index) { atomic_fetch_add(&((Tally *)user)->hits[index], 1); }

static void add_one(void *user) { atomic_fetch_add(&((Tally *)user)->inner, 1); }

static void inner_hit(void *user, int index) {
    (void)index;
    add_one(user);
}

static void loop_inside(void *user, int index) {
    hit(user, index);
    jobs_each(((Tally *)user)->jobs, 10, inner_hit, user);
}

static void a_loop_meets_every_index_once(void **state) {
    (void)state;
    for (int threads = 1; threads <= 5; threads++) {
        Jobs *jobs = jobs_open(threads);
        assert_int_equal(jobs_threads(jobs), threads);
        Tally tally = { 0 };
        for (int round = 1; round <= 50; round++) {
            jobs_each(jobs, 1000, hit, &tally);
            for (int i = 0; i < 1000; i++)
                assert_int_equal(tally.hits[i], round);
        }
        jobs_close(jobs);
    }
}

static void loops_nest_and_started_jobs_all_run(void **state) {
    (void)state;
    Jobs *jobs = jobs_open(3);
    Tally tally = { .jobs = jobs };
    for (int i = 0; i < 100; i++)
        jobs_start(jobs, add_one, &tally);
    jobs_each(jobs, 100, loop_inside, &tally);
    jobs_wait(jobs);
    assert_int_equal(tally.inner, 100 + 100 * 10);
    for (int i = 0; i < 100; i++)
        assert_int_equal(tally.hits[i], 1);
    jobs_close(jobs);
}

static void loop_late(void *user, int index) {
    usleep((useconds_t)index * 5000);    /* whoever has the last one nests when all others are done */
    loop_inside(user, index);
}

static void a_loop_may_nest_when_its_caller_is_done_already(void **state) {
    (void)state;
    for (int round = 0; round < 10; round++) {
        Jobs *jobs = jobs_open(3);
        Tally tally = { .jobs = jobs };
        jobs_each(jobs, 3, loop_late, &tally);
        assert_int_equal(tally.inner, 3 * 10);
        jobs_close(jobs);
    }
}

static void closing_finishes_what_was_started(void **state) {
    (void)state;
    Tally tally = { 0 };
    Jobs *jobs = jobs_open(2);
    for (int i = 0; i < 500; i++)
        jobs_start(jobs, add_one, &tally);
    jobs_close(jobs);
    assert_int_equal(tally.inner, 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_meets_every_index_once),
        cmocka_unit_test(loops_nest_and_started_jobs_all_run),
        cmocka_unit_test(a_loop_may_nest_when_its_caller_is_done_already),
        cmocka_unit_test(closing_finishes_what_was_started),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
