/* bsp/bsp_foreign.c -- names what a file is when it is no Quake III level.
 *
 * The first four bytes decide, then the version; guesses only word the message. */
#include "bsp/bsp.h"
#include "bsp/bsp_format.h"

enum { ANY = -1 };

typedef struct Foreign { char ident[5]; int version; const char *name; } Foreign;

static const Foreign by_ident[] = {
    { "IBSP", 38, "Quake 2 (IBSP version 38)" },
    { "IBSP", 41, "Daikatana (IBSP version 41)" },
    { "IBSP", 58, "Call of Duty (IBSP version 58)" },
    { "IBSP", 59, "Call of Duty (IBSP version 59)" },
    { "IBSP", 4, "Call of Duty 2 (IBSP version 4)" },
    { "IBSP", 22, "Call of Duty 4 (IBSP version 22)" },
    { "IBSP", 69, "a Quake 2 level in Q2W's variant (IBSP version 69)" },
    { "IBSP", ANY, "an IBSP file of a version that no game known here has" },
    { "QBSP", ANY, "Quake 2 with 32-bit lumps (QBSP: Qbism, KMQuake 2)" },
    { "RBSP", ANY, "Raven's RBSP (Jedi Outcast, Jedi Academy, Soldier of Fortune 2; SiN)" },
    { "FBSP", ANY, "qfusion's FBSP (Warsow, Warfork)" },
    { "FAKK", ANY, "Heavy Metal: FAKK2" },
    { "EF2!", ANY, "Star Trek: Elite Force 2" },
    { "2015", ANY, "Medal of Honor: Allied Assault" },
    { "EALA", ANY, "Medal of Honor: Allied Assault Breakthrough" },
    { "VBSP", ANY, "Source engine (VBSP)" },
    { "PSBV", ANY, "Source engine on a big-endian console (byte-swapped VBSP)" },
    { "rBSP", ANY, "Titanfall or Apex Legends (rBSP)" },
    { "BSP2", ANY, "Quake 1 in the extended BSP2 format" },
    { "2PSB", ANY, "Quake 1 in the extended 2PSB format" },
    { " 46Q", ANY, "Quake 64" },
    { "PSBI", ANY, "a byte-swapped (big-endian console) IBSP file" },
    { "PK\3\4", ANY, "a zip or pk3 archive: give it with --path and name the level in it" },
    { "PK\5\6", ANY, "an empty zip or pk3 archive" },
    { "PWAD", ANY, "a WAD of Doom (PWAD)" },
    { "IWAD", ANY, "a WAD of Doom (IWAD)" },
    { "WAD2", ANY, "a texture WAD of Quake 1 (WAD2)" },
    { "WAD3", ANY, "a texture WAD of Half-Life (WAD3)" },
    { "PACK", ANY, "a PAK archive of Quake: unpack it and give the level" },
    { "IDP3", ANY, "an MD3 model" },
};

static const Foreign by_number[] = {
    { "", 23, "Quake 1's test release (version 23)" },
    { "", 28, "Quake 1's pre-release (version 28)" },
    { "", 29, "Quake 1 or Hexen II (version 29)" },
    { "", 30, "Half-Life (GoldSrc, version 30)" },
    { "", 42, "James Bond: Nightfire (version 42)" },
};

/* 47 is three games': what tells them apart is where the first lump begins and how long an 18th entry says it is. */
static const char *version_47(const uint8_t *bytes, size_t size) {
    if (size < DISK_HEADER + 8)
        return "Return to Castle Wolfenstein, Enemy Territory or Quake Live (IBSP version 47)";
    uint32_t first = UINT32_MAX;
    for (int i = 0; i < LUMP_COUNT; i++) {
        uint32_t offset = disk_u32(bytes + 8 + 8 * i), length = disk_u32(bytes + 12 + 8 * i);
        first = length ? MIN(first, offset) : first;
    }
    if (first == DISK_HEADER)
        return "Return to Castle Wolfenstein or Enemy Territory (IBSP version 47, 17 lumps)";
    uint32_t advertisements = disk_u32(bytes + DISK_HEADER + 4);
    if (advertisements && advertisements % 128 == 0)
        return "Quake Live (IBSP version 47, 18 lumps)";
    return "Return to Castle Wolfenstein, Enemy Territory or Quake Live (IBSP version 47)";
}

const char *bsp_foreign_format(const uint8_t *bytes, size_t size) {
    if (size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b)
        return "a gzip file: unpack it first";
    if (size < 4)
        return NULL;
    if (memcmp(bytes, "\x89PNG", 4) == 0)
        return "a PNG picture";
    int version = size >= 8 ? disk_i32(bytes + 4) : ANY;
    if (memcmp(bytes, "IBSP", 4) == 0 && version == DISK_VERSION)
        return NULL;
    if (memcmp(bytes, "IBSP", 4) == 0 && version == 47)
        return version_47(bytes, size);
    for (int i = 0; i < COUNT_OF(by_ident); i++)
        if (memcmp(bytes, by_ident[i].ident, 4) == 0 && (by_ident[i].version == ANY || by_ident[i].version == version))
            return by_ident[i].name;
    int number = disk_i32(bytes);
    for (int i = 0; i < COUNT_OF(by_number); i++)
        if (number == by_number[i].version)
            return by_number[i].name;
    return NULL;
}
