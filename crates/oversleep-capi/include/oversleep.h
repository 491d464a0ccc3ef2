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

// Marks functions whose result says whether they worked. `(void)oversleep_...` ignores it without a warning. (GCC's own
// attribute would warn all the same; so GCC is asked only where it has the standard one.) Define it as nothing to be free
// of the compiler's warnings.
#ifndef OVERSLEEP_MUST_USE
#if defined(__cplusplus) && (__cplusplus >= 201703L || (defined(__GNUC__) && !defined(__clang__)))
#define OVERSLEEP_MUST_USE [[nodiscard]]
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L
#define OVERSLEEP_MUST_USE [[nodiscard]]
#elif defined(__clang__)
#define OVERSLEEP_MUST_USE __attribute__((warn_unused_result))
#else
#define OVERSLEEP_MUST_USE
#endif
#endif

// The result of a call.
typedef enum {
  // Success.
  OVERSLEEP_STATUS_OK = 0,
  // A handle is null, or the place for a new one.
  OVERSLEEP_STATUS_INVALID = 1,
  // The units are not due yet; none was taken, and `ready_at` received the time at which they will be.
  OVERSLEEP_STATUS_NOT_READY = 2,
  // More units were requested than can ever be taken at once; none was taken, and `ready_at` is unchanged.
  OVERSLEEP_STATUS_BEYOND_BURST = 3,
  // The schedule has reached the end of the clock's range.
  OVERSLEEP_STATUS_ENDED = 4,
  // A bug in this library, caught before it could reach the program. The handle may still be freed.
  OVERSLEEP_STATUS_PANICKED = 5,
  // A rate or period is not above zero.
  OVERSLEEP_STATUS_NOT_POSITIVE = 6,
  // A period is below one nanosecond.
  OVERSLEEP_STATUS_TOO_SHORT = 7,
  // A period, a pacer's burst, or a wait ends beyond the clock's range of 292 years, or a deadline is `INT64_MAX`.
  OVERSLEEP_STATUS_TOO_LONG = 8,
  // The policy for missed ticks does not exist.
  OVERSLEEP_STATUS_UNKNOWN_POLICY = 9,
  // The `size` of a structure is neither 0 nor that of a version that this library knows.
  OVERSLEEP_STATUS_BAD_SIZE = 10,
  // `on_time` is out of range or NaN.
  OVERSLEEP_STATUS_BAD_ON_TIME = 11,
  // `cpu_ceiling` is out of range or NaN.
  OVERSLEEP_STATUS_BAD_CPU_CEILING = 12,
  // `spin_ceiling_ns` or `real_time_ceiling_ns` is below -1.
  OVERSLEEP_STATUS_BAD_SPIN_CEILING = 13,
  // `early_window_ns` is negative.
  OVERSLEEP_STATUS_BAD_EARLY_WINDOW = 14,
  // Both `eco` and `on_time` are set.
  OVERSLEEP_STATUS_ECO_AND_ON_TIME = 15,
  // A phase is not shorter than the period.
  OVERSLEEP_STATUS_BAD_PHASE = 16,
  // Something was requested of a wall-clock ticker that it cannot do: a start, or to restart its schedule after a
  // missed tick.
  OVERSLEEP_STATUS_WALL_CLOCK = 17,
  // A deadline, or a ticker's start, is more than ten years ahead of `oversleep_now`: a time of another clock.
  OVERSLEEP_STATUS_TOO_FAR = 18,
} oversleep_status;

// What to do with missed ticks.
typedef enum {
  // Deliver the latest tick due and report how many were left out: the default.
  OVERSLEEP_MISSED_SKIP = 0,
  // Deliver every tick, late ones at once.
  OVERSLEEP_MISSED_BURST = 1,
  // Restart the schedule from a tick that was requested after it was due, or whose wake-up was late by a period or more:
  // the next one is due a period after its delivery. Not for wall-clock tickers.
  OVERSLEEP_MISSED_DELAY = 2,
} oversleep_missed;

