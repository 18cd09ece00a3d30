/* test_watch.c -- what an editor does to a file, and whether the watch tells it once. */
#include "files/watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/temp_folder.h"

static void rest(int milliseconds) {
    nanosleep(&(struct timespec){ milliseconds / 1000, milliseconds % 1000 * 1000000L }, NULL);
}

/* How often `path` is reported within so many milliseconds; any other path fails the test. */
static int reports(Watch *watch, const char *path, int milliseconds) {
    int count = 0;
    for (int waited = 0; waited < milliseconds; waited += 5) {
        const char *const *paths;
        int changed = watch_changes(watch, &paths);
        for (int i = 0; i < changed; i++) {
            assert_string_equal(paths[i], path);
            count++;
        }
        rest(5);
    }
    return count;
}

typedef struct Case { Watch *(*open)(void); int patience; } Case;
static const Case inotify = { watch_open, 120 }, polling = { watch_open_polling, 450 };

static void edits(TempFolder *temp, const Case *how) {
    temp_text(temp, "main.lua", "one");
    const char *path = temp_path(temp, "main.lua");
    char kept[1024];
    text_copy(kept, sizeof kept, path);
    Watch *watch = how->open();
    watch_add(watch, kept);
    watch_add(watch, kept);
    assert_int_equal(reports(watch, kept, how->patience), 0);

    temp_text(temp, "main.lua", "two");
    assert_int_equal(reports(watch, kept, how->patience), 1);

    temp_text(temp, "main.lua", "two");    /* saved again, unchanged */
    assert_int_equal(reports(watch, kept, how->patience), 0);

    temp_text(temp, "main.lua~", "three");
    rename(temp_path(temp, "main.lua~"), kept);
    assert_int_equal(reports(watch, kept, how->patience), 1);

    unlink(kept);
    assert_int_equal(reports(watch, kept, how->patience), 0);
    temp_text(temp, "main.lua", "");       /* an editor that begins to write */
    assert_int_equal(reports(watch, kept, how->patience), 0);
    temp_text(temp, "main.lua", "four");
    assert_int_equal(reports(watch, kept, how->patience), 1);

    temp_text(temp, "other.lua", "not watched");
    assert_int_equal(reports(watch, kept, how->patience), 0);
    watch_forget(watch, kept);
    temp_text(temp, "main.lua", "five");
    assert_int_equal(reports(watch, kept, how->patience), 0);
    watch_close(watch);
}

static void inotify_tells_each_edit_once(void **state) { edits(*state, &inotify); }

static void polling_tells_each_edit_once(void **state) { edits(*state, &polling); }

static void writes_in_a_row_are_one_change(void **state) {
    TempFolder *temp = *state;
    temp_text(temp, "a", "0");
    char path[1024];
    text_copy(path, sizeof path, temp_path(temp, "a"));
    Watch *watch = watch_open();
    watch_add(watch, path);
    for (int i = 0; i < 10; i++) {
        char text[32];
        snprintf(text, sizeof text, "write %d", i);
        temp_text(temp, "a", text);
        assert_int_equal(reports(watch, path, 5), 0);
    }
    assert_int_equal(reports(watch, path, 120), 1);
    watch_close(watch);
}

static void a_change_is_told_soon(void **state) {
    TempFolder *temp = *state;
    temp_text(temp, "a", "0");
    Watch *watch = watch_open();
    watch_add(watch, temp_path(temp, "a"));
    temp_text(temp, "a", "1");
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    const char *const *paths;
    do {
        rest(1);
        clock_gettime(CLOCK_MONOTONIC, &end);
    } while (watch_changes(watch, &paths) == 0 && end.tv_sec - start.tv_sec < 5);
    double seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
    assert_true(seconds > 0.02 && seconds < 1);    /* 30 ms; a busy machine may take longer */
    watch_close(watch);
}

static void a_file_whose_folder_comes_later_is_found(void **state) {
    TempFolder *temp = *state;
    char path[1024];
    text_copy(path, sizeof path, temp_path(temp, "later/a"));
    Watch *watch = watch_open();
    watch_add(watch, path);
    temp_text(temp, "later/a", "here");
    assert_int_equal(reports(watch, path, 450), 1);
    temp_text(temp, "later/a", "there");
    assert_int_equal(reports(watch, path, 120), 1);
    rename(temp_path(temp, "later"), temp_path(temp, "moved"));
    assert_int_equal(reports(watch, path, 300), 0);
    temp_text(temp, "later/a", "again");
    assert_int_equal(reports(watch, path, 450), 1);
    watch_close(watch);
}

static void a_link_tells_when_its_target_changes(void **state) {
    TempFolder *temp = *state;
    temp_text(temp, "real/a", "one");
    mkdir(temp_path(temp, "links"), 0777);
    char path[1024];
    text_copy(path, sizeof path, temp_path(temp, "links/a"));
    symlink("../real/a", path);
    Watch *watch = watch_open();
    watch_add(watch, path);
    temp_text(temp, "real/a", "two");
    assert_int_equal(reports(watch, path, 450), 1);
    watch_close(watch);
}

int main(void) {
#define TEMP(test) cmocka_unit_test_setup_teardown(test, temp_folder_setup, temp_folder_teardown)
    const struct CMUnitTest tests[] = {
        TEMP(inotify_tells_each_edit_once),
        TEMP(polling_tells_each_edit_once),
        TEMP(writes_in_a_row_are_one_change),
        TEMP(a_change_is_told_soon),
        TEMP(a_file_whose_folder_comes_later_is_found),
        TEMP(a_link_tells_when_its_target_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
