/* base/jobs.h -- work for several threads.
 *
 * A Jobs holds worker threads. `jobs_each` cuts a loop among them (and the caller) and returns when all of it is done;
 * `jobs_start` hands one piece of work over and returns at once. Which thread runs what is not promised, so results must
 * not depend on it. */
#ifndef LEAFWALK_JOBS_H
#define LEAFWALK_JOBS_H

#include <stdbool.h>

typedef struct Jobs Jobs;

Jobs *jobs_open(int threads);       /* threads that may work at once, the caller's counted; <= 0: as many as the machine has */
void  jobs_close(Jobs *jobs);       /* finishes what was started */
int   jobs_threads(const Jobs *jobs);

/* Calls work(user, i) for i in 0 .. count-1, each once. Calls from inside work run on the calling thread. */
void jobs_each(Jobs *jobs, int count, void (*work)(void *user, int index), void *user);

void jobs_start(Jobs *jobs, void (*work)(void *user), void *user);    /* runs at once where there is one thread only */
void jobs_wait(Jobs *jobs);         /* until everything started is done */

int jobs_machine_threads(void);

#endif
