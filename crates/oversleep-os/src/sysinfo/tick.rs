//! The length of the kernel's tick, claimed and measured.

#[cfg(not(windows))]
use super::sysctl;
use oversleep_sys::Refusal;
use oversleep_sys::units::{Hertz, Nanos};

/// The longest time for which [`measure`] watches.
pub const LONGEST: Nanos = Nanos::from_millis(60);

/// Returns the tick's length as the kernel claims it.
#[cfg(target_os = "linux")]
pub(crate) fn claimed() -> Option<Nanos> {
    let _ = sysctl::first_int; // the other systems' way
    oversleep_sys::clock::unix::resolution(libc::CLOCK_MONOTONIC_COARSE)
}

/// Returns the tick's length as the kernel claims it.
#[cfg(not(any(target_os = "linux", windows)))]
pub(super) fn claimed() -> Option<Nanos> {
    let hz = u64::try_from(sysctl::first_int("kern.clockrate")?).ok()?;
    Nanos::from_ticks(1, Hertz::new(hz, 1)?)
}

/// Returns the tick's length while no process requests a finer one.
#[cfg(windows)]
pub(super) fn claimed() -> Option<Nanos> {
    crate::settings::timer_resolution::read().ok().map(|timers| timers.coarsest)
}

/// Watches the clock that only ticks advance, and returns its usual step. It spins until a few consecutive steps were
/// alike, at most for `budget` (limited to [`LONGEST`]).
///
/// The result is the lower quartile of the steps: a late tick makes one long step, and the ticks that a host withholds
/// make many, but none makes several short ones. The step follows the
/// kernel's steering of its clock, so it is the nominal length within some hundred parts per million.
///
/// # Errors
/// [`Refusal::Unavailable`] where no clock is advanced by ticks alone; [`Refusal::Failed`] if fewer than three steps
/// were seen.
pub fn measure(budget: Nanos) -> Result<Nanos, Refusal> {
    let read = coarse().ok_or_else(|| Refusal::Unavailable("no clock of this system moves with the tick".into()))?;
    let end = oversleep_sys::clock::monotonic() + budget.min(LONGEST).max(Nanos::ZERO);
    let mut last = read();
    let mut steps = Vec::new();
    while oversleep_sys::clock::monotonic() < end && !settled(&steps) {
        let now = read();
        if now != last {
            steps.push(now - last);
            last = now;
        }
        std::hint::spin_loop();
    }
    // The first step began before the watch, but it is measured on the clock itself and therefore complete.
    usual(&mut steps).ok_or_else(|| Refusal::Failed(format!("the tick moved {} times in {budget}", steps.len())))
}

/// Returns the rate for a step, to the nearest cycle per second.
pub fn rate(step: Nanos) -> Option<Hertz> {
    let step = u64::try_from(step.get()).ok().filter(|step| *step > 0)?;
    Hertz::new((1_000_000_000 + step / 2) / step, 1)
}

/// The number of equal steps after which watching ends.
const ALIKE: usize = 5;

/// Returns whether the latest steps were alike: within a thousandth, far more than a clock is steered between ticks.
fn settled(steps: &[Nanos]) -> bool {
    let Some(latest) = steps.last_chunk::<ALIKE>() else { return false };
    let near = |step: &Nanos| (step.get() - latest[0].get()).abs() <= latest[0].get() / 1_000;
    latest.iter().all(near)
}

fn usual(steps: &mut [Nanos]) -> Option<Nanos> {
    steps.sort_unstable();
    (steps.len() >= 3).then(|| steps[(steps.len() - 1) / 4])
}

#[cfg(target_os = "linux")]
const COARSE: libc::clockid_t = libc::CLOCK_MONOTONIC_COARSE;
#[cfg(target_os = "freebsd")]
const COARSE: libc::clockid_t = libc::CLOCK_MONOTONIC_FAST;

#[cfg(any(target_os = "linux", target_os = "freebsd"))]
#[allow(clippy::unnecessary_wraps)] // other systems have none
fn coarse() -> Option<impl Fn() -> Nanos> {
    Some(|| {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the system writes the structure; on failure it stays zero.
        unsafe { libc::clock_gettime(COARSE, &raw mut time) };
        Nanos::new(i64::from(time.tv_sec) * 1_000_000_000 + i64::from(time.tv_nsec))
    })
}

#[cfg(not(any(target_os = "linux", target_os = "freebsd")))]
fn coarse() -> Option<fn() -> Nanos> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_alike_end_the_watch() {
        let us = Nanos::from_micros;
        assert!(settled(&[us(9_000), us(4_000), us(4_001), us(3_999), us(4_000), us(4_000)]));
        assert!(!settled(&[us(4_000), us(4_000), us(4_000), us(4_000)]));
        assert!(!settled(&[us(4_000), us(4_000), us(8_000), us(4_000), us(4_000)]));
    }

    #[test]
    fn the_usual_step_ignores_late_ticks() {
        let ms = Nanos::from_millis;
        assert_eq!(usual(&mut [ms(4), ms(12), ms(4), ms(4), ms(8)]), Some(ms(4)));
        assert_eq!(usual(&mut [ms(8), ms(8), ms(4), ms(8), ms(4), ms(12), ms(8)]), Some(ms(4)));
        // A clock that shows the time of its ticks: what one step has too much, the next lacks.
        assert_eq!(usual(&mut [ms(4), ms(7), ms(1), ms(4), ms(4), ms(4)]), Some(ms(4)));
        assert_eq!(usual(&mut [ms(4), ms(4)]), None);
    }

    #[test]
    fn steps_become_whole_rates() {
        assert_eq!(rate(Nanos::new(3_999_980)), Hertz::new(250, 1));
        assert_eq!(rate(Nanos::new(3_333_333)), Hertz::new(300, 1));
        assert_eq!(rate(Nanos::ZERO), None);
    }

    #[test]
    fn a_measured_step_is_a_multiple_of_the_claimed_one() {
        match (measure(LONGEST), claimed()) {
            (Ok(step), Some(claimed)) => {
                // Late ticks on a busy host give whole multiples; steering is below 500 ppm (NTP's own limit)
                // plus 10 % for a machine whose tick was tuned by `adjtimex`.
                let ratio = step.as_f64() / claimed.as_f64();
                assert!(ratio >= 0.9 && (ratio - ratio.round()).abs() < 0.1 * ratio, "{step} of {claimed}");
            }
            (Err(refusal), _) => println!("skipped: {refusal}"),
            (_, None) => println!("skipped: no tick is claimed here"),
        }
    }
}
