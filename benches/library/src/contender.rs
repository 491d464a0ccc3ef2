//! The contenders: ways to sleep for a duration.

use oversleep::{Nanos, Sleeper};
use oversleep_sys::clock::monotonic;
use std::time::Duration;

/// One way to sleep.
pub struct Contender {
    pub name: &'static str,
    /// Sleeps for the duration. Only this call is timed.
    pub sleep: Box<dyn FnMut(Duration)>,
}

fn contender(name: &'static str, sleep: impl FnMut(Duration) + 'static) -> Contender {
    Contender { name, sleep: Box::new(sleep) }
}

/// Names of the contenders that verdicts compare.
pub const SPIN: &str = "spin";
pub const STD: &str = "std";
pub const PLAIN: &str = "oversleep::kernel_sleep";
pub const SPIN_SLEEP: &str = "spin_sleep";
pub const DEFAULT: &str = "oversleep";
pub const ECO: &str = "oversleep eco";

/// Returns all contenders. Call it on the thread that will sleep.
pub fn all() -> Vec<Contender> {
    let everywhere = [
        contender(SPIN, |duration| {
            let deadline = monotonic() + Nanos::from(duration);
            while monotonic() < deadline {
                std::hint::spin_loop();
            }
        }),
        contender(STD, std::thread::sleep),
        contender(PLAIN, |duration| {
            let _ = oversleep::kernel_sleep(duration);
        }),
        contender(SPIN_SLEEP, spin_sleep::sleep),
        contender("spin_sleep hint", {
            let sleeper = spin_sleep::SpinSleeper::default().with_spin_strategy(spin_sleep::SpinStrategy::SpinLoopHint);
            move |duration| sleeper.sleep(duration)
        }),
        with(DEFAULT, Sleeper::new()),
        with("oversleep 0.97", Sleeper::builder().on_time(0.97).build()),
        with(ECO, Sleeper::builder().eco().build()),
        tokio(),
        contender("async-io", |duration| {
            async_io::block_on(async_io::Timer::after(duration));
        }),
    ];
    everywhere.into_iter().chain(of_this_system()).collect()
}

/// Returns the contender that only this system has, if any.
fn of_this_system() -> Option<Contender> {
    #[cfg(windows)]
    let special = crate::perfect::Perfect::new()
        .map(|perfect| contender("perfect sleep", move |duration| perfect.sleep(duration)));
    #[cfg(not(windows))]
    let special = None;
    special
}

fn with(name: &'static str, mut sleeper: Sleeper) -> Contender {
    contender(name, move |duration| {
        let _ = sleeper.sleep_for(duration);
    })
}

/// Returns tokio's sleep, on a runtime of this thread, so that its processor time counts as this thread's.
fn tokio() -> Contender {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime for timers");
    contender("tokio", move |duration| runtime.block_on(async { tokio::time::sleep(duration).await }))
}