// What can prevent a sleeper from being on time more often.
typedef enum {
  // Nothing.
  OVERSLEEP_CEILING_NONE = 0,
  // One sleep more on time would cost more processor time than it is worth. Only without the option `on_time`.
  OVERSLEEP_CEILING_WORTH = 1,
  // The option `cpu_ceiling`.
  OVERSLEEP_CEILING_PROCESSOR = 2,
  // The sleep is shorter than the margin it needs, and the ceilings do not allow a fine wait for all of it.
  OVERSLEEP_CEILING_SHORT_SLEEP = 3,
  // The option `spin_ceiling_ns`.
  OVERSLEEP_CEILING_FINE_WAIT = 4,
  // The option `real_time_ceiling_ns`.
  OVERSLEEP_CEILING_REAL_TIME = 5,
  // The processor time that the thread's policy allows.
  OVERSLEEP_CEILING_POLICY_BUDGET = 6,
  // Other threads take the processor, whatever the margin.
  OVERSLEEP_CEILING_INTERRUPTIONS = 7,
  // A ceiling that this header does not know.
  OVERSLEEP_CEILING_OTHER = 8,
} oversleep_ceiling;

// Limits units to an exact rate. Any number of threads may share a pacer; they are served in order.
typedef struct oversleep_pacer oversleep_pacer;

// Learns how late the sleeps of a thread end, and compensates for it. Use one per thread, because what it learns
// applies to that thread.
typedef struct oversleep_sleeper oversleep_sleeper;

// Delivers ticks on an exact schedule.
typedef struct oversleep_ticker oversleep_ticker;

// The options of a sleeper. A structure of zeros means the defaults. A number outside its range, or NaN, is refused
// with a status of its own.
typedef struct {
  // Size of this structure, or 0. Later versions may have more fields at the end, which are used only if the size
  // includes them.
  size_t size;
  // Share of sleeps to be awake before their deadline, in the long run and within the ceilings: 0.5 to 0.9999. Zero
  // means the default: as many as are worth the processor time.
  double on_time;
  // Largest average share of the time slept that may be spent in fine waiting: up to 1. Zero means the default, 0.02, or
  // 0.5 if `on_time` is set; and -1 none.
  double cpu_ceiling;
  // Longest single fine wait, in nanoseconds. Zero means the default, 0.2 ms, or 20 ms if `on_time` is set; and -1 none.
  int64_t spin_ceiling_ns;
  // Longest single fine wait under a real-time policy, in nanoseconds. Zero means the default, 1 ms, and -1 none.
  int64_t real_time_ceiling_ns;
  // How long before its deadline a sleep may end, in nanoseconds. Zero: never early.
  int64_t early_window_ns;
  // Nonzero: wakes as close to the deadline as is possible at almost no cost. Not together with `on_time`.
  uint8_t eco;
  // Nonzero: leaves the thread's timer slack unchanged, as `eco` always does.
  uint8_t leave_slack;
} oversleep_sleeper_options;

