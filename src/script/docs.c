/* script/docs.c -- documents made from the binding rows: stubs for editors (LuaCATS), the reference page, `help NAME`.
 * Texts are the same for the same rows: no date, no version. */
#include <stdio.h>

#include "script/host_internal.h"
#include "script/shape_internal.h"

/* What every script may return; a row each, as for functions. */
static const ScriptFunction callbacks[] = {
    { "load", NULL, "(state: table)", "After the file was loaded or reloaded; `state` survives reloads and is empty the first time." },
    { "map", NULL, "(name: string)", "After a map was opened, and after `load` when one is open already." },
    { "update", NULL, "(dt: number)", "Once a frame before drawing; `dt` in seconds." },
    { "draw", NULL, "(view: view)", "Queues what is drawn in the scene of this frame." },
    { "overlay", NULL, "(width: integer, height: integer)", "Queues what is drawn over the picture, in pixels from the top left." },
    { "key", NULL, "(name: string, down: boolean) -> boolean?", "A key went down or came up; true keeps it from others." },
    { "text", NULL, "(letters: string) -> boolean?", "Letters were typed; true keeps them from others." },
    { "mouse", NULL, "(dx: number, dy: number) -> boolean?", "The mouse moved; true keeps it from others." },
    { "wheel", NULL, "(n: number) -> boolean?", "The wheel turned; true keeps it from others." },
    { "click", NULL, "(button: integer, x: number, y: number, down: boolean) -> boolean?",
      "A button of the mouse; true keeps it from others." },
    { "unload", NULL, "()", "Before the file is reloaded or dropped." },
    { NULL, NULL, NULL, NULL },
};

static const ScriptProperty script_fields[] = {
    { "name", NULL, NULL, "string?", "What the script is called." },
    { "help", NULL, NULL, "string?", "What it shows, in a sentence." },
    { "keys", NULL, NULL, "table?", "Keys and what they call: { v = \"toggle\" } calls the script's `toggle`, which by default hides or shows it." },
    { NULL, NULL, NULL, NULL, NULL },
};

static const ScriptProperty view_fields[] = {
    { "origin", NULL, NULL, "vec3", "Where the eye is." },
    { "angles", NULL, NULL, "vec3", "Its pitch, yaw and roll in degrees." },
    { "forward", NULL, NULL, "vec3", "The direction that it looks in, length 1." },
    { "right", NULL, NULL, "vec3", "The direction to its right, length 1." },
    { "up", NULL, NULL, "vec3", "The direction over its head, length 1." },
    { "fov", NULL, NULL, "number", "The horizontal field of view in degrees." },
    { "cluster", NULL, NULL, "integer", "The cluster that the eye is taken to be in." },
    { "leaf", NULL, NULL, "integer", "The leaf that it is in." },
    { NULL, NULL, NULL, NULL, NULL },
};

/* Stubs */

static bool is_point(const ShapePart *part) { return strcmp(text_of(&part->type), "point") == 0; }

static void add_types(Text *out, const Shape *shape, const char *before) {
    for (int i = 0; i < shape->result_count; i++)
        text_format(out, "%s%s", i ? ", " : before, text_of(&shape->results[i].type));
}

/* Every point may be three numbers too: fun(x: number, y: number, z: number): … */
static void add_overload(Text *out, const Shape *shape, const char *self) {
    int points = 0;
    for (int i = 0; i < shape->param_count; i++)
        points += is_point(&shape->params[i]);
    if (!points)
        return;
    text_add(out, "---@overload fun(");
    if (self)
        text_format(out, "self: %s%s", self, shape->param_count ? ", " : "");
    for (int i = 0; i < shape->param_count; i++) {
        const ShapePart *p = &shape->params[i];
        text_add(out, i ? ", " : "");
        const char *name = text_of(&p->name);
        if (!is_point(p))
            text_format(out, "%s%s: %s", name, p->optional ? "?" : "", text_of(&p->type));
        else if (points == 1)
            text_add(out, "x: number, y: number, z: number");
        else
            text_format(out, "%s_x: number, %s_y: number, %s_z: number", name, name, name);
    }
    text_add(out, ")");
    add_types(out, shape, ": ");
    text_add(out, "\n");
}

