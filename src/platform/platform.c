/* platform/platform.c -- SDL2: a window with a GL context, or a context without a window, and what the user does. */
#include "platform/platform.h"

#include <SDL.h>
#include <stdlib.h>
#include <time.h>

enum { UNSEEN_SIZE = 16 };    /* the context's own surface where nothing is shown: pictures have their own framebuffers */

struct Platform {
    SDL_Window *window;
    SDL_GLContext context;
    const Log *log;
    bool seen;
    int width, height;                   /* of the picture, in pixels */
    bool grabbed, focused;
    bool skip_motion;                    /* the next movement is a jump, not the user's hand */
    bool keys[SDL_NUM_SCANCODES];        /* held, as the events told */
    unsigned buttons;                    /* bit per button held */
    float mouse_x, mouse_y;
    char *dropped;                       /* SDL's */
};

static bool driver_runs(const char *name) {
    const char *now = SDL_GetCurrentVideoDriver();
    return now && !strcmp(now, name);
}

/* SDL chooses a video driver at its start. An unseen context must not end up in a window of the user's, so the
 * environment's wish (SDL_VIDEODRIVER) is overridden for it.
 *
 * Once started, video stays so until the process ends or another driver is wanted: GL drivers keep memory for the
 * process, and unloading and loading them again would leak it each time. */
static bool start_video(const char *driver) {
    if (driver ? driver_runs(driver) : SDL_GetCurrentVideoDriver() && !driver_runs("offscreen"))
        return true;
    if (SDL_WasInit(SDL_INIT_VIDEO))
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
    if (driver)
        SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, driver, SDL_HINT_OVERRIDE);
    /* A script that runs without a window must still be stopped by Ctrl-C: SDL would turn it into an event. */
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    bool ok = SDL_InitSubSystem(SDL_INIT_VIDEO) == 0;
    if (driver)
        SDL_ResetHint(SDL_HINT_VIDEODRIVER);
    if (ok)
        SDL_GL_LoadLibrary(NULL);    /* held, so that closing a window does not unload it; a failure comes back with the context */
    return ok;
}

bool platform_has_display(void) {
    if (SDL_WasInit(SDL_INIT_VIDEO))
        return driver_runs("x11") || driver_runs("wayland");
    const char *asked = getenv("SDL_VIDEODRIVER");
    if (asked && (!strcmp(asked, "offscreen") || !strcmp(asked, "dummy") || !strcmp(asked, "evdev")))
        return false;
    static const struct { const char *variable, *driver; } kinds[] = { { "WAYLAND_DISPLAY", "wayland" }, { "DISPLAY", "x11" } };
    for (int i = 0; i < COUNT_OF(kinds); i++) {
        const char *value = getenv(kinds[i].variable);
        if (value && *value && start_video(kinds[i].driver))    /* the server may be gone: only connecting tells */
            return true;
    }
    return false;
}

static bool make_context(Platform *p, const char *title, Error *error) {
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, p->seen);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
    uint32_t flags = SDL_WINDOW_OPENGL | (p->seen ? SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI : SDL_WINDOW_HIDDEN);
    p->window = SDL_CreateWindow(title ? title : "leafwalk", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                                 p->seen ? p->width : UNSEEN_SIZE, p->seen ? p->height : UNSEEN_SIZE, flags);
    if (!p->window)
        return fail(error, "no window that OpenGL could draw in: %s", SDL_GetError());
    p->context = SDL_GL_CreateContext(p->window);
    if (!p->context)
        return fail(error, "no OpenGL 3.3 core context: %s", SDL_GetError());
    return true;
}

Platform *platform_open(const PlatformSetup *setup, Error *error) {
    if (setup->window && !platform_has_display()) {
        fail(error, "no display: neither WAYLAND_DISPLAY nor DISPLAY names one that answers");
        return NULL;
    }
    if (!start_video(setup->window ? NULL : "offscreen")) {
        fail(error, setup->window ? "no window: %s" : "no OpenGL without a display (SDL's offscreen driver): %s", SDL_GetError());
        return NULL;
    }
    Platform *p = mem_zeroed(1, sizeof *p);
    p->log = setup->log;
    p->seen = setup->window;
    p->width = CLAMP(setup->width, 1, 16384);
    p->height = CLAMP(setup->height, 1, 16384);
    p->focused = true;
    if (!make_context(p, setup->title, error)) {
        platform_close(p);
        return NULL;
    }
    if (p->seen) {
        SDL_GL_GetDrawableSize(p->window, &p->width, &p->height);
        SDL_EventState(SDL_DROPFILE, SDL_ENABLE);
        SDL_StopTextInput();
    }
    log_debug(p->log, "video driver %s", SDL_GetCurrentVideoDriver());
    return p;
}

