//! The contenders: ways to wait until a deadline, as a program's loop would.

use crate::sdl;
use clap::ValueEnum;
use oversleep::{Hertz, Moment, Nanos, Period, Sleeper, Ticker};
use oversleep_sys::clock::monotonic as now;
use oversleep_sys::wait;
use spin_sleep::{SpinSleeper, SpinStrategy};
use std::time::Duration;

/// A way to wait until a deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// This library's default sleeper.
    Oversleep,
    /// This library's sleeper with the share 0.99 asked for.
    OnTime99,
    /// This library's default ticker.
    Ticker,
    /// This library's eco sleeper.
    Eco,
    /// `std::thread::sleep` for what remains.
    Std,
    /// `clock_nanosleep` until the deadline, with the thread's own slack.
    ClockNanosleepAbs,
    /// `spin_sleep` with the native accuracy 25 µs and the pause hint.
    #[value(name = "spin-sleep-25")]
    SpinSleep25,
    /// The same with 50 µs.
    #[value(name = "spin-sleep-50")]
    SpinSleep50,
    /// The same with 125 µs.
    #[value(name = "spin-sleep-125")]
    SpinSleep125,
    /// The same with 250 µs.
    #[value(name = "spin-sleep-250")]
    SpinSleep250,
    /// The same with 500 µs.
    #[value(name = "spin-sleep-500")]
    SpinSleep500,
    /// `spin_sleep` with 125 µs, yielding.
    #[value(name = "spin-sleep-125-yield")]
    SpinSleep125Yield,
    /// SDL's precise delay.
    Sdl,
    /// tokio's `sleep_until` on a runtime of this thread.
    Tokio,
    /// async-io's timer, blocked on.
    AsyncIo,
    /// The waitable timer and spinning of many Windows programs.
    #[cfg(windows)]
    PerfectSleep,
}

/// Waits until the monotonic clock reads a deadline, of a schedule with this origin.
pub type Wait = Box<dyn FnMut(Nanos, Nanos)>;

impl Kind {
    /// Returns the name of its rows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Oversleep => "oversleep",
            Self::OnTime99 => "oversleep, on_time(0.99)",
            Self::Ticker => "oversleep Ticker",
            Self::Eco => "oversleep, eco",
            Self::Std => "std",
            Self::ClockNanosleepAbs => "clock_nanosleep, absolute",
            Self::SpinSleep25 => "spin_sleep 25 µs, hint",
            Self::SpinSleep50 => "spin_sleep 50 µs, hint",
            Self::SpinSleep125 => "spin_sleep 125 µs, hint",
            Self::SpinSleep250 => "spin_sleep 250 µs, hint",
            Self::SpinSleep500 => "spin_sleep 500 µs, hint",
            Self::SpinSleep125Yield => "spin_sleep 125 µs, yield",
            Self::Sdl => sdl::NAME,
            Self::Tokio => "tokio sleep_until",
            Self::AsyncIo => "async-io Timer",
            #[cfg(windows)]
            Self::PerfectSleep => "perfect sleep",
        }
    }

    /// Returns whether it is one of this library's.
    pub fn is_ours(self) -> bool {
        matches!(self, Self::Oversleep | Self::OnTime99 | Self::Ticker | Self::Eco)
    }

    /// Returns its wait, for the calling thread; `None` if this system lacks what it needs.
    pub fn build(self, rate: Hertz) -> Option<Wait> {
        Some(match self {
            Self::Oversleep => sleeper(Sleeper::new()),
            Self::OnTime99 => sleeper(Sleeper::builder().on_time(0.99).build()),
            Self::Eco => sleeper(Sleeper::builder().eco().build()),
            Self::Ticker => ticker(rate),
            Self::Std => for_the_rest(std::thread::sleep),
            Self::ClockNanosleepAbs => Box::new(|_, deadline| wait::until(deadline)),
            Self::SpinSleep25 => spin_sleep(25, SpinStrategy::SpinLoopHint),
            Self::SpinSleep50 => spin_sleep(50, SpinStrategy::SpinLoopHint),
            Self::SpinSleep125 => spin_sleep(125, SpinStrategy::SpinLoopHint),
            Self::SpinSleep250 => spin_sleep(250, SpinStrategy::SpinLoopHint),
            Self::SpinSleep500 => spin_sleep(500, SpinStrategy::SpinLoopHint),
            Self::SpinSleep125Yield => spin_sleep(125, SpinStrategy::YieldThread),
            Self::Sdl => for_the_rest(sdl::delay_precise),
            Self::Tokio => tokio(),
            Self::AsyncIo => for_the_rest(|rest| {
                async_io::block_on(async_io::Timer::after(rest));
            }),
            #[cfg(windows)]
            Self::PerfectSleep => {
                let perfect = crate::perfect::Perfect::new()?;
                for_the_rest(move |rest| perfect.sleep(rest))
            }
        })
    }
}

fn sleeper(mut sleeper: Sleeper) -> Wait {
    Box::new(move |_, deadline| {
        let _ = sleeper.sleep_until(Moment::from_nanos(deadline));
    })
}

/// Returns a ticker on the loop's own schedule: where that was moved, one period is as long as it must be. Ticks that were
/// due before the wait was asked for are taken first, at once: the loop counts them as missed.
fn ticker(rate: Hertz) -> Wait {
    let period = Period::try_from(rate).expect("a period of the loop");
    let mut ticker = None;
    let mut last = (Nanos::ZERO, Nanos::ZERO);
    Box::new(move |origin, deadline| {
        let due = Moment::from_nanos(deadline);
        let ticker = ticker.get_or_insert_with(|| Ticker::builder(period).starting_at(due).build());
        let before = std::mem::replace(&mut last, (origin, deadline));
        ticker.set_period(if before.0 == origin { period } else { Period::every(deadline - before.1) });
        // Compares what the tick says, so that nothing is computed after the last one.
        while ticker.tick().is_some_and(|tick| tick.deadline < due) {}
    })
}

fn spin_sleep(accuracy_us: u32, strategy: SpinStrategy) -> Wait {
    let sleeper = SpinSleeper::new(1_000 * accuracy_us).with_spin_strategy(strategy);
    for_the_rest(move |rest| sleeper.sleep(rest))
}

/// Returns tokio's timer on a runtime of this thread, so that its processor time counts as this thread's.
fn tokio() -> Wait {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime for timers");
    for_the_rest(move |rest| {
        runtime.block_on(async { tokio::time::sleep_until(tokio::time::Instant::now() + rest).await });
    })
}

/// Waits with a call that takes a duration: what remains until the deadline.
fn for_the_rest(mut sleep: impl FnMut(Duration) + 'static) -> Wait {
    Box::new(move |_, deadline| {
        if let Some(rest) = (deadline - now()).to_duration() {
            sleep(rest);
        }
    })
}
