/* scene/camera_file.h -- camera paths as other programs write them.
 *
 * q3mme's: <camera> with <point>s: milliseconds, and any of origin, angles, fov (there an offset to 90 degrees; here, as
 * everywhere in the program, the field of view itself). Flat ones: a line a frame, `x y z pitch yaw roll fov`, blanks or
 * commas between; '#' or '//' begin a comment. Paths that are Lua tables are read by script/. */
#ifndef LEAFWALK_CAMERA_FILE_H
#define LEAFWALK_CAMERA_FILE_H

#include "scene/camera_path.h"

typedef enum CameraFormat { CAMERA_LUA, CAMERA_Q3MME, CAMERA_FLAT } CameraFormat;

CameraFormat camera_format_of_name(const char *name);        /* .cam .xml .mme .cfg: q3mme's; .txt .csv .flat: flat; else Lua */
CameraFormat camera_format_of_text(const char *text, size_t length);    /* by what stands in it */

/* `name` is for messages, which say the line. `fps`: lines a second of a flat file. NULL: refused. */
CameraPath *camera_file_read(CameraFormat format, const char *name, const char *text, size_t length, double fps, Error *error);
/* A flat file gets the path sampled at `fps`. Keys that look at a point are written with the angles that they have. */
void camera_file_write(CameraFormat format, CameraPath *path, double fps, Text *out);

#endif
