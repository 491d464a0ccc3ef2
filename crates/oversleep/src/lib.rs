#![doc = include_str!("../README.md")]

pub mod clock;
mod lateness;
pub mod machine;
mod pacer;
mod sleep;
mod sleeper;
mod sync;
mod ticker;
mod time;

pub use clock::{Calibration, CounterClock, now, wall_now};
pub use lateness::Lateness;
pub use oversleep_sys::units::{Hertz, Nanos, ParseNanosError, RateError};
pub use pacer::{NotReady, Pacer, PacerError};
pub use sleep::{sleep_for, sleep_until, sleep_until_on};
pub use sleeper::{Achieved, Ceiling, Limit, Sleeper, SleeperBuilder};
pub use ticker::{Disturbed, LockedTicker, Missed, Period, PeriodError, Tick, Ticker, WallTicker};
pub use time::{Atomic, Boot, Clock, Moment, Monotonic, Time, Wall, WallTime};
