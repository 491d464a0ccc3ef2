// A loop of sixty frames a second, as the README shows it.

#include <cstdio>
#include <memory>
#include <oversleep.h>

int main() {
    oversleep_ticker *made;
    int status = oversleep_ticker_new(60, 1, nullptr, &made);
    std::unique_ptr<oversleep_ticker, decltype(&oversleep_ticker_free)> ticker(made, oversleep_ticker_free);
    for (int drawn = 0; status == OVERSLEEP_STATUS_OK && drawn < 60; drawn++) {
        oversleep_tick frame{};
        status = oversleep_ticker_next(ticker.get(), &frame);
        if (frame.missed > 0) {
            std::printf("%d frames left out, this one was %.3f ms late\n", int(frame.missed), double(frame.late_ns) / 1e6);
        }
        // … draw …
    }
    std::printf("a second of frames: %s\n", oversleep_status_text(status));
    return status;
}
