//! The parameters of a simulated kernel.

use super::vocabulary::{
    Api, KernelClock, Mechanism, PreciseCalls, Rounding, Scheduler, TickSource, TimeCounter, ZeroRequest, ZeroTicks,
};
use serde::{Deserialize, Serialize};

/// A simulated kernel's parameters. Any combination that [`super::Kernel::new`] accepts can be simulated.
///
/// The default is a kernel with a 100 Hz tick on an i8254 of exactly nominal rate, with a perfect 1 GHz counter as
/// its clock, `ceil_plus1` rounding, cached kernel time, and a few µs of latency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// Mechanism that wakes a sleeper.
    pub mechanism: Mechanism,

    /// Nominal rate of the tick, in Hz: 1 to 100 000.
    pub hz: u32,
    /// Source of the tick.
    pub source: TickSource,
    /// With `source = exact`: length of the tick in µs; 0 takes it from `hz`.
    pub tick_period_us: f64,
    /// Phase of the tick at true time 0, as a share of the tick: 0 at a tick, 0.5 half a tick after one. Negative:
    /// drawn from the seed.
    pub tick_phase: f64,
    /// True rate of the i8254's crystal, in Hz.
    pub f_i8254_true_hz: f64,
    /// Rate of the i8254 that the kernel assumes, in Hz.
    pub f_i8254_nom_hz: u32,
    /// True rate of the local APIC timer after its divisor, in Hz.
    pub lapic_true_hz: f64,
    /// Assumed rate of the local APIC over the true one, minus one, in addition to the effect of `cal_stalls_per_s`.
    pub cal_err: f64,
    /// Stalls of the processor per second while `DELAY` calibrates (system management interrupts).
    pub cal_stalls_per_s: f64,
    /// Length of each of these stalls, in µs. Whole i8254 periods within it are lost.
    pub cal_stall_us: f64,

    /// Counter behind the wall clock.
    pub tc: TimeCounter,
    /// With `tc = tsc`: true rate of the counter, in Hz.
    pub tc_true_hz: f64,
    /// With `tc = tsc`: rate of the counter that the kernel assumes, in Hz.
    pub tc_assumed_hz: u64,
    /// `ntptime -f`: how much faster the clock is made to run, in ppm.
    pub ntp_ppm: f64,
    /// Ticks between wind-ups of the cached time; 0 follows FreeBSD's rule: `(hz + 500) / 1000` above 1000 Hz, else 1.
    pub tc_tick: u32,
    /// Fraction of a second that the wall clock shows at true time 0, in seconds. Negative: drawn from the seed.
    pub wall_start_s: f64,
    /// Unit of the clock as programs read it, in ns: 1000 for `gettimeofday`, 1 for `clock_gettime`.
    pub read_unit_ns: u32,

    /// Rule by which a duration becomes ticks.
    pub round: Rounding,
    /// Clock that `nanosleep` compares.
    pub kclock: KernelClock,
    /// Whether a sleep reads the clock again when its ticks are over.
    pub api: Api,
    /// Meaning of a sleep of zero ticks.
    pub zero_ticks: ZeroTicks,
    /// Meaning of a request of zero.
    pub zero_request: ZeroRequest,
    /// `jiffies`: ticks that a duration lasts beyond the first one at or after its end: 0 to 10.
    pub extra_ticks: u32,
    /// Calls that end in time whatever the mechanism.
    pub precise_calls: PreciseCalls,
    /// Width of C's `long` in `tvtohz`, 32 or 64: above 2147 s the 32-bit one takes another branch.
    pub long_bits: u32,

    /// Time from a tick to the reading of the counter by its wind-up, in µs.
    pub irq_us: f64,
    /// Minimum time from a timer's interrupt until the program runs, in µs.
    pub lat_base_us: f64,
    /// Mean of the exponential part added to it, in µs.
    pub lat_exp_us: f64,
    /// Time added to it where the processor, or the host's, has slept deeply, in µs.
    pub idle_exit_us: f64,
    /// Length from which on a sleep costs all of `idle_exit_us`, in µs; a shorter one costs that share of it.
    pub idle_after_us: f64,
    /// Time from the sleep call to the kernel's entry, in µs.
    pub syscall_us: f64,
    /// Time from the reading of the clock to the sleep call, in µs.
    pub call_us: f64,
    /// Time from waking to the next reading of the clock, in µs: `printf` and other work.
    pub loop_us: f64,

    /// Period in ticks of a daemon that sleeps over and over; 0 for none. In kernels without a tick, of `1/hz` each.
    pub daemon_ticks: u32,
    /// How long it delays a sleeper that wakes on the same tick, in µs.
    pub daemon_us: f64,
    /// Time in s after which it begins, on the tick of the first wake-up, so that both share a tick.
    pub daemon_from_s: f64,

    /// `hrtimer`, `macos`: minimum slack, in µs: how late a timer may fire to save a wake-up.
    pub slack_us: f64,
    /// `hrtimer`: slack for `select` and similar calls, as a share of the duration.
    pub select_slack_frac: f64,
    /// `hrtimer`: upper limit of that slack, in µs.
    pub select_slack_cap_us: f64,
    /// `macos`: the slack is `2^-slack_shift` of the duration.
    pub slack_shift: i32,
    /// `macos`: upper limit of that slack, in µs.
    pub slack_cap_us: f64,
    /// `freebsd10`: `kern.timecounter.alloweddeviation`, in per cent.
    pub alloweddeviation: u32,
    /// `hrtimer`, `freebsd10`, `macos`: rate of interrupts that fire due timers before the slack is over, in Hz; 0 for
    /// none.
    pub event_rate_hz: f64,
    /// `systimer`: a remaining time below this, in µs, is spent yielding.
    pub sleep_hard_us: f64,

    /// Rule by which the next thread is chosen when a sleeper's time is over.
    pub scheduler: Scheduler,
    /// Quantum of the scheduler, in ms.
    pub quantum_ms: f64,
    /// `oneill`: probability that the sleeper runs at the end of a quantum.
    pub p_run: f64,
    /// Duration of a yield without other runnable threads, in µs.
    pub yield_us: f64,
    /// Mean duration of a yield with busy threads, in ms.
    pub yield_busy_ms: f64,
    /// Standard deviation of a yield with busy threads, in ms.
    pub yield_busy_sd_ms: f64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            mechanism: Mechanism::Tick,
            hz: 100,
            source: TickSource::I8254,
            tick_period_us: 0.0,
            tick_phase: -1.0,
            f_i8254_true_hz: 1_193_182.0,
            f_i8254_nom_hz: 1_193_182,
            lapic_true_hz: 100e6,
            cal_err: 0.0,
            cal_stalls_per_s: 0.0,
            cal_stall_us: 0.0,
            tc: TimeCounter::Tsc,
            tc_true_hz: 1e9,
            tc_assumed_hz: 1_000_000_000,
            ntp_ppm: 0.0,
            tc_tick: 1,
            wall_start_s: -1.0,
            read_unit_ns: 1_000,
            round: Rounding::CeilPlus1,
            kclock: KernelClock::Cached,
            api: Api::Nanosleep,
            zero_ticks: ZeroTicks::One,
            zero_request: ZeroRequest::Return,
            extra_ticks: 0,
            precise_calls: PreciseCalls::None,
            long_bits: 32,
            irq_us: 3.0,
            lat_base_us: 6.0,
            lat_exp_us: 1.0,
            idle_exit_us: 0.0,
            idle_after_us: 0.0,
            syscall_us: 0.8,
            call_us: 0.1,
            loop_us: 20.0,
            daemon_ticks: 0,
            daemon_us: 25.0,
            daemon_from_s: 0.0,
            slack_us: 0.0,
            select_slack_frac: 0.0,
            select_slack_cap_us: 0.0,
            slack_shift: 3,
            slack_cap_us: 1_000.0,
            alloweddeviation: 5,
            event_rate_hz: 0.0,
            sleep_hard_us: 100.0,
            scheduler: Scheduler::Preempt,
            quantum_ms: 20.0,
            p_run: 1.0,
            yield_us: 1.0,
            yield_busy_ms: 0.0,
            yield_busy_sd_ms: 0.0,
        }
    }
}
