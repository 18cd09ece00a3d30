/* test_files.c -- the search path: who wins, what case does (not) do, and what strangers' archives may not do. */
#include "files/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/jobs.h"
#include "support/kept_log.h"
#include "support/make_zip.h"
#include "support/temp_folder.h"

#define PUT(n, t) { .name = (n), .text = (t) }

static void put_zip(TempFolder *temp, const char *name, const ZipEntry *entries, int count) {
    Text zip = make_zip(entries, count);
    temp_write(temp, name, zip.at, zip.count);
    text_free(&zip);
}

static void assert_text(Files *files, const char *name, const char *wanted) {
    FileBytes file;
    Error why;
    if (!files_read(files, name, &file, &why))
        fail_msg("%s", why.text);
    assert_string_equal((char *)file.bytes, wanted);
    assert_int_equal(file.size, strlen(wanted));
    file_free(&file);
}

static void names_are_made_safe(void **state) {
    (void)state;
    char out[32];
    assert_true(file_name_clean("\\textures\\Base/./x.tga", out, sizeof out));
    assert_string_equal(out, "textures/Base/x.tga");
    assert_true(file_name_clean("//a///b", out, sizeof out));
    assert_string_equal(out, "a/b");
    assert_true(file_name_clean("...", out, sizeof out));
    const char *refused[] = { "", "/", ".", "..", "a/../b", "a\\..\\b", "C:/x", "a\nb", "0123456789012345678901234567890123" };
    for (int i = 0; i < COUNT_OF(refused); i++)
        assert_false(file_name_clean(refused[i], out, sizeof out));
}

static void loose_files_are_found_without_case(void **state) {    /* traps E1, E2 */
    TempFolder *temp = *state;
    temp_text(temp, "Textures/Base/Wall.TGA", "wall");
    Files *files = files_open(NULL);
    assert_true(files_add(files, temp->path, NULL));
    assert_text(files, "textures/base/wall.tga", "wall");
    assert_text(files, "/TEXTURES\\BASE\\WALL.tga", "wall");
    assert_false(files_exists(files, "textures/base"));
    assert_false(files_exists(files, "textures/base/wall"));
    files_close(files);
}

static void the_spelling_asked_for_comes_first(void **state) {
    TempFolder *temp = *state;
    temp_text(temp, "a/X.txt", "large");
    temp_text(temp, "a/x.txt", "small");
    Files *files = files_open(NULL);
    assert_true(files_add(files, temp->path, NULL));
    assert_text(files, "a/x.txt", "small");
    assert_text(files, "a/X.txt", "large");
    files_close(files);
}

static void packs_win_by_name_and_loose_files_over_all(void **state) {
    TempFolder *temp = *state;
    put_zip(temp, "pak1.pk3", (ZipEntry[]){ PUT("a", "pak1"), PUT("b", "pak1"), PUT("c", "pak1"), PUT("d", "pak1") }, 4);
    put_zip(temp, "PAK2.PK3", (ZipEntry[]){ PUT("b", "pak2"), PUT("c", "pak2"), PUT("d", "pak2") }, 3);
    temp_text(temp, "pak3.pk3dir/c", "pak3");
    temp_text(temp, "pak3.pk3dir/d", "pak3");
    temp_text(temp, "d", "loose");
    Files *files = files_open(NULL);
    assert_true(files_add(files, temp->path, NULL));
    assert_int_equal(files_root_count(files), 4);
    assert_text(files, "a", "pak1");
    assert_text(files, "b", "pak2");
    assert_text(files, "c", "pak3");
    assert_text(files, "d", "loose");
    assert_string_equal(files_origin(files, "b"), temp_path(temp, "PAK2.PK3"));
    assert_string_equal(files_origin(files, "d"), temp->path);
    assert_null(files_origin(files, "e"));
    char path[1024];
    assert_true(files_disk_path(files, "B", path, sizeof path));
    assert_string_equal(path, temp_path(temp, "PAK2.PK3"));
    assert_true(files_disk_path(files, "C", path, sizeof path));
    assert_string_equal(path, temp_path(temp, "pak3.pk3dir/c"));
    files_close(files);
}