static bool add_stub(Text *out, const ScriptFunction *row, const char *name, const char *self, Error *error) {
    Shape shape;
    if (!shape_read(row->shape, &shape, error)) {
        shape_free(&shape);
        return fail_within(error, "%s: ", name);
    }
    text_format(out, "\n---%s\n", row->help);
    for (int i = 0; i < shape.param_count; i++) {
        const ShapePart *p = &shape.params[i];
        text_format(out, "---@param %s%s %s\n", text_of(&p->name), p->optional ? "?" : "", text_of(&p->type));
    }
    for (int i = 0; i < shape.result_count; i++) {
        const ShapePart *p = &shape.results[i];
        text_format(out, "---@return %s%s%s\n", text_of(&p->type), p->name.count ? " " : "", text_of(&p->name));
    }
    add_overload(out, &shape, self);
    text_format(out, "function %s(", name);
    for (int i = 0; i < shape.param_count; i++)
        text_format(out, "%s%s", i ? ", " : "", text_of(&shape.params[i].name));
    text_add(out, ") end\n");
    shape_free(&shape);
    return true;
}

static void add_fields(Text *out, const ScriptProperty *rows) {
    for (; rows && rows->name; rows++)
        text_format(out, "---@field %s %s%s%s%s\n", rows->name, rows->type, rows->help ? " " : "", rows->help ? rows->help : "",
                    rows->get && !rows->set ? " Read only." : "");
}

/* Fields of a module's objects of one class ("entity"). */
static void add_object_fields(Text *out, const ScriptModule *module, const char *class) {
    size_t length = strlen(class);
    for (const ScriptField *row = module->fields; row && row->name; row++)
        if (strncmp(row->name, class, length) == 0 && row->name[length] == '.')
            text_format(out, "---@field %s %s %s%s\n", row->name + length + 1, row->type, row->help, row->read_only ? " Read only." : "");
}

static bool is_root(const ScriptModule *module) { return strcmp(module->name, "lw") == 0; }

static size_t class_length(const char *method) { return strcspn(method, ":"); }

/* The classes of a module's objects, each with its methods. */
static bool add_classes(Text *out, const ScriptModule *module, Error *error) {
    const ScriptFunction *rows = module->methods;
    for (int i = 0; rows && rows[i].name; i++) {
        size_t length = class_length(rows[i].name);
        bool first = true;
        for (int j = 0; j < i && first; j++)
            first = class_length(rows[j].name) != length || strncmp(rows[j].name, rows[i].name, length) != 0;
        char class[64];
        text_copy(class, MIN(sizeof class, length + 1), rows[i].name);
        if (first && !is_root(module)) {
            text_format(out, "\n---@class %s\n", class);
            add_object_fields(out, module, class);
            text_format(out, "local %s = {}\n", class);
        }
        if (!add_stub(out, &rows[i], rows[i].name, class, error))
            return false;
    }
    return true;
}

static bool add_stubs(Text *out, const ScriptModule *module, const ScriptFunction *row, Error *error) {
    for (; row && row->name; row++) {
        char name[128];
        snprintf(name, sizeof name, "lw.%s.%s", module->name, row->name);
        if (!add_stub(out, row, name, NULL, error))
            return false;
    }
    return true;
}

static bool module_stub(const ScriptModule *module, Text *out, Error *error) {
    text_format(out, "---@meta\n-- lw.%s: %s\n-- Written by the program from its binding rows.\n\n", module->name, module->help);
    text_format(out, "---@class lw.%s\n", module->name);
    add_fields(out, module->properties);
    text_format(out, "lw.%s = {}\n", module->name);
    return add_stubs(out, module, module->functions, error) && add_stubs(out, module, module->inner, error) && add_classes(out, module, error);
}

static void add_callback_fields(Text *out) {
    for (const ScriptFunction *row = callbacks; row->name; row++) {
        Shape shape;
        Error error;
        if (shape_read(row->shape, &shape, &error)) {
            text_format(out, "---@field %s? fun(", row->name);
            for (int i = 0; i < shape.param_count; i++)
                text_format(out, "%s%s: %s", i ? ", " : "", text_of(&shape.params[i].name), text_of(&shape.params[i].type));
            text_add(out, ")");
            add_types(out, &shape, ": ");
            text_format(out, " %s\n", row->help);
        }
        shape_free(&shape);
    }
}

