/* support/kept_log.c -- every line, whatever its level. */
#include "support/kept_log.h"

static void keep(void *user, LogLevel level, const char *text) {
    KeptLog *log = user;
    (void)level;
    lock_write(&log->lock);
    text_add(&log->text, text);
    text_add(&log->text, "\n");
    log->count++;
    lock_give(&log->lock);
}

void kept_log_init(KeptLog *log) {
    *log = (KeptLog){ .log = { keep, log } };
    lock_init(&log->lock);
}

void kept_log_end(KeptLog *log) {
    text_free(&log->text);
    lock_end(&log->lock);
}

int kept_log_count(KeptLog *log, const char *words) {
    lock_write(&log->lock);
    int count = 0;
    for (const char *line = text_of(&log->text); *line;) {
        size_t length = strcspn(line, "\n");
        count += memmem(line, length, words, strlen(words)) != NULL;
        line += length + (line[length] == '\n');
    }
    lock_give(&log->lock);
    return count;
}

bool kept_log_has(KeptLog *log, const char *words) { return kept_log_count(log, words) > 0; }
