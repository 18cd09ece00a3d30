/* render/soft/soft_texture.c -- pictures as the spans read them: powers of two, halved down to one texel. */
#include "render/soft/soft_internal.h"

static int log_above(int size) {    /* the smallest power of two that holds it */
    int log = 0;
    while (1 << log < size)
        log++;
    return log;
}

static int mix_byte(int a, int b, int part, int whole) { return (a * (whole - part) + b * part + whole / 2) / whole; }

/* Texels of a picture that repeats, read between its own: the size changes, the place of the picture's middle does not. */
static Image resized(const Image *image, int width, int height) {
    Image out = image_make(width, height);
    for (int y = 0; y < height; y++) {
        int64_t at_y = ((int64_t)(2 * y + 1) * image->height * 128) / height - 128;    /* 1/256 of a row */
        int row = (int)(at_y >> 8), part_y = (int)(at_y & 255);
        int y0 = (row + image->height) % image->height, y1 = (y0 + 1) % image->height;
        for (int x = 0; x < width; x++) {
            int64_t at_x = ((int64_t)(2 * x + 1) * image->width * 128) / width - 128;
            int column = (int)(at_x >> 8), part_x = (int)(at_x & 255);
            int x0 = (column + image->width) % image->width, x1 = (x0 + 1) % image->width;
            const uint8_t *a = &image->rgba[((size_t)y0 * image->width + x0) * 4], *b = &image->rgba[((size_t)y0 * image->width + x1) * 4];
            const uint8_t *c = &image->rgba[((size_t)y1 * image->width + x0) * 4], *d = &image->rgba[((size_t)y1 * image->width + x1) * 4];
            for (int k = 0; k < 4; k++)
                out.rgba[((size_t)y * width + x) * 4 + k] =
                    (uint8_t)mix_byte(mix_byte(a[k], b[k], part_x, 256), mix_byte(c[k], d[k], part_x, 256), part_y, 256);
        }
    }
    out.has_alpha = image->has_alpha;
    return out;
}

