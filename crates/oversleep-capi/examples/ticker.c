// A loop of sixty frames a second, as docs/guide/sleep-on-time.md shows it.

#include <oversleep.h>
#include <stdio.h>

int main(void) {
    oversleep_ticker *ticker;
    int status = oversleep_ticker_new(60, 1, NULL, &ticker);
    for (int drawn = 0; status == OVERSLEEP_STATUS_OK && drawn < 60; drawn++) {
        oversleep_tick frame = {0};
        status = oversleep_ticker_next(ticker, &frame);
        if (frame.missed > 0) {
            printf("%d frames left out, this one was %lld ns late\n", (int)frame.missed, (long long)frame.late_ns);
        }
        // … draw …
    }
    oversleep_ticker_free(ticker);
    printf("a second of frames: %s\n", oversleep_status_text(status));
    return status;
}
