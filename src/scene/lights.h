/* scene/lights.h -- dynamic lights that stay until they are taken away, by ticket. */
#ifndef LEAFWALK_LIGHTS_H
#define LEAFWALK_LIGHTS_H

#include "frame/frame.h"

typedef struct LightTicket { int slot; unsigned generation; } LightTicket;
typedef struct LightSlot { FrameLight light; unsigned generation; bool used; } LightSlot;
typedef struct Lights { ARRAY(LightSlot) slots; } Lights;

enum { LIGHTS_MOST = 65536 };

void lights_close(Lights *lights);
void lights_clear(Lights *lights);                                     /* tickets of before find nothing */
bool lights_add(Lights *lights, FrameLight light, LightTicket *out);   /* false: there are LIGHTS_MOST */
FrameLight *lights_at(const Lights *lights, LightTicket ticket);       /* NULL: it is gone */
void lights_remove(Lights *lights, LightTicket ticket);
int  lights_count(const Lights *lights);
void lights_fill(const Lights *lights, Frame *frame);

#endif
