// A loop of sixty frames a second, as the repository's README shows it.

#include <oversleep.h>
#include <stdio.h>

int main(void) {
    oversleep_ticker *ticker;
    int status = oversleep_ticker_new(60, 1, OVERSLEEP_MISSED_SKIP, NULL, &ticker);
    for (int drawn = 0; status == OVERSLEEP_STATUS_OK && drawn < 600; drawn++) {
        oversleep_tick frame;
        status = oversleep_ticker_next(ticker, &frame);
        if (status == OVERSLEEP_STATUS_OK && frame.missed > 0) {
            printf("%d frames left out, this one was %lld ns late\n", (int)frame.missed, (long long)frame.late_ns);
        }
        // … draw …
    }
    oversleep_ticker_free(ticker);
    return status;
}
