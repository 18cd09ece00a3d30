/* assets/image_stb.c -- stb_image, compiled here alone, with the three decoders that levels need.
 *
 * Its memory comes from base/, zeroed: where a damaged file leaves pixels out, they are black on every machine. Running
 * out of it is the file's fault here (it names its own size), so that is an error and not the program's end.
 *
 * On damaged JPEGs it shifts by more bits than there are, which changes nothing but pixels that are lost anyway: this
 * file is compiled without the sanitizer's check of shifts (cmake/folders.cmake). */
#include "assets/image_internal.h"

static void *stb_alloc(size_t size) {
    void *memory = mem_try_realloc(NULL, size);
    return memory ? memset(memory, 0, size) : NULL;
}

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_TGA
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_MAX_DIMENSIONS IMAGE_CLAIM_MOST
#define STBI_MALLOC(size) stb_alloc(size)
#define STBI_REALLOC(memory, size) mem_try_realloc(memory, size)
#define STBI_FREE(memory) mem_free(memory)
#include <stb_image.h>
