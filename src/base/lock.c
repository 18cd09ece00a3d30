/* base/lock.c -- the system's locks under our names; their calls cannot fail as used here. */
#define _GNU_SOURCE
#include "base/lock.h"

void lock_init(Lock *lock) { pthread_rwlock_init(&lock->held, NULL); }
void lock_end(Lock *lock) { pthread_rwlock_destroy(&lock->held); }
void lock_read(Lock *lock) { pthread_rwlock_rdlock(&lock->held); }
void lock_write(Lock *lock) { pthread_rwlock_wrlock(&lock->held); }
void lock_give(Lock *lock) { pthread_rwlock_unlock(&lock->held); }
