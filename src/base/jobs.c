/* base/jobs.c -- one queue of started work, and one loop at a time that all threads share. */
#include "base/jobs.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/array.h"
#include "base/memory.h"

typedef struct Job { void (*work)(void *user); void *user; } Job;

struct Jobs {
    int threads;                     /* workers + the caller */
    pthread_t *workers;
    pthread_mutex_t lock;
    pthread_cond_t wake, idle;
    bool closing;
    ARRAY(Job) queue;
    size_t next;                     /* of the queue, to be taken */
    int running;                     /* started jobs in work */
    struct {                         /* the shared loop; count 0 when there is none */
        void (*work)(void *user, int index);
        void *user;
        int count;
        bool taken;                  /* until the last helper left: one that is still inside may begin a loop of its own */
        atomic_uint turn;            /* tells a worker that this loop is a new one */
        atomic_int helpers;          /* workers inside it */
        atomic_int at;
    } loop;
};

int jobs_machine_threads(void) {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < 1 ? 1 : count;
}

static void loop_run(Jobs *jobs, void (*work)(void *, int), void *user, int count) {
    for (int i; (i = atomic_fetch_add(&jobs->loop.at, 1)) < count;)
        work(user, i);
}

/* To sleep and be woken takes longer than a frame's next loop is away, or the last helper's end: who waits for one of them
 * looks for it a while first, some hundred microseconds. */
static void rest(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}
enum { PATIENCE = 16000 };

static void await_loop(Jobs *jobs, unsigned seen) {
    for (int i = 0; i < PATIENCE && atomic_load_explicit(&jobs->loop.turn, memory_order_relaxed) == seen; i++)
        rest();
}

static void await_helpers(Jobs *jobs) {
    for (int i = 0; i < PATIENCE && atomic_load_explicit(&jobs->loop.helpers, memory_order_relaxed) > 0; i++)
        rest();
}

static void run_next(Jobs *jobs) {    /* with the lock held; gives it back held */
    Job job = jobs->queue.at[jobs->next++];
    if (jobs->next == jobs->queue.count)
        jobs->next = jobs->queue.count = 0;
    jobs->running++;
    pthread_mutex_unlock(&jobs->lock);
    job.work(job.user);
    pthread_mutex_lock(&jobs->lock);
    jobs->running--;
    pthread_cond_broadcast(&jobs->idle);
}

static void *worker(void *argument) {
    Jobs *jobs = argument;
    unsigned seen = 0;
    pthread_mutex_lock(&jobs->lock);
    for (;;) {
        if (jobs->loop.count && jobs->loop.turn != seen) {    /* a frame waits for the loop: it goes before the queue */
            seen = jobs->loop.turn;
            jobs->loop.helpers++;
            void (*work)(void *, int) = jobs->loop.work;
            void *user = jobs->loop.user;
            int count = jobs->loop.count;
            pthread_mutex_unlock(&jobs->lock);
            loop_run(jobs, work, user, count);
            pthread_mutex_lock(&jobs->lock);
            if (--jobs->loop.helpers == 0)
                pthread_cond_broadcast(&jobs->idle);
            pthread_mutex_unlock(&jobs->lock);
            await_loop(jobs, seen);
            pthread_mutex_lock(&jobs->lock);
        } else if (jobs->next < jobs->queue.count) {
            run_next(jobs);
        } else if (jobs->closing) {
            break;
        } else {
            pthread_cond_wait(&jobs->wake, &jobs->lock);
        }
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

Jobs *jobs_open(int threads) {
    enum { MOST = 256 };
    Jobs *jobs = mem_zeroed(1, sizeof *jobs);
    jobs->threads = threads <= 0 ? jobs_machine_threads() : threads > MOST ? MOST : threads;
    pthread_mutex_init(&jobs->lock, NULL);
    pthread_cond_init(&jobs->wake, NULL);
    pthread_cond_init(&jobs->idle, NULL);
    jobs->workers = mem_zeroed((size_t)jobs->threads, sizeof *jobs->workers);
    /* Whoever asks the program to end asks its main thread: workers inherit that these are held back. */
    sigset_t ends, before;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, &before);
    int made = 1;
    while (made < jobs->threads && pthread_create(&jobs->workers[made - 1], NULL, worker, jobs) == 0)
        made++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    jobs->threads = made;
    return jobs;
}

void jobs_close(Jobs *jobs) {
    if (!jobs)
        return;
    jobs_wait(jobs);
    pthread_mutex_lock(&jobs->lock);
    jobs->closing = true;
    pthread_cond_broadcast(&jobs->wake);
    pthread_mutex_unlock(&jobs->lock);
    for (int i = 0; i < jobs->threads - 1; i++)
        pthread_join(jobs->workers[i], NULL);
    pthread_cond_destroy(&jobs->wake);
    pthread_cond_destroy(&jobs->idle);
    pthread_mutex_destroy(&jobs->lock);
    array_free(&jobs->queue);
    mem_free(jobs->workers);
    mem_free(jobs);
}

int jobs_threads(const Jobs *jobs) { return jobs ? jobs->threads : 1; }

void jobs_each(Jobs *jobs, int count, void (*work)(void *user, int index), void *user) {
    bool shared = jobs && jobs->threads > 1 && count > 1;
    if (shared) {
        pthread_mutex_lock(&jobs->lock);
        shared = !jobs->loop.taken;    /* a loop inside a loop runs where it stands */
        if (shared) {
            jobs->loop.taken = true;
            jobs->loop.work = work;
            jobs->loop.user = user;
            jobs->loop.count = count;
            jobs->loop.turn++;
            atomic_store(&jobs->loop.at, 0);
            pthread_cond_broadcast(&jobs->wake);
        }
        pthread_mutex_unlock(&jobs->lock);
    }
    if (!shared) {
        for (int i = 0; i < count; i++)
            work(user, i);
        return;
    }
    loop_run(jobs, work, user, count);
    pthread_mutex_lock(&jobs->lock);
    jobs->loop.count = 0;                  /* nobody new joins; wait for those inside */
    pthread_mutex_unlock(&jobs->lock);
    await_helpers(jobs);
    pthread_mutex_lock(&jobs->lock);
    while (jobs->loop.helpers)
        pthread_cond_wait(&jobs->idle, &jobs->lock);
    jobs->loop.taken = false;
    pthread_mutex_unlock(&jobs->lock);
}

void jobs_start(Jobs *jobs, void (*work)(void *user), void *user) {
    if (!jobs || jobs->threads == 1) {
        work(user);
        return;
    }
    pthread_mutex_lock(&jobs->lock);
    *array_push(&jobs->queue) = (Job){ work, user };
    pthread_cond_signal(&jobs->wake);
    pthread_mutex_unlock(&jobs->lock);
}

void jobs_wait(Jobs *jobs) {
    if (!jobs)
        return;
    pthread_mutex_lock(&jobs->lock);
    while (jobs->next < jobs->queue.count || jobs->running)
        if (jobs->next < jobs->queue.count)
            run_next(jobs);                /* better than sleeping */
        else
            pthread_cond_wait(&jobs->idle, &jobs->lock);
    pthread_mutex_unlock(&jobs->lock);
}