static bool root_stub(Text *out, Error *error) {
    text_add(out, "---@meta\n-- lw: the level, its pictures and the program. Written by the program from its binding rows.\n\n"
                  "---@class lw\nlw = {}\n\n"
                  "---@class vec3\n---@field x number\n---@field y number\n---@field z number\n"
                  "---@operator add(point): vec3\n---@operator sub(point): vec3\n---@operator mul(number|point): vec3\n"
                  "---@operator div(number|point): vec3\n---@operator unm: vec3\n---@operator len: number\nlocal vec3 = {}\n\n"
                  "---@alias point vec3|number[]\n---@alias color number[]|string\n\n"
                  "---@class style\n---@field color? color\n---@field fill? boolean\n---@field width? number In pixels.\n"
                  "---@field xray? boolean Drawn over everything.\n---@field blend? \"alpha\"|\"add\"\n---@field size? number\n"
                  "---@field font? string\n\n---@class view What `draw` gets: the eye of this frame.\n");
    add_fields(out, view_fields);
    text_add(out, "\n---@class script What a script's file returns.\n");
    add_fields(out, script_fields);
    add_callback_fields(out);
    for (int i = 0; script_modules[i]; i++) {
        const ScriptModule *module = script_modules[i];
        if (!is_root(module))
            continue;
        for (const ScriptFunction *row = module->functions; row && row->name; row++) {
            char name[128];
            snprintf(name, sizeof name, "lw.%s", row->name);
            if (!add_stub(out, row, name, NULL, error))
                return false;
        }
        if (!add_classes(out, module, error))
            return false;
    }
    return true;
}

static bool write_text(const char *folder, const char *name, const Text *text, Error *error) {
    Text path = { 0 };
    text_format(&path, "%s%s%s", folder, *folder ? "/" : "", name);
    bool good = file_write_disk(text_of(&path), text_of(text), text->count, error);
    text_free(&path);
    return good;
}

bool scripts_write_stubs(Scripts *scripts, const char *folder, Error *error) {
    (void)scripts;
    bool good = true;
    for (int i = 0; good && script_modules[i]; i++) {
        const ScriptModule *module = script_modules[i];
        Text text = { 0 };
        char name[64];
        snprintf(name, sizeof name, "%s.lua", module->name);
        good = is_root(module) ? root_stub(&text, error) : module_stub(module, &text, error);
        good = good && write_text(folder, name, &text, error);
        text_free(&text);
    }
    return good;
}

/* The reference page */

static void add_row(Text *out, const char *prefix, const ScriptFunction *row) {
    text_format(out, "- **`%s%s%s`**  \n  %s\n", prefix, row->name, row->shape, row->help);
}

static void add_field(Text *out, const char *before, const char *name, const char *type, bool read_only, const char *help) {
    text_format(out, "- **`%s%s`**: `%s`%s  \n  %s\n", before, name, type, read_only ? ", read only" : "", help);
}

bool scripts_write_reference(Scripts *scripts, const char *path, Error *error) {
    (void)scripts;
    Text out = { 0 };
    text_add(&out, "# The script API\n\nWritten by the program from its binding rows. A `point` is `x, y, z`, a vec3 or `{x, y, z}`; a `color` is "
                   "`{r, g, b [, a]}` of 0..1, `\"#rrggbb\"` or a name; a `style` is `{color, fill, width, xray, blend, size, font}`. "
                   "`name?` may be left out; a result `T?` may be nil. Angles are pitch (down positive), yaw and roll in degrees, times "
                   "are seconds, lengths units of the level, numbers of clusters, leafs and faces the file's own, from 0. The writable "
                   "folder is `leafwalk` in `$XDG_DATA_HOME` (`~/.local/share`).\n\n"
                   "## What a script returns\n\nA table with any of these; the functions are called when it is their time.\n\n");
    for (const ScriptProperty *row = script_fields; row->name; row++)
        add_field(&out, "", row->name, row->type, false, row->help);
    for (const ScriptFunction *row = callbacks; row->name; row++)
        add_row(&out, "", row);
    text_add(&out, "\nA `view`, as `draw` gets it:\n\n");
    for (const ScriptProperty *row = view_fields; row->name; row++)
        add_field(&out, "view.", row->name, row->type, false, row->help);
    for (int i = 0; script_modules[i]; i++) {
        const ScriptModule *module = script_modules[i];
        char prefix[64];
        snprintf(prefix, sizeof prefix, is_root(module) ? "lw." : "lw.%s.", module->name);
        text_format(&out, "\n## %s%s\n\n%s\n\n", is_root(module) ? "" : "lw.", module->name, module->help);
        for (const ScriptProperty *row = module->properties; row && row->name; row++)
            add_field(&out, prefix, row->name, row->type, !row->set, row->help);
        for (const ScriptFunction *row = module->functions; row && row->name; row++)
            add_row(&out, prefix, row);
        for (const ScriptFunction *row = module->inner; row && row->name; row++)
            add_row(&out, prefix, row);
        for (const ScriptField *row = module->fields; row && row->name; row++)
            add_field(&out, "", row->name, row->type, row->read_only, row->help);
        for (const ScriptFunction *row = module->methods; row && row->name; row++)
            add_row(&out, "", row);
    }
    bool good = file_write_disk(path, text_of(&out), out.count, error);
    text_free(&out);
    return good;
}