// Statistics of a sleeper, or of the sleeps of a ticker. Begin with a structure of zeros.
typedef struct {
  // Size of this structure, or 0. Later versions may have more fields at the end, which are written only if the size
  // includes them. Receives the number of bytes that were written.
  size_t size;
  // Number of sleeps whose deadline lay ahead.
  uint64_t sleeps;
  // Number of calls whose deadline had already passed.
  uint64_t overdue;
  // Share of sleeps awake before their deadline: 0 to 1; NaN without sleeps.
  double on_time;
  // Fine waiting by the clock as a share of the time asked for; NaN without sleeps. Includes time in which something
  // else used the processor, and can exceed 1 only because of that.
  double spun_share;
  // Largest lateness, in nanoseconds, also of overdue requests.
  int64_t worst_ns;
  // Share that was requested with the option `on_time`; NaN without it.
  double asked;
  // Share of sleeps that ended at most 1 µs after their deadline: 0 to 1; NaN without sleeps.
  double punctual;
  // Number of sleeps awake before their deadline that ended more than 1 µs after it: something else used the
  // processor.
  uint64_t interrupted;
  // Mean fine wait of a sleep by the clock, in nanoseconds: an upper bound of the processor time spent on being on
  // time, because it includes time in which something else used the processor.
  int64_t spun_per_sleep_ns;
  // Ceiling that prevented more sleeps on time, or the share requested, an `oversleep_ceiling`; `OVERSLEEP_CEILING_NONE` if there was none.
  int limited_by;
  // Number of sleeps whose margin that ceiling cut.
  uint64_t limited_sleeps;
  // Share of those sleeps that were on time nevertheless: 0 to 1; NaN if none was cut. The share that can be had of all
  // sleeps lies between it and 1.
  double attainable;
  // Number of times the kernel was asked to sleep and woke the thread.
  uint64_t wake_ups;
  // Mean processor time of a sleep, in nanoseconds: its wake-ups, measured at one sleep in 16 of those that wake before their
  // deadline, and its fine wait by the clock; −1 without sleeps, and until a wake-up was measured.
  int64_t processor_time_per_sleep_ns;
} oversleep_sleep_stats;

// The options of a ticker. A structure of zeros means the defaults.
typedef struct {
  // Size of this structure, or 0. Later versions may have more fields at the end, which are used only if the size
  // includes them.
  size_t size;
  // Time at which tick 0 is due, a time of `oversleep_now`; zero means when the ticker is made. Ticks that are due
  // before that are missed ticks. Not for wall-clock tickers.
  int64_t start_ns;
  // Options of the ticker's sleeps; null means the defaults.
  const oversleep_sleeper_options *sleeper;
  // What to do with missed ticks, an `oversleep_missed`; zero means `OVERSLEEP_MISSED_SKIP`.
  int missed;
} oversleep_ticker_options;

// One tick.
typedef struct {
  // Position in the schedule, from 0; for a wall-clock ticker, the number of periods since the phase after 1970
  // began.
  uint64_t index;
  // Time at which the tick was due: of `oversleep_now`, or of `oversleep_wall_now` for a wall-clock ticker.
  int64_t deadline_ns;
  // How long after `deadline_ns` the tick was delivered, in nanoseconds.
  int64_t late_ns;
  // Number of ticks left out directly before this one.
  uint64_t missed;
  // How long the machine was suspended since the previous tick, in nanoseconds, where the system tells.
  int64_t suspended_ns;
  // How far the wall clock was set since the previous tick, in nanoseconds. Wall-clock tickers only.
  int64_t stepped_ns;
} oversleep_tick;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the version of the library that is running, such as `0.1.0`; `OVERSLEEP_VERSION` is that of the header.
// Never null. Do not free it. May be called in a signal handler.
const char *oversleep_version(void);

// Makes a pacer of `numerator / denominator` units a second from now on. After an idle time, at most `burst` units are
// available at once, and no more can be taken at once. 0 means the units of ten milliseconds plus two, and at least the
// largest number that was ever taken at once. `pacer` receives the new pacer; free it with `oversleep_pacer_free`.
//
// If it fails, `pacer` receives null: `OVERSLEEP_STATUS_NOT_POSITIVE` if the numerator or denominator is 0,
// `OVERSLEEP_STATUS_TOO_LONG` if at this rate the burst takes 292 years or longer.
//
// # Safety
// `pacer` is null or points to writable memory.
OVERSLEEP_MUST_USE
int oversleep_pacer_new(uint64_t numerator,
                        uint64_t denominator,
                        uint64_t burst,
                        oversleep_pacer **pacer);

// Waits for `n` units. `late` receives the end of the wait minus the time at which the units were due, in nanoseconds;
// never below zero. Returns `OVERSLEEP_STATUS_BEYOND_BURST`, without waiting, if `n` is larger than a burst that was set.
//
// # Safety
// `pacer` is null or a valid pacer; `late` is null or points to writable memory.
OVERSLEEP_MUST_USE
int oversleep_pacer_take(const oversleep_pacer *pacer,
                         uint64_t n,
                         int64_t *late);

