/* main.c -- the program's door. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        printf("leafwalk %s\n", LEAFWALK_VERSION);
        return 0;
    }
    fprintf(stderr, "leafwalk: no command given\n");
    return 2;
}