/* The console's `writedocs`, of trusted hosts: into the program's own folders. */
static void command_write(void *user, int argc, const char *const *argv) {
    (void)argc;
    (void)argv;
    Scripts *scripts = user;
    const char *data = scripts->engine->setup.data_folder;
    Text stubs = { 0 }, page = { 0 };
    text_format(&stubs, "%s/scripts/api", data);
    text_format(&page, "%s/docs/lua-reference.md", data);
    Error error;
    if (scripts_write_stubs(scripts, text_of(&stubs), &error) && scripts_write_reference(scripts, text_of(&page), &error))
        log_info(scripts->engine->log, "wrote %s/*.lua and %s", text_of(&stubs), text_of(&page));
    else
        log_error(scripts->engine->log, "%s", error.text);
    text_free(&stubs);
    text_free(&page);
}

void docs_open(Scripts *scripts) {
    if (scripts->setup.trust && scripts->engine->setup.data_folder)
        console_command(scripts->engine->console, (ConsoleCommand){
            .name = "writedocs", .help = "writes scripts/api/*.lua and docs/lua-reference.md from the binding rows",
            .run = command_write, .user = scripts, .owner = scripts });
}

/* help NAME */

static bool help_row(const ScriptFunction *rows, const char *prefix, const char *name, Text *out) {
    for (; rows && rows->name; rows++) {
        if (strcmp(rows->name, name) == 0) {
            text_format(out, "%s%s%s\n  %s", prefix, rows->name, rows->shape, rows->help);
            return true;
        }
    }
    return false;
}

static void help_module(const ScriptModule *module, Text *out) {
    text_format(out, "lw.%s: %s", module->name, module->help);
    for (const ScriptProperty *row = module->properties; row && row->name; row++)
        text_format(out, "\n  %s: %s", row->name, row->type);
    for (const ScriptFunction *row = module->functions; row && row->name; row++)
        text_format(out, "\n  %s%s", row->name, row->shape);
    for (const ScriptFunction *row = module->inner; row && row->name; row++)
        text_format(out, "\n  %s%s", row->name, row->shape);
    for (const ScriptFunction *row = module->methods; row && row->name; row++)
        text_format(out, "\n  %s%s", row->name, row->shape);
}

bool scripts_help(Scripts *scripts, const char *name, Text *out) {
    (void)scripts;
    if (text_starts(name, "lw."))
        name += 3;
    if (help_row(callbacks, "callback ", name, out))
        return true;
    for (int i = 0; script_modules[i]; i++) {
        const ScriptModule *module = script_modules[i];
        if (help_row(module->methods, "", name, out))
            return true;
        if (is_root(module)) {
            if (help_row(module->functions, "lw.", name, out))
                return true;
            continue;
        }
        size_t length = strlen(module->name);
        if (strncmp(name, module->name, length) != 0)
            continue;
        if (!name[length]) {
            help_module(module, out);
            return true;
        }
        char prefix[64];
        snprintf(prefix, sizeof prefix, "lw.%s.", module->name);
        if (name[length] != '.')
            continue;
        if (help_row(module->functions, prefix, name + length + 1, out) || help_row(module->inner, prefix, name + length + 1, out))
            return true;
        for (const ScriptProperty *row = module->properties; row && row->name; row++) {
            if (strcmp(row->name, name + length + 1) == 0) {
                text_format(out, "%s%s: %s%s\n  %s", prefix, row->name, row->type, row->set ? "" : " (read only)", row->help);
                return true;
            }
        }
    }
    return false;
}
