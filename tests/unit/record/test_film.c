/* Films: what stands in their files, and what happens when the world refuses. */
#include "support/test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "record/blur.h"
#include "record/film.h"
#include "support/temp_folder.h"

static Image picture(int width, int height, int seed) {
    Image image = image_make(width, height);
    for (int i = 0; i < width * height * 4; i++)
        image.rgba[i] = i % 4 == 3 ? 255 : (uint8_t)(i * 7 + seed * 31);
    return image;
}

static FilmSetup setup_of(const char *path) {
    return (FilmSetup){ .path = path, .width = 16, .height = 8, .fps_num = 60, .fps_den = 1, .last = -1, .threads = 2 };
}

static bool write_frames(Film *film, int count, Error *error) {
    for (int i = 0; i < count; i++) {
        Image image = picture(16, 8, i);
        if (!film_frame(film, i, &image, error))
            return false;
    }
    return true;
}

static size_t size_of(const char *path) {
    FileBytes file;
    if (!file_read_disk(path, &file, NULL))
        return 0;
    size_t size = file.size;
    file_free(&file);
    return size;
}

static void a_y4m_holds_every_frame(void **state) {
    const char *path = temp_path(*state, "a.y4m");
    FilmSetup setup = setup_of(path);
    Error error = { "" };
    Film *film = film_open(&setup, &error);
    assert_non_null(film);
    assert_true(write_frames(film, 5, &error));
    assert_true(film_close(film, &error));
    FileBytes file;
    assert_true(file_read_disk(path, &file, &error));
    static const char header[] = "YUV4MPEG2 W16 H8 F60:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n";
    assert_memory_equal(file.bytes, header, sizeof header - 1);
    assert_int_equal(file.size, sizeof header - 1 + 5 * (6 + 3 * 16 * 8));
    Image image = picture(16, 8, 4);
    uint8_t y[128], u[128], v[128];
    film_planes(&image, y, u, v);
    const uint8_t *last = file.bytes + sizeof header - 1 + 4 * (6 + 3 * 128);
    assert_memory_equal(last, "FRAME\n", 6);
    assert_memory_equal(last + 6, y, 128);
    assert_memory_equal(last + 6 + 256, v, 128);
    image_free(&image);
    file_free(&file);
}

static void colours_are_those_of_bt_601(void **state) {
    (void)state;
    static const uint8_t colors[][6] = {    /* r g b, then y u v as the standard has them */
        { 0, 0, 0, 16, 128, 128 }, { 255, 255, 255, 235, 128, 128 }, { 255, 0, 0, 81, 90, 240 },
        { 0, 255, 0, 145, 54, 34 }, { 0, 0, 255, 41, 240, 110 },
    };
    for (int i = 0; i < COUNT_OF(colors); i++) {
        Image image = image_make(1, 1);
        memcpy(image.rgba, colors[i], 3);
        uint8_t y, u, v;
        film_planes(&image, &y, &u, &v);
        assert_int_equal(y, colors[i][3]);
        assert_int_equal(u, colors[i][4]);
        assert_int_equal(v, colors[i][5]);
        image_free(&image);
    }
}

static void what_is_there_is_not_overwritten(void **state) {
    const char *path = temp_path(*state, "b.y4m");
    temp_text(*state, "b.y4m", "precious");
    FilmSetup setup = setup_of(path);
    Error error = { "" };
    assert_null(film_open(&setup, &error));
    assert_non_null(strstr(error.text, "--force"));
    assert_int_equal(size_of(path), 8);
    setup.force = true;
    Film *film = film_open(&setup, &error);
    assert_non_null(film);
    assert_true(film_close(film, &error));
    temp_text(*state, "00007.png", "precious");
    setup = setup_of(temp_path(*state, "%05d.png"));
    setup.first = 5;
    setup.last = 9;
    assert_null(film_open(&setup, &error));
    assert_non_null(strstr(error.text, "00007.png"));
}

static void pictures_have_their_numbers(void **state) {
    FilmSetup setup = setup_of(temp_path(*state, "deep/er/%03d.png"));
    Error error = { "" };
    Film *film = film_open(&setup, &error);
    assert_non_null(film);
    assert_true(write_frames(film, 11, &error));
    assert_true(film_close(film, &error));
    for (int i = 0; i < 11; i++) {
        char name[64];
        snprintf(name, sizeof name, "deep/er/%03d.png", i);
        FileBytes file;
        assert_true(file_read_disk(temp_path(*state, name), &file, &error));
        Image image, same = picture(16, 8, i);
        assert_true(image_decode(file.bytes, file.size, name, &image, &error));
        assert_memory_equal(image.rgba, same.rgba, 16 * 8 * 4);
        image_free(&image);
        image_free(&same);
        file_free(&file);
    }
}