static void the_later_entry_of_a_name_wins(void **state) {    /* trap E3 */
    TempFolder *temp = *state;
    put_zip(temp, "twice.pk3", (ZipEntry[]){ PUT("Scripts/a.shader", "first"), PUT("x", "x"), PUT("scripts/A.shader", "second") }, 3);
    KeptLog log;
    kept_log_init(&log);
    Files *files = files_open(&log.log);
    assert_true(files_add(files, temp_path(temp, "twice.pk3"), NULL));
    assert_text(files, "scripts/a.shader", "second");
    assert_int_equal(kept_log_count(&log, "more than once"), 1);
    Arena *arena = arena_open();
    const char **names;
    assert_int_equal(files_list(files, "scripts", ".shader", arena, &names), 1);
    assert_string_equal(names[0], "scripts/A.shader");
    arena_close(arena);
    files_close(files);
    kept_log_end(&log);
}

static void odd_names_in_archives_do_no_harm(void **state) {    /* traps E4, E5 */
    TempFolder *temp = *state;
    put_zip(temp, "odd.pk3", (ZipEntry[]){
        PUT("/textures/lead.tga", "lead"), PUT("textures\\back.tga", "back"), PUT("../../escape.txt", "no"),
        PUT("a/../../escape2.txt", "no"), PUT("C:\\drive.txt", "no"), PUT("folder/", ""), PUT("line\nbreak", "no") }, 7);
    KeptLog log;
    kept_log_init(&log);
    Files *files = files_open(&log.log);
    assert_true(files_add(files, temp_path(temp, "odd.pk3"), NULL));
    assert_text(files, "textures/lead.tga", "lead");
    assert_text(files, "/textures/lead.tga", "lead");
    assert_text(files, "textures/back.tga", "back");
    assert_true(kept_log_has(&log, "4 entries left out"));
    Arena *arena = arena_open();
    const char **names;
    assert_int_equal(files_list(files, "", "", arena, &names), 2);
    Error why;
    FileBytes file;
    assert_false(files_read(files, "../../escape.txt", &file, &why));
    assert_non_null(strstr(why.text, "not a name"));
    arena_close(arena);
    files_close(files);
    kept_log_end(&log);
}

static void damaged_archives_explain_themselves(void **state) {
    TempFolder *temp = *state;
    Files *files = files_open(NULL);
    Error why;
    temp_text(temp, "text.pk3", "this is no archive at all, only words");
    temp_text(temp, "empty.pk3", "");
    assert_false(files_add(files, temp_path(temp, "text.pk3"), &why));
    assert_non_null(strstr(why.text, "text.pk3: not an archive"));
    assert_false(files_add(files, temp_path(temp, "empty.pk3"), &why));
    assert_non_null(strstr(why.text, "empty"));
    assert_false(files_add(files, temp_path(temp, "nowhere.pk3"), &why));
    assert_non_null(strstr(why.text, "nowhere.pk3"));
    files_close(files);
}

static void a_damaged_pack_does_not_stop_its_folder(void **state) {
    TempFolder *temp = *state;
    temp_text(temp, "bad.pk3", "words");
    put_zip(temp, "good.pk3", (ZipEntry[]){ PUT("a", "good") }, 1);
    KeptLog log;
    kept_log_init(&log);
    Files *files = files_open(&log.log);
    assert_true(files_add(files, temp->path, NULL));
    assert_text(files, "a", "good");
    assert_true(kept_log_has(&log, "bad.pk3"));
    files_close(files);
    kept_log_end(&log);
}

static void claims_that_cannot_be_true_are_refused(void **state) {
    TempFolder *temp = *state;
    const char *text = "text text text text text!", *packed = "\x2b\x49\xad\x28\x51\x28\xc1\x24\x14\x01";
    put_zip(temp, "lies.pk3", (ZipEntry[]){
        { "true", text, 0, 8, packed }, { "huge", text, 0xfffffff0u, 8, packed }, { "bomb", text, 0x1f000000u, 8, packed },
        { "longer", text, 40, 8, packed }, { "shorter", text, 2, 8, packed }, { "method", text, 0, 12, NULL },
        { "nodeflate", text, 30, 8, NULL } }, 7);
    Files *files = files_open(NULL);
    assert_true(files_add(files, temp_path(temp, "lies.pk3"), NULL));
    assert_text(files, "true", text);
    const char *names[] = { "huge", "bomb", "longer", "shorter", "method", "nodeflate" };
    const char *words[] = { "not unpacked", "cannot hold", "40 are claimed", "more than the 2", "method 12", "damaged" };
    for (int i = 0; i < COUNT_OF(names); i++) {
        FileBytes file;
        Error why = { "" };
        if (files_read(files, names[i], &file, &why))
            fail_msg("%s was read", names[i]);
        assert_null(file.bytes);
        if (!strstr(why.text, names[i]) || !strstr(why.text, words[i]))
            fail_msg("%s: %s", names[i], why.text);
    }
    files_close(files);
}

