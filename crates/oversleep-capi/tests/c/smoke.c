/* Tests the installed liboversleep from C. Asserts guarantees and counts, never how late a sleep is. */
#include <oversleep.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/wait.h>
#include <unistd.h>
#endif

#define CHECK(what)                                                                       \
    do {                                                                                  \
        if (!(what)) {                                                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);                    \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

/* Seconds per year. The clock's range has 292 years. */
#define YEAR UINT64_C(31557600)

static void sleeps(void) {
    int64_t late = -1;
    int64_t deadline = oversleep_now() + 300000;
    CHECK(oversleep_sleep_until(deadline, &late) == OVERSLEEP_STATUS_OK);
    CHECK(late >= 0 && oversleep_now() >= deadline);
    CHECK(oversleep_sleep_until(0, &late) == OVERSLEEP_STATUS_OK && late > 0);
    CHECK(oversleep_sleep_for(-5, NULL) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_sleep_until_wall(oversleep_wall_now() + 100000, &late) == OVERSLEEP_STATUS_OK);
    CHECK(!oversleep_counter_in_use()); /* in a process that has not read it yet */
    CHECK(oversleep_counter_now() > 0);
}

static oversleep_sleeper *default_sleeper(void) {
    oversleep_sleeper *sleeper = NULL;
    CHECK(oversleep_sleeper_new(NULL, &sleeper) == OVERSLEEP_STATUS_OK && sleeper != NULL);
    return sleeper;
}

static void sleeper(void) {
    oversleep_sleeper_options options;
    CHECK(oversleep_sleeper_options_init(&options, sizeof options) == OVERSLEEP_STATUS_OK);
    CHECK(options.size == sizeof options && options.on_time == 0.99);
    options.on_time = 0.97;
    options.leave_slack = true; /* as C programs write it, */
    uint8_t *eco = &options.eco;
    *eco = 2; /* and another value that a byte can have */
    oversleep_sleeper *thrifty = NULL;
    CHECK(oversleep_sleeper_new(&options, &thrifty) == OVERSLEEP_STATUS_OK);
    CHECK(thrifty != NULL && oversleep_sleeper_sleep_for(thrifty, 100000, NULL) == OVERSLEEP_STATUS_OK);
    oversleep_sleeper_free(thrifty);
    *eco = false;
    oversleep_sleeper *sleeper = NULL;
    CHECK(oversleep_sleeper_new(&options, &sleeper) == OVERSLEEP_STATUS_OK && sleeper != NULL);
    for (int i = 0; i < 20; i++) {
        int64_t deadline = oversleep_now() + 200000;
        int64_t late = -1;
        CHECK(oversleep_sleeper_sleep_until(sleeper, deadline, &late) == OVERSLEEP_STATUS_OK);
        CHECK(late >= 0 && oversleep_now() >= deadline);
    }
    CHECK(oversleep_sleeper_sleep_for(sleeper, 0, NULL) == OVERSLEEP_STATUS_OK);
    oversleep_sleep_stats stats;
    stats.size = sizeof stats;
    CHECK(oversleep_sleeper_stats(sleeper, &stats) == OVERSLEEP_STATUS_OK);
    CHECK(stats.size == sizeof stats && stats.sleeps == 20 && stats.overdue == 1);
    CHECK(stats.on_time >= 0 && stats.on_time <= 1 && stats.asked == 0.97);
    CHECK(stats.punctual >= 0 && stats.punctual <= 1 && stats.interrupted <= 20);
    /* A caller with a shorter structure than the library's, a longer one, or none. */
    stats.size = 8;
    CHECK(oversleep_sleeper_stats(sleeper, &stats) == OVERSLEEP_STATUS_BAD_SIZE);
    stats.size = sizeof stats + 8;
    CHECK(oversleep_sleeper_stats(sleeper, &stats) == OVERSLEEP_STATUS_OK && stats.size == sizeof stats);
    CHECK(oversleep_sleeper_stats(sleeper, NULL) == OVERSLEEP_STATUS_OK);
    oversleep_sleeper_free(sleeper);
    oversleep_sleeper_free(NULL);
    options.size = 0;
    sleeper = (oversleep_sleeper *)&options;
    CHECK(oversleep_sleeper_new(&options, &sleeper) == OVERSLEEP_STATUS_BAD_SIZE && sleeper == NULL);
    options.size = sizeof options + 8;
    CHECK(oversleep_sleeper_new(&options, &sleeper) == OVERSLEEP_STATUS_BAD_SIZE && sleeper == NULL);
    CHECK(oversleep_sleeper_options_init(&options, 8) == OVERSLEEP_STATUS_BAD_SIZE);
    CHECK(oversleep_sleeper_options_init(&options, sizeof options + 8) == OVERSLEEP_STATUS_BAD_SIZE);
    CHECK(oversleep_sleeper_options_init(NULL, sizeof options) == OVERSLEEP_STATUS_INVALID);
    CHECK(oversleep_sleeper_new(NULL, NULL) == OVERSLEEP_STATUS_INVALID);
    CHECK(oversleep_sleeper_sleep_for(NULL, 5, NULL) == OVERSLEEP_STATUS_INVALID);
    CHECK(oversleep_sleeper_sleep_until(NULL, 5, NULL) == OVERSLEEP_STATUS_INVALID);
    CHECK(oversleep_sleeper_stats(NULL, &stats) == OVERSLEEP_STATUS_INVALID);
}

/* Without any fine wait every sleep is late, and the reason is reported. */
static void ceiling(void) {
    oversleep_sleeper_options options;
    CHECK(oversleep_sleeper_options_init(&options, sizeof options) == OVERSLEEP_STATUS_OK);
    options.spin_ceiling_ns = -1;
    oversleep_sleeper *sleeper = NULL;
    CHECK(oversleep_sleeper_new(&options, &sleeper) == OVERSLEEP_STATUS_OK);
    for (int i = 0; i < 20; i++) {
        CHECK(oversleep_sleeper_sleep_for(sleeper, 200000, NULL) == OVERSLEEP_STATUS_OK);
    }
    oversleep_sleep_stats stats;
    stats.size = sizeof stats;
    CHECK(oversleep_sleeper_stats(sleeper, &stats) == OVERSLEEP_STATUS_OK);
    CHECK(stats.limited_by == OVERSLEEP_CEILING_FINE_WAIT && stats.limited_sleeps == 20);
    CHECK(stats.attainable < 0.99 && stats.spun_per_sleep_ns >= 0);
    oversleep_sleeper_free(sleeper);
}

static void ticker(void) {
    oversleep_ticker *ticker = NULL;
    CHECK(oversleep_ticker_new(60000, 1001, OVERSLEEP_MISSED_BURST, NULL, &ticker) == OVERSLEEP_STATUS_OK && ticker != NULL);
    oversleep_tick first, tick;
    CHECK(oversleep_ticker_next(ticker, &first) == OVERSLEEP_STATUS_OK && first.index == 0);
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK && tick.index == 1);
    CHECK(tick.deadline_ns - first.deadline_ns == 16683334); /* 1001/60000 s, rounded up */
    CHECK(tick.late_ns >= 0 && tick.missed == 0);
    oversleep_ticker_free(ticker);
    CHECK(oversleep_ticker_new_wall(2000000, 500000, OVERSLEEP_MISSED_SKIP, NULL, &ticker) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK);
    CHECK(tick.deadline_ns % 2000000 == 500000);
    oversleep_ticker_free(ticker);
    CHECK(oversleep_ticker_new(0, 1, OVERSLEEP_MISSED_SKIP, NULL, &ticker) == OVERSLEEP_STATUS_NOT_POSITIVE && ticker == NULL);
    CHECK(oversleep_ticker_new(1, 0, OVERSLEEP_MISSED_SKIP, NULL, &ticker) == OVERSLEEP_STATUS_NOT_POSITIVE && ticker == NULL);
    CHECK(oversleep_ticker_new(1000000001, 1, OVERSLEEP_MISSED_SKIP, NULL, &ticker) == OVERSLEEP_STATUS_TOO_SHORT && ticker == NULL);
    CHECK(oversleep_ticker_new(1, 293 * YEAR, OVERSLEEP_MISSED_SKIP, NULL, &ticker) == OVERSLEEP_STATUS_TOO_LONG && ticker == NULL);
    CHECK(oversleep_ticker_new(1, 1, 99, NULL, &ticker) == OVERSLEEP_STATUS_UNKNOWN_POLICY && ticker == NULL);
    CHECK(oversleep_ticker_new_wall(0, 0, OVERSLEEP_MISSED_SKIP, NULL, &ticker) == OVERSLEEP_STATUS_NOT_POSITIVE && ticker == NULL);
    CHECK(oversleep_ticker_new_wall(INT64_MAX, 0, OVERSLEEP_MISSED_SKIP, NULL, &ticker) == OVERSLEEP_STATUS_TOO_LONG && ticker == NULL);
    CHECK(oversleep_ticker_new_wall(1, 0, -1, NULL, &ticker) == OVERSLEEP_STATUS_UNKNOWN_POLICY && ticker == NULL);
    CHECK(oversleep_ticker_new_every(3000000, OVERSLEEP_MISSED_SKIP, NULL, &ticker) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_next(ticker, &first) == OVERSLEEP_STATUS_OK && first.index == 0);
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK);
    CHECK(tick.deadline_ns - first.deadline_ns == 3000000 * (int64_t)tick.index);
    oversleep_ticker_free(ticker);
    CHECK(oversleep_ticker_new_every(0, OVERSLEEP_MISSED_SKIP, NULL, &ticker) == OVERSLEEP_STATUS_NOT_POSITIVE && ticker == NULL);
    CHECK(oversleep_ticker_new_every(INT64_MAX, OVERSLEEP_MISSED_SKIP, NULL, &ticker) == OVERSLEEP_STATUS_TOO_LONG && ticker == NULL);
    CHECK(oversleep_ticker_new_every(1, 3, NULL, &ticker) == OVERSLEEP_STATUS_UNKNOWN_POLICY && ticker == NULL);
    /* Its sleeps have the options of a sleeper; zeros with a size are the defaults. */
    oversleep_sleeper_options options = {.size = sizeof options, .eco = true};
    CHECK(oversleep_ticker_new(1000, 1, OVERSLEEP_MISSED_SKIP, &options, &ticker) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK && tick.index == 0);
    oversleep_ticker_free(ticker);
    CHECK(oversleep_ticker_new_wall(1000000, 0, OVERSLEEP_MISSED_SKIP, &options, &ticker) == OVERSLEEP_STATUS_OK);
    oversleep_ticker_free(ticker);
    options.size = 0;
    CHECK(oversleep_ticker_new_every(1000000, OVERSLEEP_MISSED_SKIP, &options, &ticker) == OVERSLEEP_STATUS_BAD_SIZE && ticker == NULL);
    /* The longest period: the first tick is now, the second never. */
    CHECK(oversleep_ticker_new(1000000000, INT64_MAX, OVERSLEEP_MISSED_SKIP, NULL, &ticker) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_next(ticker, NULL) == OVERSLEEP_STATUS_OK);
    tick.index = 77;
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_ENDED && tick.index == 77);
    oversleep_ticker_free(ticker);
    CHECK(oversleep_ticker_next(NULL, &tick) == OVERSLEEP_STATUS_INVALID);
}

