/* support/place.h -- a running program in a folder of its own, for tests. */
#ifndef LEAFWALK_TEST_PLACE_H
#define LEAFWALK_TEST_PLACE_H

#include "script/script.h"
#include "support/kept_log.h"
#include "support/temp_folder.h"

typedef struct Place { TempFolder *folder; KeptLog log; Vars *vars; Engine *engine; Scripts *scripts; } Place;    /* scripts: NULL without */

int place_setup(void **state);             /* for cmocka: *state is the Place, without scripts */
int place_teardown(void **state);

/* Both fail the test with what is wrong. `data_folder`: where scripts and shaders are; NULL: the project's. */
Place *place_open(void);                   /* folder, log and variables */
void place_start(Place *place, const char *data_folder, bool watch);
void place_start_scripts(Place *place);

#endif
