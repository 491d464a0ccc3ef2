// A thread that sleeps for 5 ms, and one whose condition is never met within 6 ms.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <pthread.h>
#include <string>
#include <thread>

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock;

static void rounds(std::string folder, const char *name, int count, milliseconds asked, auto wait)
{
    pthread_setname_np(pthread_self(), name);
    std::FILE *log = std::fopen((folder + "/" + name + ".log").c_str(), "w");
    if (!log)
        std::exit(1);
    auto ns = [](auto time) { return (long long)std::chrono::duration_cast<nanoseconds>(time).count(); };
    for (int at = 0; at < count; at++) {
        auto start = Clock::now();
        wait(asked);
        auto end = Clock::now();
        std::fprintf(log, "%lld,%lld,%lld\n", ns(asked), ns(start.time_since_epoch()), ns(end.time_since_epoch()));
    }
    std::fclose(log);
}

int main(int, char **words)
{
    int count = std::atoi(words[2]);
    std::mutex mutex;
    std::condition_variable never;
    auto sleep = [](milliseconds asked) { std::this_thread::sleep_for(asked); };
    auto condition = [&](milliseconds asked) {
        std::unique_lock lock(mutex);
        never.wait_for(lock, asked);
    };
    std::thread first([&] { rounds(words[1], "cpp-sleep", count, milliseconds(5), sleep); });
    std::thread second([&] { rounds(words[1], "cpp-cond", count, milliseconds(6), condition); });
    first.join();
    second.join();
}
