#![doc = include_str!("../README.md")]

pub mod clock;
mod lateness;
pub mod machine;
mod pacer;
pub mod rate;
mod sleep;
mod sleeper;
mod sync;
mod ticker;

pub use clock::{Calibration, CounterClock, now};
pub use lateness::Lateness;
pub use oversleep_sys::units::{Hertz, Nanos, ParseNanosError};
pub use pacer::{NotReady, Pacer, PacerError};
pub use sleep::{SleepClock, sleep_for, sleep_until};
pub use sleeper::{Achieved, Sleeper};
pub use ticker::{Disturbed, LockedTicker, Missed, Period, PeriodError, Tick, Ticker, WallTicker};