static void a_wrong_checksum_is_damage(void **state) {
    TempFolder *temp = *state;
    Text zip = make_zip((ZipEntry[]){ PUT("a", "the right text") }, 1);
    char *inside = memmem(zip.at, zip.count, "right", 5);
    *inside = 'w';
    temp_write(temp, "crc.pk3", zip.at, zip.count);
    text_free(&zip);
    Files *files = files_open(NULL);
    assert_true(files_add(files, temp_path(temp, "crc.pk3"), NULL));
    FileBytes file;
    Error why;
    assert_false(files_read(files, "a", &file, &why));
    assert_non_null(strstr(why.text, "damaged"));
    files_close(files);
}

static void lists_are_sorted_and_hold_a_name_once(void **state) {
    TempFolder *temp = *state;
    put_zip(temp, "a.pk3", (ZipEntry[]){ PUT("maps/z.bsp", ""), PUT("maps/A.bsp", ""), PUT("mapsnot/x.bsp", ""), PUT("maps/a.txt", "") }, 4);
    temp_text(temp, "maps/a.BSP", "loose");
    temp_text(temp, "maps/deep/m.bsp", "loose");
    Files *files = files_open(NULL);
    assert_true(files_add(files, temp->path, NULL));
    Arena *arena = arena_open();
    const char **names;
    assert_int_equal(files_list(files, "maps", ".bsp", arena, &names), 3);
    assert_string_equal(names[0], "maps/a.BSP");
    assert_string_equal(names[1], "maps/deep/m.bsp");
    assert_string_equal(names[2], "maps/z.bsp");
    assert_int_equal(files_list(files, "Maps/", "", arena, &names), 4);
    assert_int_equal(files_list(files, "../x", "", arena, &names), 0);
    assert_int_equal(files_list(files, "nowhere", "", arena, &names), 0);
    assert_int_equal(files_list(files, ".", "", arena, &names), 6);    /* the archive itself is a file too */
    assert_int_equal(files_list_ranked(files, "maps", ".bsp", arena, &names), 3);
    assert_string_equal(names[2], "maps/z.bsp");
    arena_close(arena);
    files_close(files);
}

static void new_and_deleted_files_are_noticed(void **state) {
    TempFolder *temp = *state;
    put_zip(temp, "a.pk3", (ZipEntry[]){ PUT("x/one", "packed") }, 1);
    Files *files = files_open(NULL);
    assert_true(files_add(files, temp->path, NULL));
    assert_text(files, "x/one", "packed");
    for (int turn = 0; turn < 20; turn++) {
        temp_text(temp, "X/ONE", "loose");
        assert_text(files, "x/one", "loose");
        unlink(temp_path(temp, "X/ONE"));
        assert_text(files, "x/one", "packed");
        temp_text(temp, "X/two", "new");
        assert_true(files_exists(files, "x/two"));
        unlink(temp_path(temp, "X/two"));
        rmdir(temp_path(temp, "X"));
        assert_false(files_exists(files, "x/two"));
    }
    files_close(files);
}

static void a_replaced_archive_is_opened_anew(void **state) {
    TempFolder *temp = *state;
    put_zip(temp, "a.pk3", (ZipEntry[]){ PUT("one", "old") }, 1);
    Files *files = files_open(NULL);
    assert_true(files_add(files, temp_path(temp, "a.pk3"), NULL));
    assert_text(files, "one", "old");
    assert_false(files_refresh(files));
    put_zip(temp, "b.pk3", (ZipEntry[]){ PUT("one", "newer"), PUT("two", "new") }, 2);
    rename(temp_path(temp, "b.pk3"), temp_path(temp, "a.pk3"));
    assert_true(files_refresh(files));
    assert_text(files, "one", "newer");
    assert_text(files, "two", "new");
    temp_text(temp, "a.pk3", "half");
    assert_true(files_refresh(files));
    assert_false(files_exists(files, "one"));
    put_zip(temp, "a.pk3", (ZipEntry[]){ PUT("one", "back") }, 1);
    assert_true(files_refresh(files));
    assert_text(files, "one", "back");
    files_close(files);
}

