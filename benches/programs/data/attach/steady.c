/* Sleeps of one length in some threads until SIGTERM: log, length in ns, slack in ns, threads. The log of each thread has the
 * start and the lateness of each sleep in ns, by its own stamps. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static volatile sig_atomic_t over;
static int64_t asked;
static unsigned long slack;
static const char *name;

struct thread {
    pthread_t id;
    int number;
};

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void end(int signal)
{
    over = signal;
}

static void *run(void *given)
{
    enum { MOST = 8000000 };
    struct thread *thread = given;
    int64_t(*rows)[2] = malloc(MOST * sizeof *rows);
    long count = 0;
    char path[4096];
    if (!rows)
        exit(1);
    prctl(PR_SET_TIMERSLACK, slack);
    while (count < MOST && !over) {
        struct timespec time = {asked / 1000000000, asked % 1000000000};
        int64_t start = now();
        nanosleep(&time, NULL);
        rows[count][0] = start;
        rows[count++][1] = now() - start - asked;
    }
    snprintf(path, sizeof path, "%s-%d", name, thread->number);
    FILE *log = fopen(path, "w");
    if (!log)
        exit(1);
    for (long at = 0; at < count; at++)
        fprintf(log, "%lld,%lld\n", (long long)rows[at][0], (long long)rows[at][1]);
    fclose(log);
    free(rows);
    return NULL;
}

int main(int count, char **words)
{
    if (count < 5)
        return 1;
    int threads = atoi(words[4]);
    struct thread all[64];
    name = words[1];
    asked = atoll(words[2]);
    slack = (unsigned long)atoll(words[3]);
    signal(SIGTERM, end);
    for (int at = 0; at < threads; at++) {
        all[at].number = at;
        pthread_create(&all[at].id, NULL, run, &all[at]);
    }
    for (int at = 0; at < threads; at++)
        pthread_join(all[at].id, NULL);
    return 0;
}
