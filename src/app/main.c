/* main.c -- the program's door. */
#include "app/app.h"

int main(int argc, char **argv) { return app_main(argc, (const char *const *)argv); }