static void *take_many(void *pacer) {
    for (int i = 0; i < 250; i++) {
        CHECK(oversleep_pacer_take(pacer, 1, NULL) == OVERSLEEP_STATUS_OK);
    }
    return NULL;
}

static void pacer(void) {
    oversleep_pacer *pacer = NULL;
    CHECK(oversleep_pacer_new(1000, 1, 10, &pacer) == OVERSLEEP_STATUS_OK && pacer != NULL);
    int64_t ready_at = 0;
    CHECK(oversleep_pacer_try_take(pacer, 1, NULL) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_pacer_take_by(pacer, 5, 0, NULL, &ready_at) == OVERSLEEP_STATUS_NOT_READY && ready_at > 0);
    CHECK(oversleep_pacer_take(pacer, 11, NULL) == OVERSLEEP_STATUS_BEYOND_BURST);
    ready_at = -77;
    CHECK(oversleep_pacer_take_by(pacer, 11, INT64_MAX, NULL, &ready_at) == OVERSLEEP_STATUS_BEYOND_BURST);
    CHECK(oversleep_pacer_try_take(pacer, 11, &ready_at) == OVERSLEEP_STATUS_BEYOND_BURST && ready_at == -77);
    CHECK(oversleep_pacer_take_due(pacer, 1000) <= 10);
    oversleep_pacer_free(pacer);
    CHECK(oversleep_pacer_new(0, 1, 1, &pacer) == OVERSLEEP_STATUS_NOT_POSITIVE && pacer == NULL);
    CHECK(oversleep_pacer_new(1, 0, 1, &pacer) == OVERSLEEP_STATUS_NOT_POSITIVE && pacer == NULL);
    CHECK(oversleep_pacer_new(1, 293 * YEAR, 1, &pacer) == OVERSLEEP_STATUS_TOO_LONG && pacer == NULL);
    CHECK(oversleep_pacer_new(1, YEAR, 293, &pacer) == OVERSLEEP_STATUS_TOO_LONG && pacer == NULL);
    CHECK(oversleep_pacer_take(NULL, 1, NULL) == OVERSLEEP_STATUS_INVALID);
    CHECK(oversleep_pacer_take_by(NULL, 1, 0, NULL, NULL) == OVERSLEEP_STATUS_INVALID);
    CHECK(oversleep_pacer_try_take(NULL, 1, NULL) == OVERSLEEP_STATUS_INVALID);
    CHECK(oversleep_pacer_take_due(NULL, 1) == 0);

    /* Four threads, one schedule: the thousandth unit is due 999 periods after the start. */
    CHECK(oversleep_pacer_new(100000, 1, 0, &pacer) == OVERSLEEP_STATUS_OK);
    int64_t start = oversleep_now();
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        CHECK(pthread_create(&threads[i], NULL, take_many, pacer) == 0);
    }
    for (int i = 0; i < 4; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    CHECK(oversleep_now() - start >= 999 * 10000 - 1000000);
    oversleep_pacer_free(pacer);
}

