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
    deadline = oversleep_now() + 300000;
    CHECK(oversleep_kernel_sleep_until(deadline, &late) == OVERSLEEP_STATUS_OK);
    CHECK(late >= 0 && oversleep_now() >= deadline);
    CHECK(oversleep_kernel_sleep_until(0, &late) == OVERSLEEP_STATUS_OK && late > 0);
    /* A negative duration is a deadline that has passed. */
    CHECK(oversleep_sleep(-5000, &late) == OVERSLEEP_STATUS_OK && late >= 5000);
    CHECK(oversleep_kernel_sleep(INT64_MIN, &late) == OVERSLEEP_STATUS_OK && late == INT64_MAX);
    CHECK(oversleep_sleep(0, &late) == OVERSLEEP_STATUS_OK && late >= 0);
    CHECK(oversleep_kernel_sleep(0, &late) == OVERSLEEP_STATUS_OK && late >= 0);
    for (int i = 0; i < 20; i++) {
        int64_t before = oversleep_now();
        CHECK(oversleep_sleep(200000, &late) == OVERSLEEP_STATUS_OK);
        CHECK(late >= 0 && oversleep_now() - before >= 200000 + late);
    }
    deadline = oversleep_wall_now() + 100000;
    CHECK(oversleep_kernel_sleep_until_wall(deadline, &late) == OVERSLEEP_STATUS_OK);
    CHECK(late >= 0 && oversleep_wall_now() >= deadline);
    CHECK(!oversleep_counter_in_use()); /* in a process that has not read it yet */
    CHECK(oversleep_counter_now() > 0);
}

static oversleep_sleeper *default_sleeper(void) {
    oversleep_sleeper *sleeper = NULL;
    CHECK(oversleep_sleeper_new(NULL, &sleeper) == OVERSLEEP_STATUS_OK && sleeper != NULL);
    return sleeper;
}

static void sleeper(void) {
    oversleep_sleeper_options options = {0};
    options.leave_slack = true; /* as C programs write it, */
    uint8_t *eco = &options.eco;
    *eco = 2; /* and another value that a byte can have */
    oversleep_sleeper *thrifty = NULL;
    CHECK(oversleep_sleeper_new(&options, &thrifty) == OVERSLEEP_STATUS_OK);
    CHECK(thrifty != NULL && oversleep_sleeper_sleep_for(thrifty, 100000, NULL) == OVERSLEEP_STATUS_OK);
    oversleep_sleeper_free(thrifty);
    *eco = false;
    options.on_time = 0.97;
    options.size = sizeof options;
    oversleep_sleeper *sleeper = NULL;
    CHECK(oversleep_sleeper_new(&options, &sleeper) == OVERSLEEP_STATUS_OK && sleeper != NULL);
    for (int i = 0; i < 20; i++) {
        int64_t deadline = oversleep_now() + 200000;
        int64_t late = -1;
        CHECK(oversleep_sleeper_sleep_until(sleeper, deadline, &late) == OVERSLEEP_STATUS_OK);
        CHECK(late >= 0 && oversleep_now() >= deadline);
    }
    int64_t late = -1;
    CHECK(oversleep_sleeper_sleep_for(sleeper, -5000, &late) == OVERSLEEP_STATUS_OK && late >= 5000);
    oversleep_sleep_stats stats = {0};
    CHECK(oversleep_sleeper_stats(sleeper, &stats) == OVERSLEEP_STATUS_OK);
    CHECK(stats.size == sizeof stats && stats.sleeps == 20 && stats.overdue == 1);
    CHECK(stats.on_time >= 0 && stats.on_time <= 1 && stats.asked == 0.97);
    CHECK(stats.punctual >= 0 && stats.punctual <= 1 && stats.interrupted <= 20);
    /* A caller with a longer structure than the library's, or none. */
    stats.size = sizeof stats + 8;
    CHECK(oversleep_sleeper_stats(sleeper, &stats) == OVERSLEEP_STATUS_OK && stats.size == sizeof stats);
    CHECK(oversleep_sleeper_stats(sleeper, NULL) == OVERSLEEP_STATUS_OK);
    oversleep_sleeper_free(sleeper);
    oversleep_sleeper_free(NULL);
    sleeper = default_sleeper();
    CHECK(oversleep_sleeper_stats(sleeper, &stats) == OVERSLEEP_STATUS_OK);
    CHECK(stats.asked != stats.asked); /* NaN: no share was requested */
    oversleep_sleeper_free(sleeper);
    /* A structure of zeros is what NULL is. */
    oversleep_sleeper_options zeros = {0};
    CHECK(oversleep_sleeper_new(&zeros, &sleeper) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_sleeper_sleep_for(sleeper, 100000, NULL) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_sleeper_stats(sleeper, &stats) == OVERSLEEP_STATUS_OK);
    CHECK(stats.sleeps == 1 && stats.asked != stats.asked);
    oversleep_sleeper_free(sleeper);
}

