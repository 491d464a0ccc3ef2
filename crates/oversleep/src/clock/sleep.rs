//! Sleeping on any clock.

use crate::Lateness;
use crate::clock::{Clock, Time};
use oversleep_sys::wait;

/// Sleeps until a clock reads `deadline` or later, in one absolute wait of the kernel with the least slack that it
/// allows. Returns `None`, without waiting, where the system lacks the clock.
///
/// The wall clock can be set during the sleep: the lateness is computed from the clock at the end, and is large after a
/// step forward. Linux, the BSDs and illumos end the wait at the step; macOS and Windows within a second of it.
///
/// ```
/// use oversleep::clock::{kernel_sleep_until, wall_now};
/// use std::time::Duration;
///
/// let lateness = kernel_sleep_until(wall_now() + Duration::from_micros(100)).unwrap();
/// println!("{lateness}");
/// ```
pub fn kernel_sleep_until<C: Clock>(deadline: Time<C>) -> Option<Lateness> {
    if !wait::with_least_slack(|| wait::until_on(Time::<C>::TIMER, deadline.as_nanos())) {
        return None;
    }
    Time::now().map(|now| Lateness::between(deadline, now))
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::Nanos;
    use crate::clock::{Atomic, Boot, Monotonic, Wall};

    fn goes_on_for_as_long_as_asked<C: Clock>() {
        let Some(before) = Time::<C>::now() else {
            return assert_eq!(kernel_sleep_until(Time::<C>::from_nanos(Nanos::ZERO)), None);
        };
        let deadline = before + Nanos::from_micros(300);
        let lateness = kernel_sleep_until(deadline).unwrap();
        // Nobody sets the clock meanwhile.
        assert!(lateness >= Nanos::ZERO && Time::<C>::now().unwrap() >= deadline, "{before:?} {lateness}");
    }

    #[test]
    fn every_clock_goes_on_for_as_long_as_asked() {
        goes_on_for_as_long_as_asked::<Monotonic>();
        goes_on_for_as_long_as_asked::<Wall>();
        goes_on_for_as_long_as_asked::<Boot>();
        goes_on_for_as_long_as_asked::<Atomic>();
    }
}