// Waits for `n` units if they are due by `deadline`, a time of `oversleep_now`; `INT64_MAX` sets no limit. Otherwise
// takes none and does not wait: returns `OVERSLEEP_STATUS_NOT_READY`, and `ready_at` receives when they will be due, a time of
// `oversleep_now`. Returns `OVERSLEEP_STATUS_BEYOND_BURST`, and leaves `ready_at` unchanged, if `n` is larger than a
// burst that was set, and `OVERSLEEP_STATUS_TOO_FAR` if `deadline` is more than ten years ahead.
//
// # Safety
// `pacer` is null or a valid pacer; `late` and `ready_at` are null or point to writable memory.
OVERSLEEP_MUST_USE
int oversleep_pacer_take_by(const oversleep_pacer *pacer,
                            uint64_t n,
                            int64_t deadline,
                            int64_t *late,
                            int64_t *ready_at);

// Takes `n` units if they are due now. Otherwise takes none: returns `OVERSLEEP_STATUS_NOT_READY`, and `ready_at`
// receives when they will be due, a time of `oversleep_now`. Never waits.
// Returns `OVERSLEEP_STATUS_BEYOND_BURST`, and leaves `ready_at` unchanged, if `n` is larger than a burst that was set.
//
// # Safety
// `pacer` is null or a valid pacer; `ready_at` is null or points to writable memory.
OVERSLEEP_MUST_USE
int oversleep_pacer_try_take(const oversleep_pacer *pacer,
                             uint64_t n,
                             int64_t *ready_at);

// Takes `n` units now, without waiting: for an event loop, which waits by other means. `due` receives when they may be
// used, a time of `oversleep_now`: in the past if that is at once. Units that are then not used are lost. Returns
// `OVERSLEEP_STATUS_BEYOND_BURST`, and takes none, if `n` is larger than a burst that was set.
//
// # Safety
// `pacer` is null or a valid pacer; `due` is null or points to writable memory.
OVERSLEEP_MUST_USE
int oversleep_pacer_reserve(const oversleep_pacer *pacer,
                            uint64_t n,
                            int64_t *due);

// Takes the units that are due now, at most `limit`, and returns their number; 0 for a null pacer. Never waits.
//
// For one wake-up per batch: `oversleep_pacer_reserve` of one unit, a sleep until it is due and a window, then this.
//
// # Safety
// `pacer` is null or a valid pacer.
OVERSLEEP_MUST_USE
uint64_t oversleep_pacer_take_due(const oversleep_pacer *pacer,
                                  uint64_t limit);

// Frees a pacer. Does nothing for null.
//
// # Safety
// `pacer` is null or came from `oversleep_pacer_new`, was not freed before, and no thread uses it.
void oversleep_pacer_free(oversleep_pacer *pacer);

// Returns the time of the system's monotonic clock, in nanoseconds: the clock of all deadlines except the "wall" ones.
// May be called in a signal handler, as may `oversleep_wall_now`, `oversleep_version` and `oversleep_status_text`, but
// no other function of this library.
int64_t oversleep_now(void);

// Returns the same time from the processor's counter, where it can be trusted: cheaper, and ordered across threads.
int64_t oversleep_counter_now(void);

// Returns whether `oversleep_counter_now` reads the counter; otherwise it returns the system clock's time.
//
// False in a new process until `oversleep_counter_now` has been called over about a millisecond, because only those
// calls compare the two clocks; and always false where the system does not trust its counter.
bool oversleep_counter_in_use(void);

// Returns the time of the wall clock: nanoseconds since 1970, UTC.
int64_t oversleep_wall_now(void);

// Sleeps precisely for `ns` nanoseconds, with a sleeper of the calling thread that has the default options.
//
// `late` receives the end minus the deadline, in nanoseconds; never below zero.
//
// A negative duration is a deadline that has passed: returns at once. Returns `OVERSLEEP_STATUS_TOO_LONG`, without
// waiting, for a duration beyond the clock's range.
//
// # Safety
// `late` is null or points to writable memory.
int oversleep_sleep(int64_t ns,
                    int64_t *late);