#ifdef __linux__
/* A cancelled thread's wait continues to its end: nothing unwinds through the library. */
static void *waits(void *unused) {
    (void)unused;
    int64_t deadline = oversleep_now() + 30000000;
    CHECK(oversleep_sleep_until(deadline, NULL) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_now() >= deadline);
    pthread_testcancel();
    return NULL;
}

static void cancelled(void) {
    pthread_t thread;
    void *answer = NULL;
    CHECK(pthread_create(&thread, NULL, waits, NULL) == 0);
    CHECK(oversleep_sleep_for(2000000, NULL) == OVERSLEEP_STATUS_OK);
    CHECK(pthread_cancel(thread) == 0);
    CHECK(pthread_join(thread, &answer) == 0 && answer == PTHREAD_CANCELED);
}

static void reads_the_counter(void) {
    CHECK(oversleep_counter_now() > 0);
    CHECK(!oversleep_counter_in_use());
}

static void sleeps_precisely_for(void) {
    oversleep_sleeper *sleeper = default_sleeper();
    for (int i = 0; i < 10; i++) {
        CHECK(oversleep_sleeper_sleep_for(sleeper, 500000, NULL) == OVERSLEEP_STATUS_OK);
    }
    oversleep_sleeper_free(sleeper);
}

static void sleeps_precisely_until(void) {
    oversleep_sleeper *sleeper = default_sleeper();
    for (int i = 0; i < 10; i++) {
        CHECK(oversleep_sleeper_sleep_until(sleeper, oversleep_now() + 500000, NULL) == OVERSLEEP_STATUS_OK);
    }
    oversleep_sleeper_free(sleeper);
}

