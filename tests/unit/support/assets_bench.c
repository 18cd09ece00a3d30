/* support/assets_bench.c -- opened in the order in which one thing needs the other, closed in the other one. */
#include "support/test.h"

#include "support/assets_bench.h"

#include "support/make_image.h"

AssetsBench *assets_bench_open(int threads, bool watch) {
    AssetsBench *bench = mem_zeroed(1, sizeof *bench);
    bench->temp = temp_folder_open();
    kept_log_init(&bench->log);
    bench->files = files_open(&bench->log.log);
    files_add(bench->files, bench->temp->path, NULL);
    bench->jobs = jobs_open(threads);
    bench->watch = watch ? watch_open() : NULL;
    bench->assets = assets_open(bench->files, bench->jobs, bench->watch, &bench->log.log);
    bench->arena = arena_open();
    return bench;
}

int assets_bench_teardown(void **state) {
    AssetsBench *bench = *state;
    arena_close(bench->arena);
    assets_close(bench->assets);
    watch_close(bench->watch);
    jobs_close(bench->jobs);
    files_close(bench->files);
    kept_log_end(&bench->log);
    temp_folder_close(bench->temp);
    mem_free(bench);
    return 0;
}

void assets_bench_put(AssetsBench *bench, const char *name, int side, unsigned seed) {
    Image image = make_noise(side, side, seed);
    Text file = make_tga(&image, (TgaForm){ 2, 24, 0x20 });
    temp_write(bench->temp, name, file.at, file.count);
    text_free(&file);
    image_free(&image);
}