static void writing_stays_in_its_folder(void **state) {
    TempFolder *temp = *state;
    Files *files = files_open(NULL);
    Error why;
    assert_false(files_write(files, "a.txt", "a", 1, &why));
    assert_non_null(strstr(why.text, "no folder to write to"));
    files_set_writable(files, temp_path(temp, "not/yet/there"));
    assert_false(files_exists(files, "shots/a.txt"));
    assert_true(files_write(files, "shots/a.txt", "one", 3, &why));
    assert_text(files, "shots/A.TXT", "one");
    assert_true(files_write(files, "SHOTS/A.txt", "two", 3, &why));    /* the same file, not a second one */
    assert_text(files, "shots/a.txt", "two");
    Arena *arena = arena_open();
    const char **names;
    assert_int_equal(files_list(files, "", "", arena, &names), 1);
    assert_string_equal(names[0], "shots/a.txt");
    arena_close(arena);
    const char *unsafe[] = { "../out.txt", "a/../../out.txt", "", "C:out" };
    for (int i = 0; i < COUNT_OF(unsafe); i++)
        assert_false(files_write(files, unsafe[i], "x", 1, &why));
    assert_false(files_write(files, "shots", "x", 1, &why));
    files_close(files);
}

static void the_written_file_wins(void **state) {
    TempFolder *temp = *state;
    temp_text(temp, "game/a.txt", "game");
    Files *files = files_open(NULL);
    files_set_writable(files, temp_path(temp, "own"));
    assert_true(files_add(files, temp_path(temp, "game"), NULL));
    assert_text(files, "a.txt", "game");
    assert_true(files_write(files, "a.txt", "own", 3, NULL));
    assert_text(files, "a.txt", "own");
    assert_string_equal(files_origin(files, "a.txt"), files_writable(files));
    files_close(files);
}

