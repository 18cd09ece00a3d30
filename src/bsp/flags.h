/* bsp/flags.h -- what a surface or a volume is: the bits of BspTexture.flags and BspTexture.contents, with their names.
 *
 * The values are those of the game's surfaceflags.h. The names are the script API's: the constant's, small, without
 * its prefix ("nodraw", "playerclip"). */
#ifndef LEAFWALK_BSP_FLAGS_H
#define LEAFWALK_BSP_FLAGS_H

#include "bsp/bsp.h"

enum {
    SURF_NODAMAGE = 0x1, SURF_SLICK = 0x2, SURF_LADDER = 0x8, SURF_NOIMPACT = 0x10, SURF_NOMARKS = 0x20, SURF_FLESH = 0x40,
    SURF_HINT = 0x100, SURF_SKIP = 0x200, SURF_NOLIGHTMAP = 0x400, SURF_POINTLIGHT = 0x800, SURF_METALSTEPS = 0x1000,
    SURF_NOSTEPS = 0x2000, SURF_LIGHTFILTER = 0x8000, SURF_ALPHASHADOW = 0x10000, SURF_NODLIGHT = 0x20000, SURF_DUST = 0x40000
    /* SURF_SKY, SURF_NODRAW and SURF_NONSOLID stand in bsp.h */
};

/* Unsigned: the last one is bit 31. */
#define CONTENTS_LAVA          0x8u
#define CONTENTS_SLIME         0x10u
#define CONTENTS_WATER         0x20u
#define CONTENTS_FOG           0x40u
#define CONTENTS_NOTTEAM1      0x80u
#define CONTENTS_NOTTEAM2      0x100u
#define CONTENTS_NOBOTCLIP     0x200u
#define CONTENTS_AREAPORTAL    0x8000u
#define CONTENTS_PLAYERCLIP    0x10000u
#define CONTENTS_MONSTERCLIP   0x20000u
#define CONTENTS_TELEPORTER    0x40000u
#define CONTENTS_JUMPPAD       0x80000u
#define CONTENTS_CLUSTERPORTAL 0x100000u
#define CONTENTS_DONOTENTER    0x200000u
#define CONTENTS_BOTCLIP       0x400000u
#define CONTENTS_MOVER         0x800000u
#define CONTENTS_ORIGIN        0x1000000u
#define CONTENTS_BODY          0x2000000u
#define CONTENTS_CORPSE        0x4000000u
#define CONTENTS_DETAIL        0x8000000u
#define CONTENTS_STRUCTURAL    0x10000000u
#define CONTENTS_TRANSLUCENT   0x20000000u
#define CONTENTS_TRIGGER       0x40000000u
#define CONTENTS_NODROP        0x80000000u

/* What a trace may be asked to stop at (the game's bg_public.h). */
#define MASK_SOLID       0x1u
#define MASK_PLAYERSOLID 0x2010001u
#define MASK_DEADSOLID   0x10001u
#define MASK_WATER       0x38u
#define MASK_OPAQUE      0x19u
#define MASK_SHOT        0x6000001u

typedef struct BspFlagName { uint32_t bit; const char *name; } BspFlagName;

extern const BspFlagName bsp_surface_flags[];     /* ascending; ended by bit 0 */
extern const BspFlagName bsp_contents_flags[];

/* The bit of a name (without case) in one of those tables, or 0. */
uint32_t bsp_flag_by_name(const BspFlagName *table, const char *name);
/* "solid playerclip 0x4" (a bit without a name as its number); "" for 0. Returns out. */
const char *bsp_flag_names(const BspFlagName *table, uint32_t bits, char *out, size_t room);

#endif
