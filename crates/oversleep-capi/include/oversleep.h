// liboversleep: sleep on time. SPDX-License-Identifier: MIT OR Apache-2.0
// Generated from the Rust sources by cbindgen and checked against them by a test; see oversleep(3).
//
// Every time is a signed number of nanoseconds. A deadline, and `ready_at`, is a time of `oversleep_now`; where the name
// says "wall", one of `oversleep_wall_now`. Functions that return `int` return an `oversleep_status`, and what they write
// results to may be null, but for the place of a new handle.

#ifndef OVERSLEEP_H
#define OVERSLEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OVERSLEEP_VERSION "0.1.0"
#define OVERSLEEP_VERSION_MAJOR 0
#define OVERSLEEP_VERSION_MINOR 1
#define OVERSLEEP_VERSION_PATCH 0

// How a call ended.
typedef enum {
  // Done.
  OVERSLEEP_STATUS_OK = 0,
  // A null handle, or a null pointer where something must be written.
  OVERSLEEP_STATUS_INVALID = 1,
  // Units are not due yet; nothing was taken, and `ready_at` received when they are.
  OVERSLEEP_STATUS_NOT_READY = 2,
  // More units than may ever go at once; nothing was taken, and `ready_at` is left alone.
  OVERSLEEP_STATUS_BEYOND_BURST = 3,
  // The schedule has reached the end of the clock's range.
  OVERSLEEP_STATUS_ENDED = 4,
  // A defect of this library, caught at its border. The handle may still be freed.
  OVERSLEEP_STATUS_PANICKED = 5,
  // A rate or period that is not above zero.
  OVERSLEEP_STATUS_NOT_POSITIVE = 6,
  // A period below one nanosecond.
  OVERSLEEP_STATUS_TOO_SHORT = 7,
  // A period, or a pacer's burst, that takes 292 years or longer.
  OVERSLEEP_STATUS_TOO_LONG = 8,
  // No such policy for missed ticks.
  OVERSLEEP_STATUS_UNKNOWN_POLICY = 9,
  // The `size` of a structure was not set, or is that of a newer liboversleep.
  OVERSLEEP_STATUS_BAD_SIZE = 10,
} oversleep_status;

// What to do with missed ticks.
typedef enum {
  // Hand out every tick, late ones at once.
  OVERSLEEP_MISSED_BURST = 0,
  // Hand out the latest tick due and say how many were left out.
  OVERSLEEP_MISSED_SKIP = 1,
  // Begin the schedule anew from the late tick. A wall-clock ticker takes it as skip.
  OVERSLEEP_MISSED_DELAY = 2,
} oversleep_missed;

// What can stand in the way of the share asked for.
typedef enum {
  // Nothing did.
  OVERSLEEP_CEILING_NONE = 0,
  // `cpu_ceiling`.
  OVERSLEEP_CEILING_PROCESSOR = 1,
  // The sleep is shorter than the margin it needs, and may not be waited finely altogether.
  OVERSLEEP_CEILING_SHORT_SLEEP = 2,
  // `spin_ceiling_ns`.
  OVERSLEEP_CEILING_FINE_WAIT = 3,
  // `real_time_ceiling_ns`.
  OVERSLEEP_CEILING_REAL_TIME = 4,
  // The processor time that the thread's policy grants.
  OVERSLEEP_CEILING_POLICY_BUDGET = 5,
  // One that this header does not know.
  OVERSLEEP_CEILING_OTHER = 6,
} oversleep_ceiling;

// Limits units to an exact rate. Any number of threads may share one; they are served in order.
typedef struct oversleep_pacer oversleep_pacer;

// Learns how late its thread's sleeps end, and makes up for it. One per thread is best: what it learns is that
// thread's.
typedef struct oversleep_sleeper oversleep_sleeper;

// Hands out ticks on an exact schedule.
typedef struct oversleep_ticker oversleep_ticker;