// Sleeps precisely until `oversleep_now` reads `deadline`, with a sleeper of the calling thread that has the default
// options. Returns at once if the deadline has passed.
//
// `late` receives the end minus the deadline, in nanoseconds; never below zero.
//
// Returns, without waiting, `OVERSLEEP_STATUS_TOO_FAR` for a deadline more than ten years ahead, as a time since 1970 is,
// and `OVERSLEEP_STATUS_TOO_LONG` for `INT64_MAX`.
//
// # Safety
// `late` is null or points to writable memory.
int oversleep_sleep_until(int64_t deadline,
                          int64_t *late);

// Sleeps for `ns` nanoseconds only with the kernel's timer: about as late as the kernel wakes, and never waiting on
// the processor. Signals do not shorten the sleep.
//
// `late` receives the end minus the deadline, in nanoseconds; never below zero.
//
// A negative duration is a deadline that has passed: returns at once. Returns `OVERSLEEP_STATUS_TOO_LONG`, without
// waiting, for a duration beyond the clock's range.
//
// # Safety
// `late` is null or points to writable memory.
int oversleep_kernel_sleep(int64_t ns,
                           int64_t *late);

// Sleeps until `oversleep_now` reads `deadline`, only with the kernel's timer. Returns at once if the deadline has
// passed.
//
// `late` receives the end minus the deadline, in nanoseconds; never below zero.
//
// Returns, without waiting, `OVERSLEEP_STATUS_TOO_FAR` for a deadline more than ten years ahead, as a time since 1970 is,
// and `OVERSLEEP_STATUS_TOO_LONG` for `INT64_MAX`.
//
// # Safety
// `late` is null or points to writable memory.
int oversleep_kernel_sleep_until(int64_t deadline,
                                 int64_t *late);

// Sleeps until `oversleep_wall_now` reads `deadline`, only with the kernel's timer, even if that clock is set during
// the sleep.
//
// `late` receives the clock's time at the end minus the deadline, in nanoseconds: large after a step forward.
//
// Returns `OVERSLEEP_STATUS_TOO_LONG`, without waiting, for `INT64_MAX`.
//
// # Safety
// `late` is null or points to writable memory.
int oversleep_kernel_sleep_until_wall(int64_t deadline,
                                      int64_t *late);

// Makes a sleeper. Null `options` mean the defaults, as do options of zeros. `sleeper` receives it; free it with
// `oversleep_sleeper_free`.
//
// If it fails, `sleeper` receives null: `OVERSLEEP_STATUS_BAD_ON_TIME`, `OVERSLEEP_STATUS_BAD_CPU_CEILING`,
// `OVERSLEEP_STATUS_BAD_SPIN_CEILING` or `OVERSLEEP_STATUS_BAD_EARLY_WINDOW` for an option out of its range,
// `OVERSLEEP_STATUS_ECO_AND_ON_TIME` for both, `OVERSLEEP_STATUS_BAD_SIZE` for options that were not initialised, or
// that are larger than this version's.
//
// # Safety
// `options` is null or points to options of the size that they state; `sleeper` is null or points to writable memory.
OVERSLEEP_MUST_USE
int oversleep_sleeper_new(const oversleep_sleeper_options *options,
                          oversleep_sleeper **sleeper);

// Frees a sleeper. Does nothing for null.
//
// # Safety
// `sleeper` is null or came from `oversleep_sleeper_new`, was not freed before, and no thread uses it.
void oversleep_sleeper_free(oversleep_sleeper *sleeper);

// Sleeps precisely for `ns` nanoseconds.
//
// `late` receives the end minus the deadline, in nanoseconds: positive if late, below zero only within an early
// window.
//
// A negative duration is a deadline that has passed: returns at once. Returns `OVERSLEEP_STATUS_TOO_LONG`, without
// waiting, for a duration beyond the clock's range.
//
// # Safety
// `sleeper` is null or a valid sleeper; `late` is null or points to writable memory.
OVERSLEEP_MUST_USE
int oversleep_sleeper_sleep_for(const oversleep_sleeper *sleeper,
                                int64_t ns,
                                int64_t *late);