/* The picture in a corner, its last row and column repeated. */
static Image padded(const Image *image, int width, int height) {
    Image out = image_make(width, height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            memcpy(&out.rgba[((size_t)y * width + x) * 4],
                   &image->rgba[((size_t)MIN(y, image->height - 1) * image->width + MIN(x, image->width - 1)) * 4], 4);
    return out;
}

static void store_level(uint32_t *to, const Image *image) {
    for (int y = 0; y < image->height; y++) {
        memcpy(to, &image->rgba[(size_t)y * image->width * 4], (size_t)image->width * 4);
        to[image->width] = to[0];
        to += image->width + 1;
    }
}

void soft_texture_make(SoftTexture *texture, const Image *image, bool resize) {
    soft_texture_free(texture);
    texture->width_log = log_above(MIN(image->width, IMAGE_LARGEST));
    texture->height_log = log_above(MIN(image->height, IMAGE_LARGEST));
    int width = 1 << texture->width_log, height = 1 << texture->height_log;
    texture->levels = MIN(image_mip_count(width, height), MIP_MOST);
    size_t texels = 0;
    for (int i = 0; i < texture->levels; i++)
        texels += (size_t)(MAX(width >> i, 1) + 1) * (size_t)MAX(height >> i, 1);
    texture->memory = mem_realloc_array(NULL, texels, sizeof *texture->memory);
    bool fits = image->width == width && image->height == height;
    Image level = fits ? image_copy(image) : resize ? resized(image, width, height) : padded(image, width, height);
    texture->used_u = fits || resize ? 1 : (double)image->width / width;
    texture->used_v = fits || resize ? 1 : (double)image->height / height;
    uint32_t *to = texture->memory;
    for (int i = 0; i < texture->levels; i++) {
        int width_log = MAX(texture->width_log - i, 0), height_log = MAX(texture->height_log - i, 0);
        texture->mip[i] = (SoftMip){ to, width_log, (1u << width_log) - 1, (1u << height_log) - 1 };
        store_level(to, &level);
        to += (size_t)(level.width + 1) * level.height;
        if (i + 1 < texture->levels) {
            Image half = image_halved(&level);
            image_free(&level);
            level = half;
        }
    }
    image_free(&level);
    texture->made = true;
}

void soft_texture_free(SoftTexture *texture) {
    mem_free(texture->memory);
    *texture = (SoftTexture){ 0 };
}

/* Paints point at textures: the lists may grow before a frame's first paint alone. */
void soft_textures_begin(Soft *soft) {
    int count = soft->assets ? assets_texture_count(soft->assets) : 0;
    while ((int)soft->textures.count < count) {
        *array_push(&soft->textures) = (SoftTexture){ 0 };
        *array_push(&soft->ui_textures) = (SoftTexture){ 0 };
        *array_push(&soft->page_textures) = (SoftTexture){ 0 };
    }
}

static const SoftTexture *made_texture(Soft *soft, SoftTexture *textures, int number, bool resize) {
    const Texture *from = assets_texture_at(soft->assets, number);
    SoftTexture *texture = &textures[number];
    bool stale = !texture->made || texture->version != from->version;
    if (from->state != TEXTURE_LOADING && stale && from->image.width > 0 && from->image.height > 0) {
        soft->cache.stale = true;
        soft_texture_make(texture, &from->image, resize);    /* one that is read anew stays as it was meanwhile */
        texture->version = from->version;
    }
    if (texture->made && from->flags & TEXTURE_NO_MIPMAPS && texture->levels != 1)
        texture->levels = 1;
    return texture->made ? texture : &soft->grey;
}

const SoftTexture *soft_texture_at(Soft *soft, int number) {
    if (!soft->assets || number == TEXTURE_WHITE)
        return &soft->white;
    bool known = number >= 0 && number < (int)soft->textures.count;
    return made_texture(soft, soft->textures.at, known ? number : TEXTURE_MISSING, true);
}

const SoftTexture *soft_ui_texture(Soft *soft, int number) {
    if (!soft->assets || number == TEXTURE_WHITE)
        return &soft->white;
    bool known = number >= 0 && number < (int)soft->ui_textures.count;
    return made_texture(soft, soft->ui_textures.at, known ? number : TEXTURE_MISSING, false);
}

/* Light that a file brings is shifted as that of a level is. */
static void make_page(SoftTexture *texture, const Image *image, int shift) {
    Image page = image_copy(image);
    for (size_t i = 0; i < (size_t)page.width * (size_t)page.height; i++)
        bsp_shift_color(page.rgba + i * 4, shift);
    soft_texture_make(texture, &page, true);
    texture->levels = 1;
    image_free(&page);
}

const SoftTexture *soft_page_texture(Soft *soft, int number) {
    if (!soft->assets || number < TEXTURE_FIRST || number >= (int)soft->page_textures.count)
        return &soft->white;
    const Texture *from = assets_texture_at(soft->assets, number);
    SoftTexture *texture = &soft->page_textures.at[number];
    if (!texture->made || texture->version != from->version || soft->pages_overbright != soft->level->overbright) {
        if (soft->pages_overbright != soft->level->overbright)
            for (size_t i = 0; i < soft->page_textures.count; i++)
                soft_texture_free(&soft->page_textures.at[i]);
        soft->pages_overbright = soft->level->overbright;
        if (from->state == TEXTURE_READY && from->image.width > 0 && from->image.height > 0) {
            make_page(texture, &from->image, 2 - soft->pages_overbright);
            texture->version = from->version;
        }
    }
    return texture->made ? texture : &soft->grey;
}

static void plain_texture(SoftTexture *texture, uint8_t grey) {
    uint8_t texel[4] = { grey, grey, grey, 255 };
    soft_texture_make(texture, &(Image){ 1, 1, texel, false }, true);
}

void soft_textures_open(Soft *soft) {
    enum { GREY = 150 };    /* of a face whose picture is not there yet */
    plain_texture(&soft->white, 255);
    plain_texture(&soft->grey, GREY);
    plain_texture(&soft->haze, 255);
    soft->haze.width_log = soft->haze.height_log = HAZE_TEXELS_LOG;    /* nothing is read from it: its texels measure how even a step is */
}

void soft_textures_forget(Soft *soft) {
    for (size_t i = 0; i < soft->textures.count; i++) {
        soft_texture_free(&soft->textures.at[i]);
        soft_texture_free(&soft->ui_textures.at[i]);
        soft_texture_free(&soft->page_textures.at[i]);
    }
    array_clear(&soft->textures);
    array_clear(&soft->ui_textures);
    array_clear(&soft->page_textures);
}

void soft_textures_close(Soft *soft) {
    soft_textures_forget(soft);
    array_free(&soft->textures);
    array_free(&soft->ui_textures);
    array_free(&soft->page_textures);
    soft_texture_free(&soft->white);
    soft_texture_free(&soft->grey);
    soft_texture_free(&soft->haze);
}
