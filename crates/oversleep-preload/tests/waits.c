/* Makes each call that waits, once until its time is over, once until something happens, and once without a time limit. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static const struct timespec asked = {0, 2000000};

static struct timespec in(clockid_t clock)
{
    struct timespec due;
    clock_gettime(clock, &due);
    due.tv_nsec += 2000000;
    if (due.tv_nsec >= 1000000000) {
        due.tv_nsec -= 1000000000;
        due.tv_sec++;
    }
    return due;
}

static void over(void)
{
    struct epoll_event event;
    struct timeval limit = {0, 2000};
    int epoll = epoll_create1(0);
    sem_t semaphore;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    sigset_t none;
    uint32_t word = 0;
    sigemptyset(&none);
    sem_init(&semaphore, 0, 0);
    nanosleep(&asked, NULL);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &asked, NULL);
    struct timespec due = in(CLOCK_REALTIME);
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &due, NULL);
    usleep(2000);
    thrd_sleep(&asked, NULL);
    poll(NULL, 0, 2);
    ppoll(NULL, 0, &asked, NULL);
    select(0, NULL, NULL, NULL, &limit);
    pselect(0, NULL, NULL, NULL, &asked, NULL);
    epoll_wait(epoll, &event, 1, 2);
    epoll_pwait(epoll, &event, 1, 2, NULL);
    due = in(CLOCK_REALTIME);
    sem_timedwait(&semaphore, &due);
    pthread_mutex_lock(&mutex);
    due = in(CLOCK_REALTIME);
    pthread_cond_timedwait(&never, &mutex, &due);
    sigtimedwait(&none, NULL, &asked);
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &asked, NULL, 0);
    due = in(CLOCK_MONOTONIC);
    syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, &due, NULL, ~0U);
}

static void happens(void)
{
    int ends[2];
    if (pipe(ends) || write(ends[1], "x", 1) != 1)
        return;
    struct pollfd ready = {.fd = ends[0], .events = POLLIN};
    poll(&ready, 1, 60000);
    poll(&ready, 1, -1);
    poll(&ready, 1, 0);
}

int main(void)
{
    over();
    happens();
    /* A child has the file too, and a name of its own. */
    pid_t child = fork();
    if (child == 0) {
        pthread_setname_np(pthread_self(), "child");
        usleep(2000);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    return 0;
}
