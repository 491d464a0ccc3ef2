/* A C game that waits with SDL_Delay: sixty frames a second. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
void SDL_Delay(uint32_t ms); /* the distribution's run-time library comes without headers */

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static volatile uint64_t pixels;

static void draw(void) {
    for (uint64_t at = 0; at < 400000; at++) pixels = (pixels << 1) ^ at;
}

int main(int argc, char **argv) {
    int frames = argc > 1 ? atoi(argv[1]) : 300;
    int64_t *late = calloc((size_t)frames + 1, sizeof *late), start = now();
    for (int frame = 1; frame <= frames; frame++) {
        draw();
        int64_t deadline = start + frame * INT64_C(16666667);
        int64_t rest = deadline - now();
        if (rest > 0) SDL_Delay((uint32_t)((rest + 999999) / 1000000));
        late[frame] = now() - deadline;
    }
    for (int frame = 1; frame <= frames; frame++) printf("%lld\n", (long long)late[frame]);
    free(late);
    return 0;
}