static void names_are_looked_at(void **state) {
    (void)state;
    static const char *const wrong[] = { "x.avi", "x", "x.png", "%s.png", "%d%d.png", "%5d.png", "%099999d.png", "%n.png", "%0d", "x.y4m.txt" };
    for (int i = 0; i < COUNT_OF(wrong); i++)
        if (film_kind(wrong[i]) != FILM_NONE)
            fail_msg("%s", wrong[i]);
    char name[64];
    assert_true(film_picture_name("a/%04d.png", 7, name, sizeof name));
    assert_string_equal(name, "a/0007.png");
    assert_true(film_picture_name("%d.png", 123456, name, sizeof name));
    assert_string_equal(name, "123456.png");
    assert_int_equal(film_kind("-"), FILM_Y4M);
    assert_int_equal(film_kind("x.MP4"), FILM_ENCODED);
}

static void places_that_cannot_be_written_are_told(void **state) {
    (void)state;
    static const char *const places[] = { "/no/such/folder/x.y4m", "/proc/x.y4m", "/proc/no/%05d.png" };
    for (int i = 0; i < COUNT_OF(places); i++) {
        FilmSetup setup = setup_of(places[i]);
        Error error = { "" };
        Film *film = film_open(&setup, &error);
        assert_null(film);
        assert_non_null(strstr(error.text, "/"));
    }
}

static void a_full_disk_is_told_with_the_frame(void **state) {
    TempFolder *folder = *state;
    char link[300];
    snprintf(link, sizeof link, "%s/full.y4m", folder->path);
    assert_int_equal(symlink("/dev/full", link), 0);
    FilmSetup setup = setup_of(link);
    Error error = { "" };
    assert_null(film_open(&setup, &error));    /* already the header */
    assert_non_null(strstr(error.text, "No space left"));
}

/* A disk that fills up on the way: a limit to the size of files does it. Whole frames stay. */
static void a_film_that_does_not_fit_ends_with_a_whole_frame(void **state) {
    const char *path = temp_path(*state, "cut.y4m");
    FilmSetup setup = setup_of(path);
    struct rlimit before, small;
    size_t frame = 6 + 3 * 128, header = strlen("YUV4MPEG2 W16 H8 F60:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n");
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = header + 3 * frame + 100;
    void (*usual)(int) = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    Error error = { "" };
    Film *film = film_open(&setup, &error);
    bool wrote = film && write_frames(film, 8, &error);
    bool closed = film_close(film, wrote ? &error : NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, usual);
    assert_non_null(film);
    assert_false(wrote && closed);
    if (!strstr(error.text, "frame 3"))
        fail_msg("%s", error.text);
    assert_int_equal(size_of(path), header + 3 * frame);
}

/* Programs named ffmpeg that do what a test needs, first on the PATH. */
static void fake_encoder(TempFolder *folder, const char *script) {
    temp_text(folder, "bin/ffmpeg", script);
    char path[400], name[300];
    snprintf(name, sizeof name, "%s/bin/ffmpeg", folder->path);
    char command[400];
    snprintf(command, sizeof command, "chmod +x %s", name);
    assert_int_equal(system(command), 0);
    snprintf(path, sizeof path, "%s/bin:/usr/bin:/bin", folder->path);
    setenv("PATH", path, 1);
}

static void an_encoder_gets_pictures_and_words(void **state) {
    TempFolder *folder = *state;
    fake_encoder(folder, "#!/bin/sh\nout=\nfor w in \"$@\"; do out=$w; done\nout=${out#file:}\ncat >$out\nfor w in \"$@\"; do echo \"<$w>\"; done >$out.words\n");
    const char *path = temp_path(folder, "x;y $(z).mp4");
    FilmSetup setup = setup_of(path);
    setup.encoder = "-crf 30 -vf \"scale=8:4, hflip\" -metadata 'title=a b'";
    Error error = { "" };
    Film *film = film_open(&setup, &error);
    assert_non_null(film);
    assert_true(write_frames(film, 4, &error));
    bool closed = film_close(film, &error);
    assert_string_equal(error.text, "");
    assert_true(closed);
    assert_int_equal(size_of(path), 4 * 16 * 8 * 4);
    FileBytes words;
    assert_true(file_read_disk(temp_path(folder, "x;y $(z).mp4.words"), &words, &error));
    Text text = { 0 };
    text_add_n(&text, (const char *)words.bytes, words.size);
    static const char *const wanted[] = { "<-video_size>\n<16x8>", "<-framerate>\n<60/1>", "<-crf>\n<30>", "<scale=8:4, hflip>", "<title=a b>", "<yuv420p>" };
    for (int i = 0; i < COUNT_OF(wanted); i++)
        if (!strstr(text_of(&text), wanted[i]))
            fail_msg("%s is not in %s", wanted[i], text_of(&text));
    assert_null(strstr(text_of(&text), "libx264"));    /* the user chose */
    text_free(&text);
    file_free(&words);
}

