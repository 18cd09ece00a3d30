/* script/lw_log.c -- lw.log: messages for whoever runs the program (stderr, or the console in the window). */
#include "script/host_internal.h"

static int log_info_row(lua_State *L) {
    log_info(engine_of(L)->log, "%s", push_joined(L));
    return 0;
}

static int log_warn_row(lua_State *L) {
    log_warn(engine_of(L)->log, "%s", push_joined(L));
    return 0;
}

static int log_error_row(lua_State *L) {
    log_error(engine_of(L)->log, "%s", push_joined(L));
    return 0;
}

static const ScriptFunction functions[] = {
    { "info", log_info_row, "(...: any)", "Says something." },
    { "warn", log_warn_row, "(...: any)", "Warns of something." },
    { "error", log_error_row, "(...: any)", "Reports something that went wrong; the script goes on." },
    { NULL, NULL, NULL, NULL },
};

const ScriptModule lw_log_module = {
    .name = "log",
    .help = "Messages: to stderr, or to the console in the window.",
    .functions = functions,
};
