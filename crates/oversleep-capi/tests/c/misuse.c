/* Every function of liboversleep with values that it must refuse: with a status, at once, changing nothing. */
#include <math.h>
#include <oversleep.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <unistd.h>
#endif

#define LONGEST INT64_MAX
/* Seconds per year. The clock's range has 292 years. */
#define YEAR UINT64_C(31557600)
/* A time of the wall clock, in 2026: decades ahead of the monotonic clock. */
#define SINCE_1970 INT64_C(1790000000000000000)

static int checked;

static void check(int got, int expected, const char *what, int line) {
    checked++;
    if (got != expected) {
        fprintf(stderr, "misuse.c:%d: %s: '%s', not '%s'\n", line, what, oversleep_status_text(got),
                oversleep_status_text(expected));
        exit(1);
    }
}

#define REFUSED(status, call) check((call), OVERSLEEP_STATUS_##status, #call, __LINE__)
#define CHECK(what) check(!(what), 0, #what, __LINE__)

/* A call that makes a handle: it must set the place for it to null. */
#define NOT_MADE(status, kind, function, ...)                                             \
    do {                                                                                  \
        int something;                                                                    \
        kind *made = (kind *)(void *)&something;                                          \
        check(function(__VA_ARGS__, &made), OVERSLEEP_STATUS_##status, #function "(" #__VA_ARGS__ ")", __LINE__); \
        CHECK(made == NULL);                                                              \
        REFUSED(INVALID, function(__VA_ARGS__, NULL));                                    \
    } while (0)

/* An unusable option of a sleeper: for a sleeper, and for all three kinds of tickers. */
static void option(int status, oversleep_sleeper_options options, const char *what, int line) {
    int something;
    oversleep_sleeper *sleeper = (oversleep_sleeper *)(void *)&something;
    check(oversleep_sleeper_new(&options, &sleeper), status, what, line);
    CHECK(sleeper == NULL);
    oversleep_ticker_options of_ticker = {0};
    of_ticker.sleeper = &options;
    oversleep_ticker *ticker = (oversleep_ticker *)(void *)&something;
    check(oversleep_ticker_new(60, 1, &of_ticker, &ticker), status, what, line);
    CHECK(ticker == NULL);
    check(oversleep_ticker_new_every(1000000, &of_ticker, &ticker), status, what, line);
    check(oversleep_ticker_new_wall(1000000, 0, &of_ticker, &ticker), status, what, line);
    CHECK(ticker == NULL);
}

#define OPTION(status, ...) \
    option(OVERSLEEP_STATUS_##status, (oversleep_sleeper_options){__VA_ARGS__}, #__VA_ARGS__, __LINE__)
#define TICKER_OPTION(status, ...)                                                        \
    do {                                                                                  \
        oversleep_ticker_options options = {__VA_ARGS__};                                 \
        NOT_MADE(status, oversleep_ticker, oversleep_ticker_new, 60, 1, &options);        \
        NOT_MADE(status, oversleep_ticker, oversleep_ticker_new_every, 1000000, &options); \
    } while (0)

static void sleeps(void) {
    int64_t late = -77;
    REFUSED(TOO_LONG, oversleep_sleep(LONGEST, &late));
    REFUSED(TOO_LONG, oversleep_sleep(LONGEST - 1, &late));
    REFUSED(TOO_LONG, oversleep_sleep_until(LONGEST, &late));
    REFUSED(TOO_LONG, oversleep_kernel_sleep(LONGEST, &late));
    REFUSED(TOO_LONG, oversleep_kernel_sleep_until(LONGEST, &late));
    REFUSED(TOO_LONG, oversleep_kernel_sleep_until_wall(LONGEST, &late));
    REFUSED(TOO_FAR, oversleep_sleep_until(SINCE_1970, &late));
    REFUSED(TOO_FAR, oversleep_sleep_until(LONGEST - 1, &late));
    REFUSED(TOO_FAR, oversleep_kernel_sleep_until(SINCE_1970, &late));
    CHECK(late == -77);
}

static void options(void) {
    OPTION(BAD_ON_TIME, .on_time = 99.0);
    OPTION(BAD_ON_TIME, .on_time = 1.0);
    OPTION(BAD_ON_TIME, .on_time = 0.99991);
    OPTION(BAD_ON_TIME, .on_time = 0.4999);
    OPTION(BAD_ON_TIME, .on_time = -0.9);
    OPTION(BAD_ON_TIME, .on_time = 5e-324);
    OPTION(BAD_ON_TIME, .on_time = (double)NAN);
    OPTION(BAD_ON_TIME, .on_time = (double)INFINITY);
    OPTION(ECO_AND_ON_TIME, .on_time = 99.0, .eco = 1);
    OPTION(BAD_CPU_CEILING, .cpu_ceiling = 1.01);
    OPTION(BAD_CPU_CEILING, .cpu_ceiling = 50.0);
    OPTION(BAD_CPU_CEILING, .cpu_ceiling = -0.5);
    OPTION(BAD_CPU_CEILING, .cpu_ceiling = -2.0);
    OPTION(BAD_CPU_CEILING, .cpu_ceiling = (double)NAN);
    OPTION(BAD_CPU_CEILING, .cpu_ceiling = -(double)INFINITY);
    OPTION(BAD_SPIN_CEILING, .spin_ceiling_ns = -2);
    OPTION(BAD_SPIN_CEILING, .spin_ceiling_ns = INT64_MIN);
    OPTION(BAD_SPIN_CEILING, .real_time_ceiling_ns = -2);
    OPTION(BAD_SPIN_CEILING, .real_time_ceiling_ns = INT64_MIN);
    OPTION(BAD_EARLY_WINDOW, .early_window_ns = -1);
    OPTION(BAD_EARLY_WINDOW, .early_window_ns = INT64_MIN);
    OPTION(ECO_AND_ON_TIME, .on_time = 0.97, .eco = 1);
    OPTION(BAD_SIZE, .size = 1);
    OPTION(BAD_SIZE, .size = sizeof(oversleep_sleeper_options) - 1);
    OPTION(BAD_SIZE, .size = sizeof(oversleep_sleeper_options) + 8);
    OPTION(BAD_SIZE, .size = SIZE_MAX);
    REFUSED(INVALID, oversleep_sleeper_new(NULL, NULL));
}

static void sleeper(void) {
    oversleep_sleeper *sleeper = NULL;
    int64_t late = -77;
    oversleep_sleep_stats stats = {0};
    CHECK(oversleep_sleeper_new(NULL, &sleeper) == OVERSLEEP_STATUS_OK);
    REFUSED(INVALID, oversleep_sleeper_sleep_for(NULL, 5, &late));
    REFUSED(TOO_LONG, oversleep_sleeper_sleep_for(sleeper, LONGEST, &late));
    REFUSED(TOO_LONG, oversleep_sleeper_sleep_for(sleeper, LONGEST - 1, &late));
    REFUSED(INVALID, oversleep_sleeper_sleep_until(NULL, 5, &late));
    REFUSED(TOO_LONG, oversleep_sleeper_sleep_until(sleeper, LONGEST, &late));
    REFUSED(TOO_FAR, oversleep_sleeper_sleep_until(sleeper, SINCE_1970, &late));
    REFUSED(INVALID, oversleep_sleeper_stats(NULL, &stats));
    CHECK(late == -77 && stats.size == 0);
    CHECK(oversleep_sleeper_stats(sleeper, &stats) == OVERSLEEP_STATUS_OK);
    CHECK(stats.sleeps == 0 && stats.overdue == 0);
    stats.sleeps = 77;
    stats.size = 8;
    REFUSED(BAD_SIZE, oversleep_sleeper_stats(sleeper, &stats));
    stats.size = sizeof stats - 1;
    REFUSED(BAD_SIZE, oversleep_sleeper_stats(sleeper, &stats));
    CHECK(stats.sleeps == 77 && stats.size == sizeof stats - 1);
    oversleep_sleeper_free(sleeper);
    oversleep_sleeper_free(NULL);
}

static void making_a_ticker(void) {
    TICKER_OPTION(TOO_LONG, .start_ns = LONGEST);
    TICKER_OPTION(TOO_FAR, .start_ns = SINCE_1970);
    TICKER_OPTION(UNKNOWN_POLICY, .missed = 3);
    TICKER_OPTION(UNKNOWN_POLICY, .missed = -1);
    TICKER_OPTION(BAD_SIZE, .size = 1);
    TICKER_OPTION(BAD_SIZE, .size = sizeof(oversleep_ticker_options) + 8);
    NOT_MADE(NOT_POSITIVE, oversleep_ticker, oversleep_ticker_new, 0, 1, NULL);
    NOT_MADE(NOT_POSITIVE, oversleep_ticker, oversleep_ticker_new, 1, 0, NULL);
    NOT_MADE(TOO_SHORT, oversleep_ticker, oversleep_ticker_new, 1000000001, 1, NULL);
    NOT_MADE(TOO_SHORT, oversleep_ticker, oversleep_ticker_new, UINT64_MAX, 1, NULL);
    NOT_MADE(TOO_LONG, oversleep_ticker, oversleep_ticker_new, 1, 293 * YEAR, NULL);
    NOT_MADE(NOT_POSITIVE, oversleep_ticker, oversleep_ticker_new_every, 0, NULL);
    NOT_MADE(NOT_POSITIVE, oversleep_ticker, oversleep_ticker_new_every, -1, NULL);
    NOT_MADE(NOT_POSITIVE, oversleep_ticker, oversleep_ticker_new_every, INT64_MIN, NULL);
    NOT_MADE(TOO_LONG, oversleep_ticker, oversleep_ticker_new_every, LONGEST, NULL);
    oversleep_ticker_options started = {.start_ns = 5}, delayed = {.missed = OVERSLEEP_MISSED_DELAY};
    oversleep_ticker_options unknown = {.missed = 3}, unsized_options = {.size = 3};
    NOT_MADE(WALL_CLOCK, oversleep_ticker, oversleep_ticker_new_wall, 1000000, 0, &started);
    NOT_MADE(WALL_CLOCK, oversleep_ticker, oversleep_ticker_new_wall, 1000000, 0, &delayed);
    NOT_MADE(UNKNOWN_POLICY, oversleep_ticker, oversleep_ticker_new_wall, 1000000, 0, &unknown);
    NOT_MADE(BAD_SIZE, oversleep_ticker, oversleep_ticker_new_wall, 1000000, 0, &unsized_options);
    NOT_MADE(NOT_POSITIVE, oversleep_ticker, oversleep_ticker_new_wall, 0, 0, NULL);
    NOT_MADE(NOT_POSITIVE, oversleep_ticker, oversleep_ticker_new_wall, -1, 0, NULL);
    NOT_MADE(TOO_LONG, oversleep_ticker, oversleep_ticker_new_wall, LONGEST, 0, NULL);
    NOT_MADE(TOO_LONG, oversleep_ticker, oversleep_ticker_new_wall, LONGEST, LONGEST, NULL);
    NOT_MADE(BAD_PHASE, oversleep_ticker, oversleep_ticker_new_wall, 1000000, 1000000, NULL);
    NOT_MADE(BAD_PHASE, oversleep_ticker, oversleep_ticker_new_wall, 1000000, -1000000, NULL);
    NOT_MADE(BAD_PHASE, oversleep_ticker, oversleep_ticker_new_wall, 1000000, LONGEST, NULL);
    NOT_MADE(BAD_PHASE, oversleep_ticker, oversleep_ticker_new_wall, 1000000, INT64_MIN, NULL);
}

/* After refused changes the schedule is what it was. */
static void ticker(void) {
    oversleep_ticker *ticker = NULL, *wall = NULL;
    oversleep_ticker_options options = {0};
    options.start_ns = oversleep_now() + 1000000;
    options.missed = OVERSLEEP_MISSED_BURST;
    oversleep_tick tick = {0};
    tick.index = 77;
    oversleep_sleep_stats stats = {0};
    REFUSED(INVALID, oversleep_ticker_next(NULL, &tick));
    int64_t due = 77;
    REFUSED(INVALID, oversleep_ticker_next_deadline(NULL, &due));
    REFUSED(INVALID, oversleep_ticker_reset(NULL));
    REFUSED(INVALID, oversleep_ticker_set_rate(NULL, 60, 1));
    REFUSED(INVALID, oversleep_ticker_set_period(NULL, 1000000));
    REFUSED(INVALID, oversleep_ticker_stats(NULL, &stats));
    CHECK(tick.index == 77 && due == 77 && stats.size == 0);
    CHECK(oversleep_ticker_new_every(1000000, &options, &ticker) == OVERSLEEP_STATUS_OK);
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK);
    REFUSED(NOT_POSITIVE, oversleep_ticker_set_rate(ticker, 0, 1));
    REFUSED(NOT_POSITIVE, oversleep_ticker_set_rate(ticker, 1, 0));
    REFUSED(TOO_SHORT, oversleep_ticker_set_rate(ticker, 1000000001, 1));
    REFUSED(TOO_LONG, oversleep_ticker_set_rate(ticker, 1, 293 * YEAR));
    REFUSED(NOT_POSITIVE, oversleep_ticker_set_period(ticker, 0));
    REFUSED(NOT_POSITIVE, oversleep_ticker_set_period(ticker, -5));
    REFUSED(TOO_LONG, oversleep_ticker_set_period(ticker, LONGEST));
    REFUSED(ENDED, oversleep_ticker_set_period(ticker, LONGEST - 1));
    stats.size = 8;
    REFUSED(BAD_SIZE, oversleep_ticker_stats(ticker, &stats));
    CHECK(oversleep_ticker_next(ticker, &tick) == OVERSLEEP_STATUS_OK);
    CHECK(tick.index == 1 && tick.deadline_ns == options.start_ns + 1000000);
    CHECK(oversleep_ticker_new_wall(1000000, 600000, NULL, &wall) == OVERSLEEP_STATUS_OK);
    REFUSED(BAD_PHASE, oversleep_ticker_set_period(wall, 600000));
    REFUSED(BAD_PHASE, oversleep_ticker_set_rate(wall, 2000, 1));
    CHECK(oversleep_ticker_next(wall, &tick) == OVERSLEEP_STATUS_OK && tick.deadline_ns % 1000000 == 600000);
    oversleep_ticker_free(ticker);
    oversleep_ticker_free(wall);
    oversleep_ticker_free(NULL);
}

static void pacer(void) {
    NOT_MADE(NOT_POSITIVE, oversleep_pacer, oversleep_pacer_new, 0, 1, 1);
    NOT_MADE(NOT_POSITIVE, oversleep_pacer, oversleep_pacer_new, 1, 0, 1);
    NOT_MADE(TOO_LONG, oversleep_pacer, oversleep_pacer_new, 1, 293 * YEAR, 1);
    NOT_MADE(TOO_LONG, oversleep_pacer, oversleep_pacer_new, 1, YEAR, 293);
    NOT_MADE(TOO_LONG, oversleep_pacer, oversleep_pacer_new, 1, 1, UINT64_MAX);
    int64_t late = -77, ready_at = -77;
    oversleep_pacer *pacer = NULL;
    CHECK(oversleep_pacer_new(1, YEAR, 2, &pacer) == OVERSLEEP_STATUS_OK);
    REFUSED(INVALID, oversleep_pacer_take(NULL, 1, &late));
    REFUSED(INVALID, oversleep_pacer_take_by(NULL, 1, 0, &late, &ready_at));
    REFUSED(INVALID, oversleep_pacer_try_take(NULL, 1, &ready_at));
    REFUSED(BEYOND_BURST, oversleep_pacer_take(pacer, 3, &late));
    REFUSED(BEYOND_BURST, oversleep_pacer_take(pacer, UINT64_MAX, &late));
    REFUSED(BEYOND_BURST, oversleep_pacer_take_by(pacer, 3, LONGEST, &late, &ready_at));
    REFUSED(BEYOND_BURST, oversleep_pacer_try_take(pacer, UINT64_MAX, &ready_at));
    REFUSED(INVALID, oversleep_pacer_reserve(NULL, 1, &ready_at));
    REFUSED(BEYOND_BURST, oversleep_pacer_reserve(pacer, 3, &ready_at));
    REFUSED(TOO_FAR, oversleep_pacer_take_by(pacer, 1, SINCE_1970, &late, &ready_at));
    CHECK(late == -77 && ready_at == -77 && oversleep_pacer_take_due(NULL, 1) == 0);
    CHECK(oversleep_pacer_take_due(pacer, UINT64_MAX) == 1);
    REFUSED(NOT_READY, oversleep_pacer_try_take(pacer, 1, &ready_at));
    CHECK(ready_at > oversleep_now());
    REFUSED(NOT_READY, oversleep_pacer_take_by(pacer, 1, INT64_MIN, &late, NULL));
    CHECK(late == -77);
    oversleep_pacer_free(pacer);
    oversleep_pacer_free(NULL);
}

/* Every status has a sentence of its own, and so have all other numbers together. */
static void texts(void) {
    const char *unknown = oversleep_status_text(INT32_MAX);
    CHECK(strcmp(oversleep_status_text(-1), unknown) == 0 && strcmp(oversleep_status_text(INT32_MIN), unknown) == 0);
    int known = 0;
    while (strcmp(oversleep_status_text(known), unknown) != 0) {
        for (int other = 0; other < known; other++) {
            CHECK(strcmp(oversleep_status_text(other), oversleep_status_text(known)) != 0);
        }
        known++;
    }
    CHECK(known == OVERSLEEP_STATUS_TOO_FAR + 1);
}

int main(void) {
#ifndef _WIN32
    alarm(60); /* instead of a wait for centuries */
#endif
    sleeps();
    options();
    sleeper();
    making_a_ticker();
    ticker();
    pacer();
    texts();
    printf("%d misuses refused\n", checked);
    return 0;
}