static void a_dead_encoder_ends_the_film_with_its_frame(void **state) {
    TempFolder *folder = *state;
    static const struct { const char *script, *says; } ends[] = {
        { "#!/bin/sh\nhead -c 1000 >/dev/null\necho 'codec frobnitz not found' >&2\nexit 3\n", "frobnitz" },
        { "#!/bin/sh\nhead -c 1000 >/dev/null\nkill -9 $$\n", "signal 9" },
        { "#!/bin/sh\nexec <&-\nsleep 0.05\n", "before" },
    };
    for (int i = 0; i < COUNT_OF(ends); i++) {
        fake_encoder(folder, ends[i].script);
        FilmSetup setup = setup_of(temp_path(folder, "dead.mp4"));
        setup.width = setup.height = 512;    /* a megabyte a frame: more than a pipe holds */
        Error error = { "" };
        Film *film = film_open(&setup, &error);
        assert_non_null(film);
        bool fine = true;
        for (int n = 0; n < 20 && fine; n++) {
            Image image = picture(512, 512, n);
            fine = film_frame(film, n, &image, &error);
        }
        fine = film_close(film, fine ? &error : NULL) && fine;
        assert_false(fine);
        if (!strstr(error.text, ends[i].says) || !strstr(error.text, "the frames before "))
            fail_msg("%s", error.text);
    }
}

static void a_missing_encoder_is_told(void **state) {
    setenv("PATH", "/nowhere", 1);
    FilmSetup setup = setup_of(temp_path(*state, "none.mp4"));
    Error error = { "" };
    assert_null(film_open(&setup, &error));
    assert_non_null(strstr(error.text, "ffmpeg"));
    setenv("PATH", "/usr/bin:/bin", 1);
    setup.encoder = "-vf 'open";
    assert_null(film_open(&setup, &error));
    assert_non_null(strstr(error.text, "quote"));
}

static void blur_is_the_mean_of_light(void **state) {
    (void)state;
    Blur *blur = blur_open(2, 1);
    Image black = image_make(2, 1), white = image_make(2, 1);
    memset(white.rgba, 255, 8);
    blur_add(blur, &black);
    blur_add(blur, &white);
    Image mean = blur_take(blur);
    assert_int_equal(mean.rgba[0], 188);    /* half the light, not half the byte */
    assert_int_equal(mean.rgba[3], 255);
    image_free(&mean);
    for (int byte = 0; byte < 256; byte++) {    /* a still picture stays what it is */
        memset(white.rgba, byte, 8);
        for (int i = 0; i < 7; i++)
            blur_add(blur, &white);
        mean = blur_take(blur);
        assert_int_equal(mean.rgba[1], byte);
        image_free(&mean);
    }
    image_free(&black);
    image_free(&white);
    blur_close(blur);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_y4m_holds_every_frame),
        cmocka_unit_test(colours_are_those_of_bt_601),
        cmocka_unit_test(what_is_there_is_not_overwritten),
        cmocka_unit_test(pictures_have_their_numbers),
        cmocka_unit_test(names_are_looked_at),
        cmocka_unit_test(places_that_cannot_be_written_are_told),
        cmocka_unit_test(a_full_disk_is_told_with_the_frame),
        cmocka_unit_test(a_film_that_does_not_fit_ends_with_a_whole_frame),
        cmocka_unit_test(an_encoder_gets_pictures_and_words),
        cmocka_unit_test(a_dead_encoder_ends_the_film_with_its_frame),
        cmocka_unit_test(a_missing_encoder_is_told),
        cmocka_unit_test(blur_is_the_mean_of_light),
    };
    return cmocka_run_group_tests(tests, temp_folder_setup, temp_folder_teardown);
}
