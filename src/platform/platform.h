/* platform/platform.h -- the machine: a window or none, a GL context or none, input, a clock. */
#ifndef LEAFWALK_PLATFORM_H
#define LEAFWALK_PLATFORM_H

#include "base/base.h"

typedef struct Platform Platform;

typedef enum InputKind { INPUT_KEY, INPUT_TEXT, INPUT_MOUSE, INPUT_WHEEL, INPUT_BUTTON, INPUT_RESIZE, INPUT_FOCUS, INPUT_QUIT, INPUT_DROP } InputKind;

typedef struct InputEvent {
    InputKind kind;
    char name[32];               /* KEY: "w", "f1", "space", "left", "left shift", "tab", "`" …, lower case; BUTTON, as Quake counts: "mouse1" left, "mouse2" right, "mouse3" middle */
    char text[32];               /* TEXT: UTF-8 */
    char *path;                  /* DROP: lent until the next poll */
    bool down, repeat;
    float x, y;                  /* BUTTON: where; MOUSE: where */
    float dx, dy;                /* MOUSE: how far, never the jump of a regained focus (traps G10); WHEEL: dy */
    int button;                  /* BUTTON: 1 left, 2 middle, 3 right */
    int width, height;           /* RESIZE: pixels of the picture */
} InputEvent;

typedef struct PlatformSetup { bool window; int width, height; const char *title; const Log *log; } PlatformSetup;

bool platform_has_display(void);                               /* X11 or Wayland answers; while an unseen context was opened before: false */
Platform *platform_open(const PlatformSetup *setup, Error *error);    /* window false: an unseen GL 3.3 context (SDL's offscreen driver) */
void platform_close(Platform *platform);
bool platform_has_gl(const Platform *platform);
void *platform_gl_loader(const char *name);
void platform_size(const Platform *platform, int *width, int *height);
void platform_present(Platform *platform);                     /* swaps */
bool platform_poll(Platform *platform, InputEvent *out);       /* false: nothing more for now */
void platform_grab_mouse(Platform *platform, bool grab);
bool platform_mouse_grabbed(const Platform *platform);
void platform_text_input(Platform *platform, bool on);
void platform_title(Platform *platform, const char *title);
void platform_clipboard(Platform *platform, const char *text);
bool platform_key_down(const Platform *platform, const char *name);
void platform_mouse(const Platform *platform, float *x, float *y);
void platform_vsync(Platform *platform, bool on);

double clock_seconds(void);                                    /* monotonic */
void   clock_sleep(double seconds);

#endif