static void a_disk_file_is_replaced_whole(void **state) {
    TempFolder *temp = *state;
    Error why;
    temp_text(temp, "a.txt", "before");
    chmod(temp_path(temp, "a.txt"), 0640);
    symlink("a.txt", temp_path(temp, "link.txt"));
    assert_true(file_write_disk(temp_path(temp, "link.txt"), "after", 5, &why));
    FileBytes file;
    assert_true(file_read_disk(temp_path(temp, "a.txt"), &file, &why));
    assert_string_equal((char *)file.bytes, "after");
    file_free(&file);
    struct stat status;
    assert_int_equal(stat(temp_path(temp, "a.txt"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    assert_int_equal(lstat(temp_path(temp, "link.txt"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_true(file_write_disk("/dev/null", "x", 1, &why));
    assert_false(file_write_disk(temp->path, "x", 1, &why));
    assert_false(file_write_disk(temp_path(temp, "no/folder"), "x", 1, &why));
    assert_false(file_read_disk(temp->path, &file, &why));
    assert_non_null(strstr(why.text, "folder"));
    assert_false(file_read_disk(temp_path(temp, "none"), &file, &why));
    assert_true(file_exists_disk(temp_path(temp, "a.txt")));
    assert_false(file_exists_disk(temp->path));
    assert_false(file_exists_disk(temp_path(temp, "none")));
}

typedef struct Readers { Files *files; int wrong[64]; } Readers;

static void read_some(void *user, int index) {
    Readers *r = user;
    for (int i = 0; i < 40; i++) {
        char name[32], wanted[32];
        snprintf(name, sizeof name, "f%d", (index * 7 + i) % 10);
        snprintf(wanted, sizeof wanted, "text %d", (index * 7 + i) % 10);
        FileBytes file;
        if (!files_read(r->files, name, &file, NULL) || strcmp((char *)file.bytes, wanted) != 0)
            r->wrong[index]++;
        file_free(&file);
    }
}

static void many_threads_read_one_archive(void **state) {
    TempFolder *temp = *state;
    ZipEntry entries[10];
    char names[10][32], texts[10][32];
    for (int i = 0; i < 10; i++) {
        snprintf(names[i], sizeof names[i], "f%d", i);
        snprintf(texts[i], sizeof texts[i], "text %d", i);
        entries[i] = (ZipEntry)PUT(names[i], texts[i]);
    }
    put_zip(temp, "a.pk3", entries, 10);
    Readers readers = { .files = files_open(NULL) };
    assert_true(files_add(readers.files, temp->path, NULL));
    Jobs *jobs = jobs_open(8);
    jobs_each(jobs, 64, read_some, &readers);
    jobs_close(jobs);
    for (int i = 0; i < 64; i++)
        assert_int_equal(readers.wrong[i], 0);
    files_close(readers.files);
}

static void a_game_is_found_below_the_named_folders(void **state) {
    TempFolder *temp = *state;
    put_zip(temp, "games/openarena/baseoa/pak0.pk3", (ZipEntry[]){ PUT("maps/x.bsp", "base") }, 1);
    put_zip(temp, "games/openarena/missionpack/pak0.pk3", (ZipEntry[]){ PUT("maps/x.bsp", "mission") }, 1);
    temp_text(temp, "home/.openarena/baseoa/maps/x.bsp", "home");
    setenv("LEAFWALK_GAMES", temp_path(temp, "games"), 1);
    setenv("HOME", temp_path(temp, "nowhere"), 1);
    Files *files = files_open(NULL);
    Error why;
    assert_true(files_add_game(files, "OpenArena", &why));
    assert_text(files, "maps/x.bsp", "base");
    files_close(files);
    setenv("HOME", temp_path(temp, "home"), 1);
    files = files_open(NULL);
    assert_true(files_add_game(files, "openarena", &why));
    assert_text(files, "maps/x.bsp", "home");
    files_close(files);
    files = files_open(NULL);
    assert_true(files_add_game(files, temp_path(temp, "games/openarena/missionpack"), &why));
    assert_text(files, "maps/x.bsp", "mission");
    assert_false(files_add_game(files, "quake9", &why));
    assert_non_null(strstr(why.text, "openarena, nexuiz"));
    files_close(files);
}

static void an_installed_openarena_is_whole(void **state) {
    (void)state;
    const char *all = getenv("LEAFWALK_ALL");
    bool every_package = all && *all == '1';
    if (!file_folder_disk("/usr/share/games/openarena/baseoa") && !every_package)
        skip();
    unsetenv("LEAFWALK_GAMES");
    setenv("HOME", "/nonexistent", 1);
    Files *files = files_open(NULL);
    assert_true(files_add_game(files, "openarena", NULL));
    assert_true(text_ends_fold(files_origin(files, "maps/oa_dm1.bsp"), "pak1-maps.pk3"));
    /* The community's levels are a package of their own, which ./run does not install. */
    if (every_package || file_exists_disk("/usr/share/games/openarena/baseoa/z_oacmp-volume1-v3.pk3"))
        assert_true(text_ends_fold(files_origin(files, "maps/oacmpdm1.bsp"), "z_oacmp-volume1-v3.pk3"));
    files_close(files);
}

int main(void) {
#define TEMP(test) cmocka_unit_test_setup_teardown(test, temp_folder_setup, temp_folder_teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_made_safe),
        TEMP(loose_files_are_found_without_case),
        TEMP(the_spelling_asked_for_comes_first),
        TEMP(packs_win_by_name_and_loose_files_over_all),
        TEMP(the_later_entry_of_a_name_wins),
        TEMP(odd_names_in_archives_do_no_harm),
        TEMP(damaged_archives_explain_themselves),
        TEMP(a_damaged_pack_does_not_stop_its_folder),
        TEMP(claims_that_cannot_be_true_are_refused),
        TEMP(a_wrong_checksum_is_damage),
        TEMP(lists_are_sorted_and_hold_a_name_once),
        TEMP(new_and_deleted_files_are_noticed),
        TEMP(a_replaced_archive_is_opened_anew),
        TEMP(writing_stays_in_its_folder),
        TEMP(the_written_file_wins),
        TEMP(a_disk_file_is_replaced_whole),
        TEMP(many_threads_read_one_archive),
        TEMP(a_game_is_found_below_the_named_folders),
        cmocka_unit_test(an_installed_openarena_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