void platform_close(Platform *p) {
    if (!p)
        return;
    SDL_free(p->dropped);
    if (p->context)
        SDL_GL_DeleteContext(p->context);
    if (p->window)
        SDL_DestroyWindow(p->window);
    mem_free(p);
}

bool platform_has_gl(const Platform *p) { return p && p->context; }

void *platform_gl_loader(const char *name) { return SDL_GL_GetProcAddress(name); }

void platform_size(const Platform *p, int *width, int *height) {
    *width = p->width;
    *height = p->height;
}

void platform_present(Platform *p) {
    if (p->seen)
        SDL_GL_SwapWindow(p->window);
}


/* Names of keys are SDL's in lower case: the letter on the key in the user's layout, "left shift", "keypad 1". */
static void key_name(SDL_Keycode key, char *out, size_t room) {
    text_copy(out, room, SDL_GetKeyName(key));
    for (char *c = out; *c; c++)
        *c = text_lower(*c);
}

static void button_name(int button, char *out, size_t room) {
    /* SDL numbers left, middle, right; players count left, right, middle as mouse1 to mouse3. */
    int number = button == SDL_BUTTON_RIGHT ? 2 : button == SDL_BUTTON_MIDDLE ? 3 : button;
    SDL_snprintf(out, room, "mouse%d", number);
}

/* SDL's mouse counts in window units, the picture in pixels. */
static float pixels_per_unit(const Platform *p) {
    int width = p->width, height;
    SDL_GetWindowSize(p->window, &width, &height);
    return p->seen && width > 0 ? (float)p->width / (float)width : 1;
}

static void release_all(Platform *p) {
    memset(p->keys, 0, sizeof p->keys);
    p->buttons = 0;
}

static bool from_window(Platform *p, const SDL_WindowEvent *event, InputEvent *out) {
    switch (event->event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED:
        if (p->seen)
            SDL_GL_GetDrawableSize(p->window, &p->width, &p->height);
        p->width = MAX(p->width, 1);
        p->height = MAX(p->height, 1);
        *out = (InputEvent){ .kind = INPUT_RESIZE, .width = p->width, .height = p->height };
        return true;
    case SDL_WINDOWEVENT_FOCUS_GAINED:
    case SDL_WINDOWEVENT_FOCUS_LOST:
        p->focused = event->event == SDL_WINDOWEVENT_FOCUS_GAINED;
        p->skip_motion = true;
        release_all(p);
        *out = (InputEvent){ .kind = INPUT_FOCUS, .down = p->focused };
        return true;
    case SDL_WINDOWEVENT_CLOSE:
        *out = (InputEvent){ .kind = INPUT_QUIT };
        return true;
    default:
        return false;
    }
}

static bool from_motion(Platform *p, const SDL_MouseMotionEvent *event, InputEvent *out) {
    float scale = pixels_per_unit(p);
    p->mouse_x = (float)event->x * scale;
    p->mouse_y = (float)event->y * scale;
    *out = (InputEvent){ .kind = INPUT_MOUSE, .x = p->mouse_x, .y = p->mouse_y,
                         .dx = (float)event->xrel, .dy = (float)event->yrel };
    /* The first movement after the focus or the grab changed holds the way the pointer was put there. */
    if (p->skip_motion || !p->focused)
        out->dx = out->dy = 0;
    p->skip_motion = false;
    return true;
}

static bool from_button(Platform *p, const SDL_MouseButtonEvent *event, InputEvent *out) {
    float scale = pixels_per_unit(p);
    *out = (InputEvent){ .kind = INPUT_BUTTON, .down = event->state == SDL_PRESSED, .button = event->button,
                         .x = (float)event->x * scale, .y = (float)event->y * scale };
    /* For scripts: 1 left, 2 middle, 3 right, as SDL counts. */
    button_name(event->button, out->name, sizeof out->name);
    unsigned bit = 1u << (event->button & 31);
    p->buttons = out->down ? p->buttons | bit : p->buttons & ~bit;
    return true;
}

