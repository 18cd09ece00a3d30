/* script/lw_draw_internal.h -- what the files of lw.draw share: lists of points, and the rows that stand elsewhere. */
#ifndef LEAFWALK_LW_DRAW_INTERNAL_H
#define LEAFWALK_LW_DRAW_INTERNAL_H

#include "script/script_internal.h"

/* Points one after another as numbers (x, y, z, x, …), or a point an item. */
typedef struct Points { int list, count; bool flat; } Points;

int    check_list(lua_State *L, int arg, const char *what);
Points check_points(lua_State *L, int arg);
Vec3   points_at(lua_State *L, const Points *points, int i);

/* lw_draw_models.c */
int draw_model(lua_State *L);
int draw_models(lua_State *L);
int draw_sprite(lua_State *L);
int draw_sprites(lua_State *L);
int draw_model_info(lua_State *L);
int draw_tag(lua_State *L);

#endif
