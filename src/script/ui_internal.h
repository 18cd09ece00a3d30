/* script/ui_internal.h -- lw.ui's controls: the mouse and the keys come to them from the host, ahead of scripts. */
#ifndef LEAFWALK_UI_INTERNAL_H
#define LEAFWALK_UI_INTERNAL_H

#include "script/script_internal.h"

/* What the user does. True: it was for a control, and is kept from others. */
void ui_pointer(lua_State *L, float x, float y);
bool ui_click(lua_State *L, int button, float x, float y, bool down);
bool ui_key(lua_State *L, const char *name, bool down);
bool ui_text_typed(lua_State *L, const char *text);
void ui_controls_open(lua_State *L);

int ui_panel(lua_State *L);
int ui_label(lua_State *L);
int ui_button(lua_State *L);
int ui_checkbox(lua_State *L);
int ui_slider(lua_State *L);
int ui_choice(lua_State *L);
int ui_input(lua_State *L);

#endif
