/* bsp/flags.c -- the names of surface and contents bits. */
#include "bsp/flags.h"

#include <stdio.h>

const BspFlagName bsp_surface_flags[] = {
    { SURF_NODAMAGE, "nodamage" },       { SURF_SLICK, "slick" },
    { SURF_SKY, "sky" },                 { SURF_LADDER, "ladder" },
    { SURF_NOIMPACT, "noimpact" },       { SURF_NOMARKS, "nomarks" },
    { SURF_FLESH, "flesh" },             { SURF_NODRAW, "nodraw" },
    { SURF_HINT, "hint" },               { SURF_SKIP, "skip" },
    { SURF_NOLIGHTMAP, "nolightmap" },   { SURF_POINTLIGHT, "pointlight" },
    { SURF_METALSTEPS, "metalsteps" },   { SURF_NOSTEPS, "nosteps" },
    { SURF_NONSOLID, "nonsolid" },       { SURF_LIGHTFILTER, "lightfilter" },
    { SURF_ALPHASHADOW, "alphashadow" }, { SURF_NODLIGHT, "nodlight" },
    { SURF_DUST, "dust" },               { 0, NULL },
};

const BspFlagName bsp_contents_flags[] = {
    { CONTENTS_SOLID, "solid" },             { CONTENTS_LAVA, "lava" },
    { CONTENTS_SLIME, "slime" },             { CONTENTS_WATER, "water" },
    { CONTENTS_FOG, "fog" },                 { CONTENTS_NOTTEAM1, "notteam1" },
    { CONTENTS_NOTTEAM2, "notteam2" },       { CONTENTS_NOBOTCLIP, "nobotclip" },
    { CONTENTS_AREAPORTAL, "areaportal" },   { CONTENTS_PLAYERCLIP, "playerclip" },
    { CONTENTS_MONSTERCLIP, "monsterclip" }, { CONTENTS_TELEPORTER, "teleporter" },
    { CONTENTS_JUMPPAD, "jumppad" },         { CONTENTS_CLUSTERPORTAL, "clusterportal" },
    { CONTENTS_DONOTENTER, "donotenter" },   { CONTENTS_BOTCLIP, "botclip" },
    { CONTENTS_MOVER, "mover" },             { CONTENTS_ORIGIN, "origin" },
    { CONTENTS_BODY, "body" },               { CONTENTS_CORPSE, "corpse" },
    { CONTENTS_DETAIL, "detail" },           { CONTENTS_STRUCTURAL, "structural" },
    { CONTENTS_TRANSLUCENT, "translucent" }, { CONTENTS_TRIGGER, "trigger" },
    { CONTENTS_NODROP, "nodrop" },           { 0, NULL },
};

uint32_t bsp_flag_by_name(const BspFlagName *table, const char *name) {
    for (; table->name; table++)
        if (text_same(table->name, name))
            return table->bit;
    return 0;
}

const char *bsp_flag_names(const BspFlagName *table, uint32_t bits, char *out, size_t room) {
    size_t used = 0;
    text_copy(out, room, "");
    for (int bit = 0; bit < 32; bit++) {
        uint32_t one = (uint32_t)1 << bit;
        if (!(bits & one) || used >= room)
            continue;
        const BspFlagName *row = table;
        while (row->name && row->bit != one)
            row++;
        const char *blank = used ? " " : "";
        int more = row->name ? snprintf(out + used, room - used, "%s%s", blank, row->name)
                             : snprintf(out + used, room - used, "%s0x%x", blank, (unsigned)one);
        used += (size_t)more;
    }
    return out;
}
