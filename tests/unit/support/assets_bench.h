/* support/assets_bench.h -- pictures and materials from a folder of the test's own. */
#ifndef LEAFWALK_TESTS_ASSETS_BENCH_H
#define LEAFWALK_TESTS_ASSETS_BENCH_H

#include "assets/assets.h"
#include "support/kept_log.h"
#include "support/temp_folder.h"

typedef struct AssetsBench { TempFolder *temp; KeptLog log; Files *files; Jobs *jobs; Watch *watch; Assets *assets; Arena *arena; } AssetsBench;

AssetsBench *assets_bench_open(int threads, bool watch);
int  assets_bench_teardown(void **state);                                                       /* for cmocka: *state is the bench */
void assets_bench_put(AssetsBench *bench, const char *name, int side, unsigned seed);           /* a TGA of noise, side x side */

#endif
