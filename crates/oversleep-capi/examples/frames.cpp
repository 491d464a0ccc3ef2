// A loop of sixty frames a second, as the README shows it.

#include <cstdio>
#include <memory>
#include <oversleep.h>

int main() {
    oversleep_ticker *made;
    int status = oversleep_ticker_new(60, 1, OVERSLEEP_MISSED_SKIP, nullptr, &made);
    std::unique_ptr<oversleep_ticker, decltype(&oversleep_ticker_free)> ticker(made, oversleep_ticker_free);
    for (int drawn = 0; status == OVERSLEEP_STATUS_OK && drawn < 600; drawn++) {
        oversleep_tick frame{};
        status = oversleep_ticker_next(ticker.get(), &frame);
        if (frame.missed > 0) {
            std::printf("%d frames left out, this one was %.3f ms late\n", int(frame.missed), frame.late_ns / 1e6);
        }
        // … draw …
    }
    return status;
}