static void ticks_ten_times(oversleep_ticker *ticker) {
    for (int i = 0; i < 10; i++) {
        CHECK(oversleep_ticker_next(ticker, NULL) == OVERSLEEP_STATUS_OK);
    }
    oversleep_ticker_free(ticker);
}

static void ticks(void) {
    oversleep_ticker *ticker = NULL;
    CHECK(oversleep_ticker_new(1000, 1, OVERSLEEP_MISSED_BURST, NULL, &ticker) == OVERSLEEP_STATUS_OK);
    ticks_ten_times(ticker);
}

static void ticks_by_the_wall_clock(void) {
    oversleep_ticker *ticker = NULL;
    CHECK(oversleep_ticker_new_wall(1000000, 0, OVERSLEEP_MISSED_BURST, NULL, &ticker) == OVERSLEEP_STATUS_OK);
    ticks_ten_times(ticker);
}

static void paces(void) {
    oversleep_pacer *pacer = NULL;
    CHECK(oversleep_pacer_new(1000, 1, 0, &pacer) == OVERSLEEP_STATUS_OK);
    for (int i = 0; i < 10; i++) {
        CHECK(oversleep_pacer_take(pacer, 1, NULL) == OVERSLEEP_STATUS_OK);
    }
    CHECK(oversleep_pacer_take_by(pacer, 1, INT64_MAX, NULL, NULL) == OVERSLEEP_STATUS_OK);
    oversleep_pacer_free(pacer);
}

