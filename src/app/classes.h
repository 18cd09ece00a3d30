/* app/classes.h -- the classnames that Quake III's game knows. */
#ifndef LEAFWALK_CLASSES_H
#define LEAFWALK_CLASSES_H

/* The name as the game spells it, or NULL: unknown. The game minds case; `name` is compared without. */
const char *game_class(const char *name);

#endif
