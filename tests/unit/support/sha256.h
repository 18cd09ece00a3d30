/* support/sha256.h -- SHA-256 (FIPS 180-4), to compare with the hashes among the facts about real levels. */
#ifndef LEAFWALK_TESTS_SHA256_H
#define LEAFWALK_TESTS_SHA256_H

#include <stddef.h>

void sha256_hex(const void *bytes, size_t count, char out[65]);

#endif