// What is asked of a sleeper. Start from `oversleep_sleeper_options_init`. Numbers outside their range are held at its
// ends; NaN is the default.
typedef struct {
  // The size of this structure as the program knows it: later versions may have more fields at the end.
  size_t size;
  // The share of sleeps to be awake before their deadline, in the long run and under the ceilings: 0.5 to 0.9999.
  double on_time;
  // The most of the time slept that may on average be spent in fine waiting: 0 to 1.
  double cpu_ceiling;
  // The longest single fine wait, nanoseconds; negative is zero.
  int64_t spin_ceiling_ns;
  // The same under a real-time policy.
  int64_t real_time_ceiling_ns;
  // How long before its deadline a sleep may end, nanoseconds: 0, or negative, for never early.
  int64_t early_window_ns;
  // Not 0: as near to the deadline as costs next to nothing; `on_time` and `cpu_ceiling` then mean nothing.
  uint8_t eco;
  // Not 0: do not touch the thread's timer slack; `eco` never does.
  uint8_t leave_slack;
} oversleep_sleeper_options;

// What a sleeper achieved. Set `size` before it is asked for.
typedef struct {
  // The size of this structure as the program knows it: later versions may have more fields at the end. Receives how
  // much of it was written.
  size_t size;
  // Sleeps whose deadline lay ahead.
  uint64_t sleeps;
  // Calls whose deadline was over already.
  uint64_t overdue;
  // The share of sleeps awake before their deadline: 0 to 1; NaN of none.
  double on_time;
  // Fine waiting by the clock as a share of the time asked for; NaN of none. Beyond 1 only where something else had the
  // processor meanwhile, which is included.
  double spun_share;
  // The worst lateness, nanoseconds.
  int64_t worst_ns;
  // The share that was asked for; NaN of an `eco` sleeper.
  double asked;
  // The share of sleeps that ended at most 1 µs after their deadline: 0 to 1; NaN of none.
  double punctual;
  // Sleeps awake before their deadline that ended more than 1 µs after it: something else had the processor.
  uint64_t interrupted;
  // The mean fine wait of a sleep by the clock, nanoseconds: the processor time that being on time cost at most, since time
  // in which something else had the processor is included.
  int64_t spun_per_sleep_ns;
  // The ceiling that stood in the way, an `oversleep_ceiling`, if the share asked for was not reached.
  int limited_by;
  // The sleeps whose margin it cut.
  uint64_t limited_sleeps;
  // The share of those that were on time all the same, which is what can be had under it: 0 to 1; NaN of none.
  double attainable;
} oversleep_achieved;

// One tick.
typedef struct {
  // Its place in the schedule, from 0; for a wall-clock ticker, periods since 1970 and its phase.
  uint64_t index;
  // When it was due: a time of `oversleep_now`, or of `oversleep_wall_now` for a wall-clock ticker.
  int64_t deadline_ns;
  // How late it was handed out, nanoseconds after `deadline_ns`.
  int64_t late_ns;
  // Ticks before it that were left out.
  uint64_t missed;
  // How long the machine was suspended since the tick before, nanoseconds, where the system tells.
  int64_t suspended_ns;
  // How far the wall clock was set since the tick before, nanoseconds. Wall-clock tickers only.
  int64_t stepped_ns;
} oversleep_tick;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Makes a pacer of `numerator / denominator` units a second from now on; at most `burst` at once after an idle time, 0
// for ten milliseconds' worth and two. `pacer` receives it; free it with `oversleep_pacer_free`.
//
// Otherwise `pacer` receives null: `OVERSLEEP_STATUS_NOT_POSITIVE` for a numerator or denominator of 0,
// `OVERSLEEP_STATUS_TOO_LONG` for a rate at which the burst takes 292 years or longer.
//
// # Safety
// `pacer` is null or points to writable memory.
int oversleep_pacer_new(uint64_t numerator,
                        uint64_t denominator,
                        uint64_t burst,
                        oversleep_pacer **pacer);

// Waits for `n` units. `late` receives the end of the wait less the time at which they were due, nanoseconds: never
// below zero. `OVERSLEEP_STATUS_BEYOND_BURST`, without waiting, for more units than the burst.
//
// # Safety
// `pacer` is null or a living pacer; `late` is null or points to writable memory.
int oversleep_pacer_take(const oversleep_pacer *pacer,
                         uint64_t n,
                         int64_t *late);