static bool from_key(Platform *p, const SDL_KeyboardEvent *event, InputEvent *out) {
    *out = (InputEvent){ .kind = INPUT_KEY, .down = event->state == SDL_PRESSED, .repeat = event->repeat != 0 };
    key_name(event->keysym.sym, out->name, sizeof out->name);
    if (event->keysym.scancode > 0 && event->keysym.scancode < SDL_NUM_SCANCODES)
        p->keys[event->keysym.scancode] = out->down;
    return out->name[0] != 0;    /* a key that has no name can be bound to nothing */
}

static bool translate(Platform *p, SDL_Event *event, InputEvent *out) {
    switch (event->type) {
    case SDL_QUIT:            *out = (InputEvent){ .kind = INPUT_QUIT }; return true;
    case SDL_WINDOWEVENT:     return from_window(p, &event->window, out);
    case SDL_KEYDOWN:
    case SDL_KEYUP:           return from_key(p, &event->key, out);
    case SDL_MOUSEMOTION:     return from_motion(p, &event->motion, out);
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:   return from_button(p, &event->button, out);
    case SDL_MOUSEWHEEL:
        *out = (InputEvent){ .kind = INPUT_WHEEL, .dx = event->wheel.preciseX, .dy = event->wheel.preciseY };
        return true;
    case SDL_TEXTINPUT:
        *out = (InputEvent){ .kind = INPUT_TEXT };
        text_copy(out->text, sizeof out->text, event->text.text);
        return true;
    case SDL_DROPFILE:
        SDL_free(p->dropped);
        p->dropped = event->drop.file;
        *out = (InputEvent){ .kind = INPUT_DROP, .path = p->dropped };
        return p->dropped != NULL;
    default:
        return false;
    }
}

bool platform_poll(Platform *p, InputEvent *out) {
    SDL_Event event;
    while (SDL_PollEvent(&event))
        if (translate(p, &event, out))
            return true;
    return false;
}

void platform_grab_mouse(Platform *p, bool grab) {
    if (p->grabbed == grab)
        return;
    p->grabbed = grab;
    p->skip_motion = true;
    SDL_SetRelativeMouseMode(grab ? SDL_TRUE : SDL_FALSE);
}

bool platform_mouse_grabbed(const Platform *p) { return p->grabbed; }

void platform_text_input(Platform *p, bool on) {
    (void)p;
    if (on)
        SDL_StartTextInput();
    else
        SDL_StopTextInput();
}

void platform_title(Platform *p, const char *title) { SDL_SetWindowTitle(p->window, title); }

void platform_clipboard(Platform *p, const char *text) {
    if (SDL_SetClipboardText(text) != 0)
        log_warn(p->log, "the clipboard takes nothing: %s", SDL_GetError());
}

bool platform_key_down(const Platform *p, const char *name) {
    if (text_starts_fold(name, "mouse") && name[5] >= '1' && name[5] <= '9' && !name[6]) {
        int number = name[5] - '0';
        int button = number == 2 ? SDL_BUTTON_RIGHT : number == 3 ? SDL_BUTTON_MIDDLE : number;
        return p->buttons >> button & 1;
    }
    SDL_Scancode code = SDL_GetScancodeFromKey(SDL_GetKeyFromName(name));
    return code > 0 && code < SDL_NUM_SCANCODES && p->keys[code];
}

void platform_mouse(const Platform *p, float *x, float *y) {
    *x = p->mouse_x;
    *y = p->mouse_y;
}

void platform_vsync(Platform *p, bool on) {
    if (p->seen && SDL_GL_SetSwapInterval(on) != 0)
        log_debug(p->log, "vsync cannot be turned %s: %s", on ? "on" : "off", SDL_GetError());
}


double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void clock_sleep(double seconds) {
    if (!(seconds > 0))
        return;
    double whole = seconds < 1e6 ? seconds : 1e6;
    struct timespec left = { .tv_sec = (time_t)whole, .tv_nsec = (long)((whole - (double)(time_t)whole) * 1e9) };
    nanosleep(&left, NULL);
}
