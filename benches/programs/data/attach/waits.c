/* Threads that wait in eight ways, each with a log of its own in the folder of the first argument: requested,
 * start and end in ns of the monotonic clock. Calls of `event` always end because something happens. */
#define _GNU_SOURCE
#include <linux/io_uring.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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
        forward(&due, 6944444); /* 144 Hz */
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

static void *posix_timer(void *unused)
{
    FILE *log = begin("w-sigwait");
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGRTMIN);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    struct sigevent how = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};
    how._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    struct itimerspec period = {{0, 11000000}, {0, 11000000}};
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &how, &timer))
        exit(1);
    int64_t due = now();
    timer_settime(timer, 0, &period, NULL);
    for (int i = 0; i < rounds; i++) {
        siginfo_t about;
        int64_t start = now();
        if (sigwaitinfo(&signals, &about) < 0)
            exit(1);
        due += (1 + about.si_overrun) * 11000000LL;
        row(log, due - start, start, now());
    }
    timer_delete(timer);
    fclose(log);
    return unused;
}

static void *receive(void *unused)
{
    FILE *log = begin("w-socket");
    int pair[2];
    struct timeval limit = {0, 20000};
    char byte;
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
        exit(1);
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    for (int i = 0; i < rounds; i++) {
        int64_t start = now();
        recv(pair[0], &byte, 1, 0);
        row(log, 20000000, start, now());
    }
    fclose(log);
    return unused;
}

/* One timeout after the other in a ring. Where rings are forbidden the log stays empty. */
static void *ring(void *unused)
{
    FILE *log = begin("w-uring");
    struct io_uring_params setup = {0};
    int fd = (int)syscall(SYS_io_uring_setup, 4, &setup);
    if (fd < 0) {
        fclose(log);
        return unused;
    }
    int prot = PROT_READ | PROT_WRITE;
    char *sq = mmap(NULL, setup.sq_off.array + setup.sq_entries * 4, prot, MAP_SHARED, fd, IORING_OFF_SQ_RING);
    char *cq = mmap(NULL, setup.cq_off.cqes + setup.cq_entries * sizeof(struct io_uring_cqe), prot, MAP_SHARED, fd,
                    IORING_OFF_CQ_RING);
    struct io_uring_sqe *entries = mmap(NULL, setup.sq_entries * sizeof *entries, prot, MAP_SHARED, fd, IORING_OFF_SQES);
    unsigned *tail = (unsigned *)(sq + setup.sq_off.tail), *array = (unsigned *)(sq + setup.sq_off.array);
    unsigned *head = (unsigned *)(cq + setup.cq_off.head);
    for (int i = 0; i < rounds; i++) {
        struct __kernel_timespec asked = {0, 10000000};
        unsigned at = *tail % setup.sq_entries;
        entries[at] = (struct io_uring_sqe){
            .opcode = IORING_OP_TIMEOUT, .fd = -1, .addr = (uint64_t)(uintptr_t)&asked, .len = 1, .off = 0};
        array[at] = at;
        int64_t start = now();
        __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
        syscall(SYS_io_uring_enter, fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0);
        row(log, 10000000, start, now());
        __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
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
    void *(*all[])(void *) = {epoll_timeout, condition, deadlines, descriptor, posix_timer, receive, ring, event, duration};
    enum { THREADS = sizeof all / sizeof *all };
    pthread_t threads[THREADS];
    if (count < 3 || pipe(ends))
        return 1;
    folder = words[1];
    rounds = atoi(words[2]);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, all[i], NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