// Waits for `n` units if they are due by `deadline`, a time of `oversleep_now`; otherwise takes none, does not wait,
// answers `OVERSLEEP_STATUS_NOT_READY`, and `ready_at` receives when they would be due, a time of `oversleep_now`.
// `OVERSLEEP_STATUS_BEYOND_BURST`, with `ready_at` left alone, for more units than the burst.
//
// # Safety
// `pacer` is null or a living pacer; `late` and `ready_at` are null or point to writable memory.
int oversleep_pacer_take_by(const oversleep_pacer *pacer,
                            uint64_t n,
                            int64_t deadline,
                            int64_t *late,
                            int64_t *ready_at);

// Takes `n` units if they are due now; otherwise none, answers `OVERSLEEP_STATUS_NOT_READY`, and `ready_at` receives
// when they would be due, a time of `oversleep_now`. Never waits.
// `OVERSLEEP_STATUS_BEYOND_BURST`, with `ready_at` left alone, for more units than the burst.
//
// # Safety
// `pacer` is null or a living pacer; `ready_at` is null or points to writable memory.
int oversleep_pacer_try_take(const oversleep_pacer *pacer,
                             uint64_t n,
                             int64_t *ready_at);

// Takes what is due now, at most `limit` units, and answers how many: 0 also for a null pacer. Never waits.
//
// # Safety
// `pacer` is null or a living pacer.
uint64_t oversleep_pacer_take_due(const oversleep_pacer *pacer, uint64_t limit);

// Frees a pacer. Null is nothing to do.
//
// # Safety
// `pacer` is null or came from `oversleep_pacer_new`, was not freed before, and no thread uses it.
void oversleep_pacer_free(oversleep_pacer *pacer);

// Returns the system's monotonic clock, nanoseconds: the clock of every deadline but the "wall" ones. May be called in
// a signal handler, as may `oversleep_wall_now`, `oversleep_version` and `oversleep_status_text`, and nothing else
// here.
int64_t oversleep_now(void);

// Returns the same time from the processor's counter, where that can be trusted: cheaper, and in order across threads.
int64_t oversleep_counter_now(void);

// Returns whether `oversleep_counter_now` reads the counter; otherwise it hands out the system's clock.
//
// False in a fresh process until `oversleep_counter_now` has been called over about a millisecond, for only calls
// compare the two clocks; and for good where the system does not trust its counter.
bool oversleep_counter_in_use(void);

// Returns the wall clock: nanoseconds since 1970, UTC.
int64_t oversleep_wall_now(void);

// Sleeps for a number of nanoseconds with the kernel's timer; signals do not shorten it. Zero or less: returns at once.
//
// `late` receives the end less the deadline, nanoseconds: never below zero.
//
// # Safety
// `late` is null or points to writable memory.
int oversleep_sleep_for(int64_t ns,
                        int64_t *late);

// Sleeps until `oversleep_now` reads `deadline` with the kernel's timer. A deadline that is over returns at once.
//
// `late` receives the end less the deadline, nanoseconds: never below zero.
//
// # Safety
// `late` is null or points to writable memory.
int oversleep_sleep_until(int64_t deadline,
                          int64_t *late);

// Sleeps until `oversleep_wall_now` reads `deadline`, also if that clock is set meanwhile.
//
// `late` receives what the clock shows at the end less the deadline, nanoseconds: much after a step forward.
//
// # Safety
// `late` is null or points to writable memory.
int oversleep_sleep_until_wall(int64_t deadline, int64_t *late);

// Sets options to what is asked for by default: 99 % of sleeps on time, at most half of the time slept in fine waiting.
// `size` is `sizeof *options`. `OVERSLEEP_STATUS_BAD_SIZE` for a size that this version does not know.
//
// # Safety
// `options` is null or points to as many writable bytes as `size`.
int oversleep_sleeper_options_init(oversleep_sleeper_options *options,
                                   size_t size);

// Makes a sleeper. Null `options` are the default. `sleeper` receives it; free it with `oversleep_sleeper_free`.
//
// Otherwise `sleeper` receives null: `OVERSLEEP_STATUS_BAD_SIZE` for options that were not initialised, or by a newer
// version's header.
//
// # Safety
// `options` is null or points to options of the size they say; `sleeper` is null or points to writable memory.
int oversleep_sleeper_new(const oversleep_sleeper_options *options,
                          oversleep_sleeper **sleeper);

