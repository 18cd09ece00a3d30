/* sim/sim_internal.h -- what the files of sim/ share. */
#ifndef LEAFWALK_SIM_INTERNAL_H
#define LEAFWALK_SIM_INTERNAL_H

#include "sim/sim.h"

#define SIM_STEP_SECONDS (1.0 / SIM_RATE)

void sim_move_entities(Sim *sim);     /* sim_push.c: trajectories, carrying and blocking */
void sim_move_player(Sim *sim);       /* sim_player.c */
void sim_touch_triggers(Sim *sim, int entity);

#endif
