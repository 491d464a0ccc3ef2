//! Pauses between two readings of a clock, without entering the kernel.

#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
#[cfg_attr(all(target_arch = "aarch64", any(target_os = "linux", target_os = "android")), path = "aarch64.rs")]
#[cfg_attr(
    not(any(target_arch = "x86_64", all(target_arch = "aarch64", any(target_os = "linux", target_os = "android")))),
    path = "hint.rs"
)]
mod here;

use crate::clock::counter;
use crate::units::{Hertz, Nanos};
use std::sync::OnceLock;

/// Tells the processor that this thread is waiting; takes some tens of nanoseconds.
///
/// `pause` on x86 (26 ns where it was measured), `isb` on 64-bit Arm. It never enters the kernel: a yield would
/// give the processor to a busy neighbour for its whole time slice (measured: 3 to 8 ms with two busy threads on two
/// processors, Linux 6.18).
///
/// Pauses should be more than 128 cycles apart: on AMD processors, KVM takes control after 3000 that are closer
/// (`pause_filter_count` and `pause_filter_thresh`, `arch/x86/kvm/svm/svm.c`, Linux 6.1), also from programs, whereas
/// Intel's counterpart watches the kernel alone. Measured as a guest on an EPYC: with one reading of the clock between
/// pauses, 2 to 5 µs were lost 118 µs and 350 µs after each sleep; with two readings, none.
#[inline]
pub fn pause() {
    std::hint::spin_loop();
}

/// A way of telling a processor to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PauseKind {
    /// Until its counter has reached a value: `tpause` on x86 with WAITPKG (Intel SDM volume 2B), `wfet` on 64-bit
    /// Arm with `FEAT_WFxT`. The processor rests: less power, and more of the core for its other hardware thread.
    Timed,
    /// Until the next of the timer events that the kernel has sent to every processor: `wfe` on 64-bit Arm.
    Events,
    /// For some tens of nanoseconds: [`pause`].
    Hint,
}

/// The waiting instructions that a processor and its kernel offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Offer {
    timed: bool,
    events: bool,
}

/// The way of waiting that was chosen for a processor.
///
/// A wait reads the clock after each pause and requests the remaining time. A pause may always be shorter than
/// requested: an interrupt ends it, and so does the longest time that the system allows a `tpause`
/// (`IA32_UMWAIT_CONTROL`; 100 000 counts on Linux, about 40 µs).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pausing {
    way: PauseKind,
    /// Counts per nanosecond × 2³². The product with one second fits into the arithmetic for counters up to 4 GHz.
    counts: u64,
}

/// Last part of a wait, spent in short pauses, because returning from a timed rest takes a time that no manual states.
const LAST: Nanos = Nanos::MICROSECOND;
/// Divisor: an eighth of any rest is left too, so that a counter whose stated rate is wrong by that much causes no
/// lateness.
const LEFT_OVER: i64 = 8;
/// Longest time to the next timer event. Linux has the timer send events every 100 µs, rounded to the nearest power of
/// two of its counts: at most 142 µs (`ARCH_TIMER_EVT_STREAM_PERIOD_US`, Linux 6.18).
const EVENT_WITHIN: Nanos = Nanos::from_micros(142);
/// Longest single rest, so that the arithmetic cannot overflow.
const LONGEST: Nanos = Nanos::SECOND;

impl Pausing {
    /// Returns the best way that this processor and system offer, determined at first use.
    #[inline]
    pub fn here() -> Self {
        static HERE: OnceLock<Pausing> = OnceLock::new();
        *HERE.get_or_init(|| Self::choose(here::offer(), counter::nominal()))
    }

    /// Chooses a way. A timed rest needs the rate of the counter in which it is expressed.
    fn choose(offer: Offer, rate: Option<Hertz>) -> Self {
        let counts = rate.map_or(0, counts_per_ns);
        let way = match offer {
            Offer { timed: true, .. } if counts > 0 => PauseKind::Timed,
            Offer { events: true, .. } => PauseKind::Events,
            _ => PauseKind::Hint,
        };
        Self { way, counts }
    }

    /// Returns the way.
    pub const fn way(self) -> PauseKind {
        self.way
    }

    /// Pauses on the processor for at most `rest`, or for one [`pause`] if that is longer.
    #[inline]
    pub fn pause_for(self, rest: Nanos) {
        match self.way {
            PauseKind::Timed => match self.counts_to_rest(rest) {
                0 => pause(),
                counts => here::rest_until(counter::read_unordered().wrapping_add(counts)),
            },
            PauseKind::Events if rest > EVENT_WITHIN => here::rest_until_event(),
            PauseKind::Events | PauseKind::Hint => pause(),
        }
    }

    /// Returns for how many counts to rest; 0 where resting is not worthwhile.
    #[inline]
    fn counts_to_rest(self, rest: Nanos) -> u64 {
        let rest = rest.min(LONGEST);
        let kept = LAST.max(Nanos::new(rest.get() / LEFT_OVER));
        let Ok(ns) = u64::try_from(rest.saturating_sub(kept).get()) else { return 0 };
        // 30 bits times 64 bits: the shifted product is below 2⁶² for any counter below 4 GHz, and saturates otherwise.
        u64::try_from((u128::from(ns) * u128::from(self.counts)) >> 32).unwrap_or(u64::MAX)
    }
}