// Sleeps precisely until `oversleep_now` reads `deadline`. Returns at once if the deadline has passed.
//
// `late` receives the end minus the deadline, in nanoseconds: positive if late, below zero only within an early
// window.
//
// Returns, without waiting, `OVERSLEEP_STATUS_TOO_FAR` for a deadline more than ten years ahead, as a time since 1970 is,
// and `OVERSLEEP_STATUS_TOO_LONG` for `INT64_MAX`.
//
// # Safety
// `sleeper` is null or a valid sleeper; `late` is null or points to writable memory.
OVERSLEEP_MUST_USE
int oversleep_sleeper_sleep_until(const oversleep_sleeper *sleeper,
                                  int64_t deadline,
                                  int64_t *late);

// Writes the statistics of a sleeper so far. Waits while another thread sleeps with it. Returns
// `OVERSLEEP_STATUS_BAD_SIZE` if the `size` of `stats` is smaller than that of the first version, and not 0.
//
// # Safety
// `sleeper` is null or a valid sleeper; `stats` is null or points to as many writable bytes as its `size` states.
OVERSLEEP_MUST_USE
int oversleep_sleeper_stats(const oversleep_sleeper *sleeper,
                            oversleep_sleep_stats *stats);

// Returns the meaning of a status as text. Never null, also for unknown numbers. Do not free it.
const char *oversleep_status_text(int status);

// Makes a ticker with `numerator / denominator` ticks a second; tick n is exactly at start + n × denominator /
// numerator s. For a period in nanoseconds, use `oversleep_ticker_new_every`.
//
// Null `options` mean the defaults, as do options of zeros: it starts now and leaves out missed ticks. `ticker`
// receives it; free it with `oversleep_ticker_free`.
//
// If it fails, `ticker` receives null: `OVERSLEEP_STATUS_NOT_POSITIVE` if the numerator or denominator is 0,
// `OVERSLEEP_STATUS_TOO_SHORT` for a rate above 10⁹, `OVERSLEEP_STATUS_TOO_LONG` for one below one in 292 years or a
// start of `INT64_MAX`, `OVERSLEEP_STATUS_TOO_FAR` for a start more than ten years ahead,
// `OVERSLEEP_STATUS_UNKNOWN_POLICY` for an unknown policy, and a status of `oversleep_sleeper_new` for the options of
// the sleeper.
//
// # Safety
// `options`, and its `sleeper`, are null or point to options of the size that they state; `ticker` is null or points
// to writable memory.
OVERSLEEP_MUST_USE
int oversleep_ticker_new(uint64_t numerator,
                         uint64_t denominator,
                         const oversleep_ticker_options *options,
                         oversleep_ticker **ticker);

// Makes a ticker with a tick every `period_ns` nanoseconds; otherwise like `oversleep_ticker_new`.
//
// If it fails, `ticker` receives null: `OVERSLEEP_STATUS_NOT_POSITIVE` for a period of zero or less,
// `OVERSLEEP_STATUS_TOO_LONG` for `INT64_MAX`, and a status of `oversleep_ticker_new` for its options.
//
// # Safety
// `options`, and its `sleeper`, are null or point to options of the size that they state; `ticker` is null or points
// to writable memory.
OVERSLEEP_MUST_USE
int oversleep_ticker_new_every(int64_t period_ns,
                               const oversleep_ticker_options *options,
                               oversleep_ticker **ticker);

