/* base/lock.h -- things that several threads share.
 *
 * Many may hold a Lock for reading at once; whoever holds it for writing holds it alone. It is not recursive. */
#ifndef LEAFWALK_LOCK_H
#define LEAFWALK_LOCK_H

#include <pthread.h>

typedef struct Lock { pthread_rwlock_t held; } Lock;

void lock_init(Lock *lock);
void lock_end(Lock *lock);
void lock_read(Lock *lock);
void lock_write(Lock *lock);
void lock_give(Lock *lock);

#endif
