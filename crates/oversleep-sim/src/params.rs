//! Every number a simulated kernel is made of.

use super::vocabulary::{Api, KernelClock, Mechanism, Rounding, Scheduler, TickSource, TimeCounter, ZeroTicks};
use serde::{Deserialize, Serialize};

/// A simulated kernel's parameters. Any combination that [`super::Kernel::new`] accepts can be simulated.
///
/// The default is a tick kernel of 100 Hz on an i8254 that is what it claims to be, with a perfect 1 GHz counter as
/// its clock, `ceil_plus1` rounding, cached kernel time, and a few microseconds of latency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// What wakes a sleeper.
    pub mechanism: Mechanism,

    /// Ticks per second asked for, 1 to 100 000.
    pub hz: u32,
    /// What makes the tick.
    pub source: TickSource,
    /// With `source = exact`: the tick's length in µs; 0 takes it from `hz`.
    pub tick_period_us: f64,
    /// Where in its tick the machine is when true time begins: 0 at a tick, 0.5 half a tick after one. Below zero:
    /// drawn from the seed.
    pub tick_phase: f64,
    /// The i8254 crystal's true rate.
    pub f_i8254_true_hz: f64,
    /// The rate the kernel believes it has.
    pub f_i8254_nom_hz: u32,
    /// The local APIC timer's true rate after its divisor.
    pub lapic_true_hz: f64,
    /// Believed rate of the local APIC over the true one, minus one, beside what `cal_stalls_per_s` makes of it.
    pub cal_err: f64,
    /// How often per second the processor stalls while `DELAY` calibrates (system management interrupts).
    pub cal_stalls_per_s: f64,
    /// How long each of these stalls lasts. Whole i8254 periods within it are lost.
    pub cal_stall_us: f64,

    /// The counter behind the wall clock.
    pub tc: TimeCounter,
    /// With `tc = tsc`: its true rate.
    pub tc_true_hz: f64,
    /// With `tc = tsc`: the rate the kernel believes it has.
    pub tc_assumed_hz: u64,
    /// `ntptime -f`: how much faster the clock is made to run.
    pub ntp_ppm: f64,
    /// Ticks between wind-ups of the cached time; 0 follows FreeBSD's rule: `(hz + 500) / 1000` above 1000 Hz, else 1.
    pub tc_tick: u32,
    /// What the wall clock reads at true time 0, in seconds within the second. Below zero: drawn from the seed.
    pub wall_start_s: f64,
    /// The unit of the clock as programs read it: 1000 for `gettimeofday`, 1 for `clock_gettime`.
    pub read_unit_ns: u32,

    /// How a duration becomes ticks.
    pub round: Rounding,
    /// The clock that `nanosleep` compares.
    pub kclock: KernelClock,
    /// Whether a sleep looks at the clock again when its ticks are over.
    pub api: Api,
    /// What a sleep of zero ticks is.
    pub zero_ticks: ZeroTicks,
    /// The width of C's `long` in `tvtohz`, 32 or 64: above 2147 s the 32-bit one takes another branch.
    pub long_bits: u32,

    /// From a tick to the reading of the counter that its wind-up takes.
    pub irq_us: f64,
    /// From a timer's interrupt to the program running: the least.
    pub lat_base_us: f64,
    /// The mean of the exponential part on top.
    pub lat_exp_us: f64,
    /// From the sleep call to the kernel's entry.
    pub syscall_us: f64,
    /// From the reading of the clock to the sleep call.
    pub call_us: f64,
    /// From waking to the next reading of the clock: `printf` and friends.
    pub loop_us: f64,

    /// A daemon that sleeps this many ticks over and over; 0 for none. In kernels without a tick, of `1/hz` each.
    pub daemon_ticks: u32,
    /// How long it delays a sleeper that wakes on the same tick.
    pub daemon_us: f64,
    /// It begins on the tick of the first wake-up after this much time, so that they share a tick.
    pub daemon_from_s: f64,

    /// `hrtimer`, `macos`: how late a timer may fire to save a wake-up, at least.
    pub slack_us: f64,
    /// `hrtimer`: the same for `select` and its kin, as a share of the duration.
    pub select_slack_frac: f64,
    /// `hrtimer`: and at most.
    pub select_slack_cap_us: f64,
    /// `macos`: the share of the duration is `2^-slack_shift`.
    pub slack_shift: i32,
    /// `macos`: and at most.
    pub slack_cap_us: f64,
    /// `freebsd10`: `kern.timecounter.alloweddeviation`, in per cent.
    pub alloweddeviation: u32,
    /// `hrtimer`, `freebsd10`, `macos`: interrupts per second that fire what is due, before the slack is over; 0 for none.
    pub event_rate_hz: f64,
    /// `systimer`: rests below this are yielded away.
    pub sleep_hard_us: f64,

    /// Which thread runs when a sleeper's time is over.
    pub scheduler: Scheduler,
    /// The scheduler's quantum.
    pub quantum_ms: f64,
    /// `oneill`: the probability to run at the end of a quantum.
    pub p_run: f64,
    /// How long a yield takes with nobody else to run.
    pub yield_us: f64,
    /// And with busy threads: the mean.
    pub yield_busy_ms: f64,
    /// And its standard deviation.
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
            long_bits: 32,
            irq_us: 3.0,
            lat_base_us: 6.0,
            lat_exp_us: 1.0,
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