/* Without any fine wait every sleep is late, and the reason is reported. */
static void ceiling(void) {
    oversleep_sleeper_options options = {0};
    options.on_time = 0.99;
    options.spin_ceiling_ns = -1;
    oversleep_sleeper *sleeper = NULL;
    CHECK(oversleep_sleeper_new(&options, &sleeper) == OVERSLEEP_STATUS_OK);
    for (int i = 0; i < 20; i++) {
        CHECK(oversleep_sleeper_sleep_for(sleeper, 200000, NULL) == OVERSLEEP_STATUS_OK);
    }
    oversleep_sleep_stats stats = {0};
    CHECK(oversleep_sleeper_stats(sleeper, &stats) == OVERSLEEP_STATUS_OK);
    CHECK(stats.limited_by == OVERSLEEP_CEILING_FINE_WAIT && stats.limited_sleeps == 20);
    CHECK(stats.attainable < 0.99 && stats.spun_per_sleep_ns >= 0);
    CHECK(stats.wake_ups > 0 && stats.processor_time_per_sleep_ns >= -1);
    oversleep_sleeper_free(sleeper);
}

static void ticker(void) {
    oversleep_ticker *ticker = NULL;
    oversleep_ticker_options every_one = {0};
    every_one.missed = OVERSLEEP_MISSED_BURST;
    CHECK(oversleep_ticker_new(60000, 1001, &every_one, &ticker) == OVERSLEEP_STATUS_OK && ticker != NULL);
    oversleep_tick first, tick;
    CHECK(oversleep_ticker_next(ticker, &first) == OVERSLEEP_STATUS_OK && first.index == 0);
    int64_t due = 0;
    CHECK(oversleep_ticker_next_deadline(ticker, &due) == OVERSLEEP_STATUS_OK && due > first.deadline_ns);
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK && tick.index == 1);
    CHECK(tick.missed > 0 || tick.deadline_ns == due);
    CHECK(tick.deadline_ns - first.deadline_ns == 16683334); /* 1001/60000 s, rounded up */
    CHECK(tick.late_ns >= 0 && tick.missed == 0);
    oversleep_sleep_stats stats = {0};
    CHECK(oversleep_ticker_stats(ticker, &stats) == OVERSLEEP_STATUS_OK);
    CHECK(stats.sleeps + stats.overdue == 2 && stats.size == sizeof stats);
    oversleep_ticker_free(ticker);
    CHECK(oversleep_ticker_new_wall(2000000, 500000, NULL, &ticker) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_next_deadline(ticker, &due) == OVERSLEEP_STATUS_OK && due % 2000000 == 500000);
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK);
    CHECK(tick.deadline_ns % 2000000 == 500000);
    CHECK(oversleep_ticker_set_period(ticker, 3000000) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK);
    CHECK(tick.deadline_ns % 3000000 == 500000 && tick.index == (uint64_t)(tick.deadline_ns / 3000000));
    CHECK(oversleep_ticker_reset(ticker) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK && tick.deadline_ns % 3000000 == 500000);
    oversleep_ticker_free(ticker);
    CHECK(oversleep_ticker_new_every(3000000, NULL, &ticker) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_next(ticker, &first) == OVERSLEEP_STATUS_OK && first.index == 0);
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK);
    CHECK(tick.deadline_ns - first.deadline_ns == 3000000 * (int64_t)tick.index);
    oversleep_ticker_free(ticker);
    /* Its sleeps have the options of a sleeper. */
    oversleep_sleeper_options cheap = {.eco = true};
    oversleep_ticker_options options = {.size = sizeof options, .sleeper = &cheap};
    CHECK(oversleep_ticker_new(1000, 1, &options, &ticker) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK && tick.index == 0);
    CHECK(oversleep_ticker_stats(ticker, &stats) == OVERSLEEP_STATUS_OK && stats.asked != stats.asked);
    oversleep_ticker_free(ticker);
    CHECK(oversleep_ticker_new_wall(1000000, 0, &options, &ticker) == OVERSLEEP_STATUS_OK);
    oversleep_ticker_free(ticker);
    /* The longest period: the first tick is now, the second never. */
    CHECK(oversleep_ticker_new(1000000000, INT64_MAX, NULL, &ticker) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_next(ticker, NULL) == OVERSLEEP_STATUS_OK);
    tick.index = 77;
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_ENDED && tick.index == 77);
    CHECK(oversleep_ticker_next_deadline(ticker, &due) == OVERSLEEP_STATUS_ENDED);
    CHECK(oversleep_ticker_reset(ticker) == OVERSLEEP_STATUS_ENDED);
    /* A shorter period revives it. */
    CHECK(oversleep_ticker_set_rate(ticker, 1000, 1) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK && tick.index >= 1);
    oversleep_ticker_free(ticker);
}