// Frees a sleeper. Null is nothing to do.
//
// # Safety
// `sleeper` is null or came from `oversleep_sleeper_new`, was not freed before, and no thread uses it.
void oversleep_sleeper_free(oversleep_sleeper *sleeper);

// Sleeps for a number of nanoseconds, precisely. Zero or less: returns at once.
//
// `late` receives the end less the deadline, nanoseconds: positive when late, below zero only within an early window.
//
// # Safety
// `sleeper` is null or a living sleeper; `late` is null or points to writable memory.
int oversleep_sleeper_sleep_for(const oversleep_sleeper *sleeper,
                                int64_t ns,
                                int64_t *late);

// Sleeps until `oversleep_now` reads `deadline`, precisely. A deadline that is over returns at once.
//
// `late` receives the end less the deadline, nanoseconds: positive when late, below zero only within an early window.
//
// # Safety
// `sleeper` is null or a living sleeper; `late` is null or points to writable memory.
int oversleep_sleeper_sleep_until(const oversleep_sleeper *sleeper,
                                  int64_t deadline,
                                  int64_t *late);

// Writes what the sleeper achieved so far. Waits while another thread sleeps on it. `OVERSLEEP_STATUS_BAD_SIZE` where
// `achieved->size` was not set.
//
// # Safety
// `sleeper` is null or a living sleeper; `achieved` is null or points to as many writable bytes as its size says.
int oversleep_sleeper_achieved(const oversleep_sleeper *sleeper,
                               oversleep_achieved *achieved);

// Returns what a status means, as a sentence. Never null; for numbers that are no status too. Not to be freed.
const char *oversleep_status_text(int status);

// Makes a ticker that ticks `numerator / denominator` times a second from now on, tick n at start + n × denominator /
// numerator s exactly. `policy` is an `oversleep_missed`. `ticker` receives it; free it with `oversleep_ticker_free`.
//
// Otherwise `ticker` receives null: `OVERSLEEP_STATUS_NOT_POSITIVE` for a numerator or denominator of 0,
// `OVERSLEEP_STATUS_TOO_SHORT` for a rate above 10⁹, `OVERSLEEP_STATUS_TOO_LONG` for one below one in 292 years,
// `OVERSLEEP_STATUS_UNKNOWN_POLICY`.
//
// # Safety
// `ticker` is null or points to writable memory.
int oversleep_ticker_new(uint64_t numerator,
                         uint64_t denominator,
                         int policy,
                         oversleep_ticker **ticker);

// Makes a ticker that ticks when the wall clock reads a multiple of `period_ns` plus `phase_ns`: each full second for
// 10⁹ and 0. `ticker` receives it; free it with `oversleep_ticker_free`.
//
// Otherwise `ticker` receives null: `OVERSLEEP_STATUS_NOT_POSITIVE` for a period of zero or less,
// `OVERSLEEP_STATUS_TOO_LONG` for one of `INT64_MAX`, `OVERSLEEP_STATUS_UNKNOWN_POLICY`.
//
// # Safety
// `ticker` is null or points to writable memory.
int oversleep_ticker_new_wall(int64_t period_ns,
                              int64_t phase_ns,
                              int policy,
                              oversleep_ticker **ticker);

// Waits for the next tick. `OVERSLEEP_STATUS_ENDED`, without waiting, where it lies beyond the clock's range: 292 years
// after the clock's beginning, for the wall clock in 2262.
//
// # Safety
// `ticker` is null or a living ticker; `tick` is null or points to writable memory.
int oversleep_ticker_next(const oversleep_ticker *ticker,
                          oversleep_tick *tick);

// Frees a ticker. Null is nothing to do.
//
// # Safety
// `ticker` is null or came from this library, was not freed before, and no thread uses it.
void oversleep_ticker_free(oversleep_ticker *ticker);

// Returns the version of the library that runs, such as `0.1.0`; that of the header is `OVERSLEEP_VERSION`. Never null, and
// not to be freed. May be called in a signal handler.
const char *oversleep_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* OVERSLEEP_H */