/// Returns counts per nanosecond × 2³²; 0 for a rate too low to be represented.
fn counts_per_ns(rate: Hertz) -> u64 {
    let per_ns = (u128::from(rate.numerator()) << 32) / (u128::from(rate.denominator()) * 1_000_000_000);
    u64::try_from(per_ns).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::monotonic;

    fn gigahertz(n: u64) -> Option<Hertz> {
        Hertz::new(n * 1_000_000_000, 1)
    }

    #[test]
    fn the_best_way_offered_is_chosen_and_needs_a_rate_to_be_timed() {
        let way = |timed, events, rate| Pausing::choose(Offer { timed, events }, rate).way();
        assert_eq!(way(true, true, gigahertz(3)), PauseKind::Timed);
        assert_eq!(way(true, false, None), PauseKind::Hint);
        assert_eq!(way(true, true, None), PauseKind::Events);
        assert_eq!(way(true, false, Hertz::new(1, 1_000)), PauseKind::Hint);
        assert_eq!(way(false, true, gigahertz(1)), PauseKind::Events);
        assert_eq!(way(false, false, gigahertz(3)), PauseKind::Hint);
    }

    #[test]
    fn a_rest_leaves_an_eighth_and_at_least_a_microsecond() {
        let timed = Pausing::choose(Offer { timed: true, events: false }, gigahertz(2));
        let counts = |ns| timed.counts_to_rest(Nanos::new(ns));
        assert_eq!(counts(80_000), 140_000);
        assert_eq!(counts(4_000), 6_000);
        assert_eq!(counts(1_000), 0);
        assert_eq!(counts(1_001), 2);
        assert_eq!(counts(0), 0);
        assert_eq!(counts(-5), 0);
        assert_eq!(timed.counts_to_rest(Nanos::MIN), 0);
        assert_eq!(timed.counts_to_rest(Nanos::MAX), 1_750_000_000);
        // A generic timer of 54 MHz.
        let arm = Pausing::choose(Offer { timed: true, events: true }, Hertz::new(54_000_000, 1));
        assert_eq!(arm.counts_to_rest(Nanos::from_micros(80)), 3_779);
    }

    #[test]
    fn no_rate_overflows() {
        let fastest = Pausing::choose(Offer { timed: true, events: false }, Hertz::new(u64::MAX, 1));
        assert!(fastest.counts_to_rest(Nanos::MAX) > 0);
    }

    /// Waits for a time by pauses: returns the lateness, and the number of readings of the clock.
    fn waited(way: Pausing, wait: Nanos) -> (Nanos, u64) {
        let deadline = monotonic() + wait;
        let mut looks = 1;
        loop {
            let rest = deadline - monotonic();
            if rest <= Nanos::ZERO {
                return (-rest, looks);
            }
            way.pause_for(rest);
            looks += 1;
        }
    }

    /// Tests every way that this processor has; a fallback behaves like the others.
    ///
    /// That a rest really rests, and until the right time, is visible in the number of readings and in the lateness.
    /// Both are printed and not asserted: no manual promises that a rest takes any time, and qemu 10 ends `wfe` and
    /// `wfet` at once. `cargo xtask check --only tpause` asserts them for a processor whose time counts its own
    /// instructions.
    #[test]
    fn a_wait_made_of_pauses_ends_at_its_deadline() {
        let here = Pausing::here();
        println!("this processor waits by {here:?}");
        for way in [here, Pausing { way: PauseKind::Hint, ..here }] {
            for us in [0, 1, 5] {
                assert!(waited(way, Nanos::from_micros(us)).0 >= Nanos::ZERO);
            }
            let (late, looks) = (0..10).map(|_| waited(way, Nanos::from_micros(300))).min().unwrap();
            println!("{:?}: {} ns late after {looks} looks at the clock in 300 µs", way.way(), late.get());
            way.pause_for(Nanos::MIN);
        }
    }

    /// The kernel reads the same bits, and clears those of features that programs may not use.
    #[cfg(all(any(target_os = "linux", target_os = "android"), any(target_arch = "x86_64", target_arch = "aarch64")))]
    #[test]
    fn the_offer_is_what_the_kernel_found() {
        let text = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let listed = text.lines().find(|line| line.starts_with("flags") || line.starts_with("Features"));
        let has = |flag: &str| listed.is_some_and(|line| line.split_whitespace().any(|word| word == flag));
        // A flag of the other kind of processor is in neither list.
        let stated = Offer { timed: has("waitpkg") || has("wfxt"), events: has("evtstrm") };
        assert!(listed.is_some());
        assert_eq!(here::offer(), stated);
        if !stated.timed {
            println!("not tested: this processor has no timed wait");
        }
    }
}