// Makes a ticker that ticks when the wall clock reads a multiple of `period_ns` plus `phase_ns`: every full second for
// 10⁹ and 0. A negative phase is before each multiple. Otherwise like `oversleep_ticker_new`.
//
// If it fails, `ticker` receives null: `OVERSLEEP_STATUS_BAD_PHASE` for a phase that is not shorter than the period,
// `OVERSLEEP_STATUS_WALL_CLOCK` for a start or `OVERSLEEP_MISSED_DELAY`, which would leave the clock, and otherwise a
// status of `oversleep_ticker_new_every`.
//
// # Safety
// `options`, and its `sleeper`, are null or point to options of the size that they state; `ticker` is null or points
// to writable memory.
OVERSLEEP_MUST_USE
int oversleep_ticker_new_wall(int64_t period_ns,
                              int64_t phase_ns,
                              const oversleep_ticker_options *options,
                              oversleep_ticker **ticker);

// Waits for the next tick. Returns `OVERSLEEP_STATUS_ENDED`, without waiting, if the tick lies beyond the clock's
// range: 292 years after the clock's beginning, for the wall clock in 2262.
//
// # Safety
// `ticker` is null or a valid ticker; `tick` is null or points to writable memory.
OVERSLEEP_MUST_USE
int oversleep_ticker_next(const oversleep_ticker *ticker,
                          oversleep_tick *tick);

// Writes when the next tick is due, for a program that waits for other events, too: of `oversleep_now`, or of
// `oversleep_wall_now` for a wall-clock ticker. Waits while another thread waits for a tick. Returns
// `OVERSLEEP_STATUS_ENDED` if that lies beyond the clock's range.
//
// # Safety
// `ticker` is null or a valid ticker; `deadline_ns` is null or points to writable memory.
OVERSLEEP_MUST_USE int oversleep_ticker_next_deadline(const oversleep_ticker *ticker, int64_t *deadline_ns);

// Restarts the schedule, after a pause in which ticks were not wanted: the next tick is due one period from now, and
// none counts as missed. A wall-clock ticker goes on with the next multiple of its period. Waits while another thread
// waits for a tick.
//
// Returns `OVERSLEEP_STATUS_ENDED`, and changes nothing, if the next tick would lie beyond the clock's range.
//
// # Safety
// `ticker` is null or a valid ticker.
OVERSLEEP_MUST_USE
int oversleep_ticker_reset(const oversleep_ticker *ticker);

// Changes the rate to `numerator / denominator` ticks a second. The next tick is due one new period after the latest
// was; before the first tick, that stays where it is. A wall-clock ticker goes on with the next multiple of the new
// period. Waits while another thread waits for a tick.
//
// If it fails, the rate is unchanged. The statuses are those of `oversleep_ticker_new`; also
// `OVERSLEEP_STATUS_BAD_PHASE` if a wall-clock ticker's phase is not shorter than the new period, and
// `OVERSLEEP_STATUS_ENDED` if the next tick lies beyond the clock's range.
//
// # Safety
// `ticker` is null or a valid ticker.
OVERSLEEP_MUST_USE
int oversleep_ticker_set_rate(const oversleep_ticker *ticker,
                              uint64_t numerator,
                              uint64_t denominator);

// Changes the period to `period_ns` nanoseconds; otherwise like `oversleep_ticker_set_rate`, with the statuses of
// `oversleep_ticker_new_every`.
//
// # Safety
// `ticker` is null or a valid ticker.
OVERSLEEP_MUST_USE
int oversleep_ticker_set_period(const oversleep_ticker *ticker,
                                int64_t period_ns);

// Writes the statistics of the ticker's sleeps so far. Waits while another thread waits for a tick. Returns
// `OVERSLEEP_STATUS_BAD_SIZE` if the `size` of `stats` is smaller than that of the first version, and not 0.
//
// # Safety
// `ticker` is null or a valid ticker; `stats` is null or points to as many writable bytes as its `size` states.
OVERSLEEP_MUST_USE
int oversleep_ticker_stats(const oversleep_ticker *ticker,
                           oversleep_sleep_stats *stats);

// Frees a ticker. Does nothing for null.
//
// # Safety
// `ticker` is null or came from this library, was not freed before, and no thread uses it.
void oversleep_ticker_free(oversleep_ticker *ticker);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* OVERSLEEP_H */