/* A start, another period, and a restart. Every deadline is exact, whenever the ticks are delivered. */
static void schedule(void) {
    oversleep_ticker *ticker = NULL;
    oversleep_tick tick;
    int64_t start = oversleep_now() + 2000000;
    oversleep_ticker_options options = {.start_ns = start, .missed = OVERSLEEP_MISSED_BURST};
    CHECK(oversleep_ticker_new_every(1000000, &options, &ticker) == OVERSLEEP_STATUS_OK);
    for (uint64_t i = 0; i < 3; i++) {
        CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK && tick.index == i);
        CHECK(tick.deadline_ns == start + 1000000 * (int64_t)i && oversleep_now() >= tick.deadline_ns);
    }
    /* The latest tick was due at start + 2 ms. Only the last of two changes counts. */
    CHECK(oversleep_ticker_set_period(ticker, 7000000) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_set_rate(ticker, 2000, 1) == OVERSLEEP_STATUS_OK);
    for (int i = 1; i < 4; i++) {
        CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK && tick.index == (uint64_t)i + 2);
        CHECK(tick.deadline_ns == start + 2000000 + 500000 * i && tick.missed == 0);
    }
    int64_t before = oversleep_now();
    CHECK(oversleep_ticker_reset(ticker) == OVERSLEEP_STATUS_OK);
    int64_t after = oversleep_now();
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK && tick.index == 6);
    CHECK(tick.deadline_ns >= before + 500000 && tick.deadline_ns <= after + 500000 && tick.missed == 0);
    oversleep_sleep_stats stats = {0};
    CHECK(oversleep_ticker_stats(ticker, &stats) == OVERSLEEP_STATUS_OK && stats.sleeps + stats.overdue == 7);
    oversleep_ticker_free(ticker);
    /* Before the first tick, that stays where it is, and so does a schedule that was just restarted. */
    options.start_ns = start = oversleep_now() + 1000000;
    CHECK(oversleep_ticker_new(1, 1, &options, &ticker) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_set_period(ticker, 2000000) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK && tick.deadline_ns == start);
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK && tick.deadline_ns == start + 2000000);
    oversleep_ticker_free(ticker);
    /* A start in the past: by default, what was due before is left out and counted. */
    oversleep_ticker_options late = {.start_ns = oversleep_now() - 10500000};
    CHECK(oversleep_ticker_new_every(1000000, &late, &ticker) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK);
    CHECK(tick.index >= 10 && tick.missed == tick.index);
    CHECK(tick.deadline_ns == late.start_ns + 1000000 * (int64_t)tick.index);
    oversleep_ticker_free(ticker);
}