static void sleeps_plainly(void) {
    CHECK(oversleep_sleep_for(500000, NULL) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_sleep_until(oversleep_now() + 500000, NULL) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_sleep_until_wall(oversleep_wall_now() + 500000, NULL) == OVERSLEEP_STATUS_OK);
}

static const struct wait {
    const char *name;
    void (*wait)(void);
} WAITS[] = {
    {"counter", reads_the_counter},
    {"sleeper, for", sleeps_precisely_for},
    {"sleeper, until", sleeps_precisely_until},
    {"ticker", ticks},
    {"wall ticker", ticks_by_the_wall_clock},
    {"pacer", paces},
    {"plain sleeps", sleeps_plainly},
};

static pthread_barrier_t cancellation_is_pending;
static bool came_back;

static void *waits_cancelled(void *argument) {
    const struct wait *what = argument;
    int before;
    CHECK(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before) == 0);
    pthread_barrier_wait(&cancellation_is_pending);
    CHECK(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before) == 0);
    what->wait();
    came_back = true;
    pthread_testcancel();
    return NULL;
}

/* A thread cancelled before its first call. The first call of a process asks the system about its counter, so each
   wait has a process of its own. */
static void cancelled_before(struct wait what) {
    pid_t process = fork();
    CHECK(process >= 0);
    if (process == 0) {
        pthread_t thread;
        void *answer = NULL;
        CHECK(pthread_barrier_init(&cancellation_is_pending, NULL, 2) == 0);
        CHECK(pthread_create(&thread, NULL, waits_cancelled, &what) == 0);
        CHECK(pthread_cancel(thread) == 0);
        pthread_barrier_wait(&cancellation_is_pending);
        CHECK(pthread_join(thread, &answer) == 0 && answer == PTHREAD_CANCELED);
        CHECK(came_back);
        _exit(0);
    }
    int ended = 0;
    CHECK(waitpid(process, &ended, 0) == process);
    if (ended != 0) {
        fprintf(stderr, "%s: cancelled before the first call, the process ended by signal %d, status %d\n", what.name,
                WIFSIGNALED(ended) ? WTERMSIG(ended) : 0, WEXITSTATUS(ended));
        exit(1);
    }
}
#endif

int main(void) {
#ifdef __linux__
    for (size_t i = 0; i < sizeof WAITS / sizeof WAITS[0]; i++) {
        cancelled_before(WAITS[i]);
    }
#endif
    CHECK(strcmp(oversleep_version(), OVERSLEEP_VERSION) == 0);
    for (int status = -1; status < 12; status++) {
        CHECK(strlen(oversleep_status_text(status)) > 3);
    }
    sleeps();
    sleeper();
    ceiling();
    ticker();
    pacer();
#ifdef __linux__
    cancelled();
#endif
    puts("liboversleep works from C");
    return 0;
}
