/* support/kept_log.h -- a log that keeps its lines, so that a test can ask for them. */
#ifndef LEAFWALK_KEPT_LOG_H
#define LEAFWALK_KEPT_LOG_H

#include "base/base.h"
#include "base/lock.h"

typedef struct KeptLog { Log log; Text text; int count; Lock lock; } KeptLog;

void kept_log_init(KeptLog *log);
void kept_log_end(KeptLog *log);
bool kept_log_has(KeptLog *log, const char *words);
int  kept_log_count(KeptLog *log, const char *words);    /* lines that hold these words */

#endif
