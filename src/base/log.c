/* base/log.c -- one line, sent to whoever listens. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

static void log_send(const Log *log, LogLevel level, const char *format, va_list args) {
    if (!log || !log->write)
        return;
    char line[4096];
    vsnprintf(line, sizeof line, format, args);
    log->write(log->user, level, line);
}

#define LOG_FUNCTION(name, level)                  \
    void name(const Log *log, const char *format, ...) { \
        va_list args;                              \
        va_start(args, format);                    \
        log_send(log, level, format, args);        \
        va_end(args);                              \
    }

LOG_FUNCTION(log_debug, LOG_DEBUG)
LOG_FUNCTION(log_info, LOG_INFO)
LOG_FUNCTION(log_warn, LOG_WARN)
LOG_FUNCTION(log_error, LOG_ERROR)
