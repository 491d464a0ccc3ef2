/* Six threads that wait in six ways, each with a log of its own in the folder of the first argument: call, requested,
 * start and end in ns of the monotonic clock. Calls of `event` always end because something happens. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int rounds;
static const char *folder;
static int ends[2];

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static FILE *begin(const char *name)
{
    char path[4096];
    pthread_setname_np(pthread_self(), name);
    snprintf(path, sizeof path, "%s/%s.log", folder, name);
    FILE *log = fopen(path, "w");
    if (!log)
        exit(1);
    return log;
}

static void row(FILE *log, int64_t asked, int64_t start, int64_t end)
{
    fprintf(log, "%lld,%lld,%lld\n", (long long)asked, (long long)start, (long long)end);
}

static void forward(struct timespec *t, long ns)
{
    t->tv_nsec += ns;
    if (t->tv_nsec >= 1000000000) {
        t->tv_nsec -= 1000000000;
        t->tv_sec++;
    }
}

static void *epoll_timeout(void *unused)
{
    FILE *log = begin("w-epoll");
    struct epoll_event event;
    int epoll = epoll_create1(0);
    for (int i = 0; i < rounds; i++) {
        int64_t start = now();
        epoll_wait(epoll, &event, 1, 7);
        row(log, 7000000, start, now());
    }
    fclose(log);
    return unused;
}

static void *condition(void *unused)
{
    FILE *log = begin("w-cond");
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < rounds; i++) {
        struct timespec due;
        int64_t start = now();
        clock_gettime(CLOCK_REALTIME, &due);
        forward(&due, 6000000);
        pthread_cond_timedwait(&never, &mutex, &due);
        row(log, 6000000, start, now());
    }
    fclose(log);
    return unused;
}

static void *deadlines(void *unused)
{
    FILE *log = begin("w-abs");
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    for (int i = 0; i < rounds; i++) {
        forward(&due, 8000000);
        int64_t start = now(), asked = due.tv_sec * 1000000000LL + due.tv_nsec - start;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        row(log, asked, start, now());
    }
    fclose(log);
    return unused;
}

static void *descriptor(void *unused)
{
    FILE *log = begin("w-timerfd");
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec period = {{0, 9000000}, {0, 9000000}};
    int64_t due = now();
    timerfd_settime(timer, 0, &period, NULL);
    for (int i = 0; i < rounds; i++) {
        uint64_t periods = 0;
        int64_t start = now();
        if (read(timer, &periods, sizeof periods) < 0)
            exit(1);
        due += periods * 9000000;
        row(log, due - start, start, now());
    }
    fclose(log);
    return unused;
}

static void *event(void *unused)
{
    struct epoll_event event = {.events = EPOLLIN};
    int epoll = epoll_create1(0);
    pthread_setname_np(pthread_self(), "w-event");
    epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
    for (int i = 0; i < rounds; i++) {
        char byte;
        if (epoll_wait(epoll, &event, 1, 500) > 0 && read(ends[0], &byte, 1) < 0)
            exit(1);
    }
    return unused;
}

static void *duration(void *unused)
{
    FILE *log = begin("w-nanosleep");
    for (int i = 0; i < rounds; i++) {
        struct timespec asked = {0, 4000000};
        int64_t start = now();
        nanosleep(&asked, NULL);
        row(log, 4000000, start, now());
        if (write(ends[1], "x", 1) < 0)
            exit(1);
    }
    fclose(log);
    return unused;
}

int main(int count, char **words)
{
    void *(*all[])(void *) = {epoll_timeout, condition, deadlines, descriptor, event, duration};
    pthread_t threads[6];
    if (count < 3 || pipe(ends))
        return 1;
    folder = words[1];
    rounds = atoi(words[2]);
    for (int i = 0; i < 6; i++)
        pthread_create(&threads[i], NULL, all[i], NULL);
    for (int i = 0; i < 6; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