static pthread_key_t at_the_end;
static int64_t late_at_the_end = -1;

static void sleeps_at_the_end(void *again) {
    /* The second round comes after the destructors of the library's own values, where there are any. */
    CHECK(oversleep_sleep(100000, &late_at_the_end) == OVERSLEEP_STATUS_OK);
    if (again != (void *)&at_the_end) {
        CHECK(pthread_setspecific(at_the_end, &at_the_end) == 0);
    }
}

static void *ends(void *key) {
    CHECK(oversleep_sleep(100000, NULL) == OVERSLEEP_STATUS_OK);
    CHECK(pthread_setspecific(at_the_end, key) == 0);
    return NULL;
}

/* A thread may sleep precisely until its very end. */
static void a_thread_that_ends(void) {
    pthread_t thread;
    CHECK(pthread_key_create(&at_the_end, sleeps_at_the_end) == 0);
    CHECK(pthread_create(&thread, NULL, ends, &late_at_the_end) == 0);
    CHECK(pthread_join(thread, NULL) == 0 && late_at_the_end >= 0);
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
    /* Two places of the schedule, one after the other. */
    int64_t due = 0, next = 0;
    CHECK(oversleep_pacer_reserve(pacer, 10, &due) == OVERSLEEP_STATUS_OK && due > 0);
    CHECK(oversleep_pacer_reserve(pacer, 5, &next) == OVERSLEEP_STATUS_OK && next == due + 5000000);
    CHECK(oversleep_pacer_reserve(pacer, 1, NULL) == OVERSLEEP_STATUS_OK);
    oversleep_pacer_free(pacer);

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
    CHECK(oversleep_kernel_sleep(2000000, NULL) == OVERSLEEP_STATUS_OK);
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
    CHECK(oversleep_ticker_new(1000, 1, NULL, &ticker) == OVERSLEEP_STATUS_OK);
    ticks_ten_times(ticker);
}

static void ticks_by_the_wall_clock(void) {
    oversleep_ticker *ticker = NULL;
    CHECK(oversleep_ticker_new_wall(1000000, 0, NULL, &ticker) == OVERSLEEP_STATUS_OK);
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

static void sleeps_in_the_kernel(void) {
    CHECK(oversleep_kernel_sleep(500000, NULL) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_kernel_sleep_until(oversleep_now() + 500000, NULL) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_kernel_sleep_until_wall(oversleep_wall_now() + 500000, NULL) == OVERSLEEP_STATUS_OK);
}

static void sleeps_without_a_handle(void) {
    for (int i = 0; i < 10; i++) {
        CHECK(oversleep_sleep(500000, NULL) == OVERSLEEP_STATUS_OK);
        CHECK(oversleep_sleep_until(oversleep_now() + 500000, NULL) == OVERSLEEP_STATUS_OK);
    }
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
    {"kernel's sleeps", sleeps_in_the_kernel},
    {"sleeps without a handle", sleeps_without_a_handle},
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
    for (int status = -1; status < 20; status++) {
        CHECK(strlen(oversleep_status_text(status)) > 3);
    }
    sleeps();
    sleeper();
    ceiling();
    ticker();
    schedule();
    a_thread_that_ends();
    pacer();
#ifdef __linux__
    cancelled();
#endif
    puts("liboversleep works from C");
    return 0;
}
