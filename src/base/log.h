/* base/log.h -- messages for whoever runs the program.
 *
 * A Log is a place to send lines to: the app gives one that writes to stderr or the console, a test one that keeps
 * them. NULL is a legal Log: its messages go nowhere. Messages carry no line end. Any thread may write. */
#ifndef LEAFWALK_LOG_H
#define LEAFWALK_LOG_H

typedef enum LogLevel { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR } LogLevel;

typedef struct Log {
    void (*write)(void *user, LogLevel level, const char *text);
    void *user;
} Log;

void log_debug(const Log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_info(const Log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_warn(const Log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));
void log_error(const Log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
