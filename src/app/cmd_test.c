/* app/cmd_test.c -- `leafwalk test`: files of Lua tests, each in a fresh, trusted state.
 *
 * A test file defines tables whose names begin with "Test" (global, or in the table that it returns); LuaUnit runs
 * them. The runner is Lua itself; it tells what it counted through two console variables. */
#include <stdio.h>

#include "app/app.h"

static const char runner[] =
    "local path = arg[1]\n"
    "local unit = require 'luaunit'\n"
    "local tests = {}\n"
    "local file = assert(io.open(path, 'rb'))\n"
    "local text = file:read('a')\n"
    "file:close()\n"
    "local globals = setmetatable({}, { __index = _ENV })\n"
    "local returned = assert(load(text, '@' .. path, 't', globals))(path)\n"
    "local function collect(from)\n"
    "  for name, value in pairs(from) do\n"
    "    if type(name) == 'string' and name:lower():find('^test') and (type(value) == 'table' or type(value) == 'function') then\n"
    "      tests[#tests + 1] = { name, value }\n"
    "    end\n"
    "  end\n"
    "end\n"
    "collect(globals)\n"
    "if type(returned) == 'table' then collect(returned) end\n"
    "table.sort(tests, function(a, b) return a[1] < b[1] end)\n"
    "assert(#tests > 0, path .. ': defines no table or function whose name begins with Test')\n"
    "local run = unit.LuaUnit.new()\n"
    "run:setOutputType('nil')\n"
    "run:runSuiteByInstances(tests)\n"
    "local result = run.result\n"
    "local failed = {}\n"
    "for _, list in ipairs { result.failedTests or {}, result.errorTests or {} } do\n"
    "  for _, node in ipairs(list) do failed[#failed + 1] = node end\n"
    "end\n"
    "for _, node in ipairs(failed) do\n"
    "  print(('%s: %s: %s'):format(path, node.testName or '?', tostring(node.msg)))\n"
    "  if node.stackTrace then print(node.stackTrace) end\n"
    "end\n"
    "lw.console.run(('test.passed %d; test.failed %d; test.skipped %d'):format(result.successCount or 0, #failed, result.skippedCount or 0))\n";

typedef struct Counts { double passed, failed, skipped; } Counts;

static double counted(Vars *vars, const char *name) {
    const Var *var = var_find(vars, name);
    return var ? var->number : 0;
}

/* A failure of the file itself counts as one failed test. */
static void run_file(App *app, const char *path, Counts *counts) {
    static const char *const folders[] = { "/usr/share/lua/5.4", LEAFWALK_SOURCE_DIR "/tests/lua", NULL };
    App fresh = { .options = app->options, .quiet_below = LOG_ERROR };
    fresh.log = (Log){ app->log.write, &fresh };
    int status;
    Error error;
    if (!app_open(&fresh, false, &status) || !app_open_scripts(&fresh, true, true, folders)) {
        counts->failed++;
    } else {
        var_number(fresh.vars, "test.passed", 0, 0, 1e9, "tests that passed");
        var_number(fresh.vars, "test.failed", 0, 0, 1e9, "tests that failed");
        var_number(fresh.vars, "test.skipped", 0, 0, 1e9, "tests that were left out");
        bool ran = scripts_run_chunk(fresh.scripts, runner, "(test)", 1, &path, &error);
        fflush(stdout);
        if (!ran)
            fprintf(stderr, "leafwalk: %s\n", error.text);
        counts->failed += !ran + counted(fresh.vars, "test.failed");
        counts->passed += counted(fresh.vars, "test.passed");
        counts->skipped += counted(fresh.vars, "test.skipped");
    }
    app_close(&fresh);
}

static int own_tests(App *app, Arena *arena, const char ***out) {
    Files *files = files_open(&app->log);
    Error error;
    int count = 0;
    if (files_add(files, LEAFWALK_SOURCE_DIR "/tests/lua", &error)) {
        const char **names;
        count = files_list(files, "", ".lua", arena, &names);
        int kept = 0;
        for (int i = 0; i < count; i++)
            if (text_starts(names[i], "test_"))
                names[kept++] = arena_format(arena, "%s/tests/lua/%s", LEAFWALK_SOURCE_DIR, names[i]);
        count = kept;
        *out = names;
    }
    files_close(files);
    return count;
}

int cmd_test(App *app) {
    Arena *arena = arena_open();
    const char **files = app->options.words.at;
    int count = (int)app->options.words.count;
    if (!count)
        count = own_tests(app, arena, &files);
    app_close(app);    /* each file has an engine of its own */
    if (app->options.budget < 0)
        app->options.budget = 0;
    Counts counts = { 0 };
    for (int i = 0; i < count; i++)
        run_file(app, files[i], &counts);
    arena_close(arena);
    printf("%.0f passed, %.0f failed", counts.passed, counts.failed);
    if (counts.skipped > 0)
        printf(", %.0f skipped", counts.skipped);
    printf("\n");
    return counts.failed == 0 && counts.passed + counts.skipped > 0 ? STATUS_FINE : STATUS_FAILED;
}
