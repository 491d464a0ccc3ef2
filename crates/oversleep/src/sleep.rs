//! Sleeping without a sleeper of one's own: precisely, with one that each thread has, or plainly, with the kernel's call.

use crate::machine::{Machine, ThisMachine};
use crate::{Lateness, Moment, Nanos, Sleeper};
use std::cell::RefCell;

thread_local! {
    /// The sleeper of the thread's calls of [`sleep`] and [`sleep_until`].
    static SLEEPER: RefCell<Sleeper> = RefCell::new(Sleeper::new());
}

/// Sleeps precisely for a duration, and returns how late the sleep ended.
///
/// Each thread has a [`Sleeper`] with the default options for these calls: it learns how late the thread wakes, wakes
/// earlier by that, and waits for the rest. For other options or for statistics, make a [`Sleeper`]. While a thread ends
/// and its own sleeper is gone already, this is [`kernel_sleep`].
///
/// Signals do not shorten the sleep. Zero or negative: returns at once with the lateness, as [`sleep_until`] does for a
/// deadline that has passed. Beyond 292 years: sleeps for ever.
///
/// ```
/// use std::time::Duration;
///
/// let lateness = oversleep::sleep(Duration::from_micros(200));
/// println!("{lateness}"); // "62 ns late"
/// # assert!(lateness >= Duration::ZERO);
/// ```
pub fn sleep(duration: impl Into<Nanos>) -> Lateness {
    sleep_until(crate::now() + duration.into())
}

/// Sleeps precisely until the monotonic clock ([`now`](crate::now)) reads `deadline`; otherwise like [`sleep`].
///
/// If the deadline has passed, returns at once and says by how much.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// let deadline = Instant::now() + Duration::from_micros(200);
/// oversleep::sleep_until(deadline);
/// assert!(Instant::now() >= deadline);
/// ```
pub fn sleep_until(deadline: impl Into<Moment>) -> Lateness {
    let deadline = deadline.into();
    // `Err`: this thread's sleeper has been destroyed.
    let slept =
        SLEEPER.try_with(|sleeper| sleeper.try_borrow_mut().ok().map(|mut sleeper| sleeper.sleep_until(deadline)));
    slept.ok().flatten().unwrap_or_else(|| kernel_sleep_until(deadline))
}

/// Sleeps for a duration, in one absolute wait of the kernel with the least slack that it allows.
///
/// The sleep ends when the kernel wakes the thread, some tens of microseconds late on most machines, and costs no more
/// processor time than that. Signals do not shorten it. Zero or negative: returns at once with the lateness.
///
/// ```
/// use std::time::Duration;
///
/// let lateness = oversleep::kernel_sleep(Duration::from_micros(200));
/// println!("{lateness}"); // "31.4 µs late"
/// # assert!(lateness >= Duration::ZERO);
/// ```
pub fn kernel_sleep(duration: impl Into<Nanos>) -> Lateness {
    kernel_sleep_until(crate::now() + duration.into())
}

/// Sleeps until the monotonic clock ([`now`](crate::now)) reads `deadline`; otherwise like [`kernel_sleep`]. On other
/// clocks: [`clock::kernel_sleep_until`](crate::clock::kernel_sleep_until).
pub fn kernel_sleep_until(deadline: impl Into<Moment>) -> Lateness {
    let deadline = deadline.into();
    ThisMachine.sleep_until_tight(deadline);
    Lateness::between(deadline, crate::now())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::{Duration, Instant};

    /// The two ways to sleep for a duration, and the two to sleep until a moment.
    const FOR: [fn(Nanos) -> Lateness; 2] = [|span| sleep(span), |span| kernel_sleep(span)];
    const UNTIL: [fn(Moment) -> Lateness; 2] =
        [|deadline| sleep_until(deadline), |deadline| kernel_sleep_until(deadline)];

    #[test]
    fn past_zero_and_negative_return_at_once_and_tell() {
        for until in UNTIL {
            for deadline in [Nanos::ZERO, Nanos::MIN] {
                assert!(until(Moment::from_nanos(deadline)) > Nanos::ZERO);
            }
        }
        for sleep in FOR {
            assert!(sleep(Nanos::ZERO) >= Nanos::ZERO);
            assert!(sleep(Nanos::new(-5)) >= Nanos::new(5));
            assert_eq!(sleep(Nanos::MIN), Nanos::MAX);
        }
    }

    #[test]
    fn an_instant_of_the_standard_library_is_a_deadline() {
        for until in [|at: Instant| sleep_until(at), |at: Instant| kernel_sleep_until(at)] {
            let instant = Instant::now() + Duration::from_micros(300);
            assert!(until(instant) >= Duration::ZERO);
            assert!(Instant::now() >= instant);
        }
    }

    #[test]
    fn no_sleep_is_early() {
        for sleep in FOR {
            for us in [1, 50, 700] {
                let before = crate::now();
                let lateness = sleep(Nanos::from_micros(us));
                assert!(lateness >= Nanos::ZERO && crate::now() >= before + Nanos::from_micros(us), "{us} {lateness}");
            }
        }
    }

    #[test]
    fn a_thread_learns_with_a_sleeper_of_its_own() {
        let learnt_from = || SLEEPER.with_borrow(|sleeper| sleeper.stats().sleeps());
        let learns = move || {
            let before = learnt_from();
            // A thread interrupted for the whole sleep before it could begin has nothing to learn from.
            for _ in 0..10_000 {
                sleep(Nanos::from_micros(200));
                if learnt_from() > before {
                    break;
                }
            }
            (before, learnt_from())
        };
        for _ in 0..2 {
            assert_eq!(std::thread::spawn(learns).join().unwrap(), (0, 1));
        }
    }

    /// Sleeps when it is dropped, and tells.
    struct SleepsAtTheEnd(mpsc::Sender<bool>);

    impl Drop for SleepsAtTheEnd {
        fn drop(&mut self) {
            let deadline = crate::now() + Nanos::from_micros(200);
            let lateness = sleep_until(deadline);
            let _ = self.0.send(lateness >= Nanos::ZERO && crate::now() >= deadline);
        }
    }

    /// Thread-local values are dropped in an order that the system chooses; here they are made before and after the
    /// sleeper, so that one of them is dropped after it.
    #[test]
    fn a_thread_can_sleep_while_it_ends() {
        thread_local! {
            static BEFORE: RefCell<Option<SleepsAtTheEnd>> = const { RefCell::new(None) };
            static AFTER: RefCell<Option<SleepsAtTheEnd>> = const { RefCell::new(None) };
        }
        let (sender, ended) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            BEFORE.set(Some(SleepsAtTheEnd(sender.clone())));
            sleep(Nanos::from_micros(100));
            AFTER.set(Some(SleepsAtTheEnd(sender)));
        });
        thread.join().unwrap();
        assert_eq!(ended.into_iter().collect::<Vec<_>>(), [true, true]);
    }
}
