#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

pub mod clock;
mod lateness;
pub mod machine;
mod pacer;
mod sleep;
mod sleeper;
mod ticker;
mod time;

pub use clock::{Calibration, CounterClock, now, wall_now};
pub use lateness::Lateness;
pub use oversleep_sys::units::{Hertz, Nanos, ParseNanosError, RateError};
pub use pacer::{NotReady, Pacer, PacerBuilder, PacerError};
pub use sleep::{sleep_for, sleep_until, sleep_until_on};
pub use sleeper::{Ceiling, Limit, SleepStats, Sleeper, SleeperBuilder};
#[cfg(feature = "stream")]
#[cfg_attr(docsrs, doc(cfg(feature = "stream")))]
pub use ticker::TickStream;
pub use ticker::{
    Disturbed, LockedTicker, LockedTickerBuilder, Missed, Period, PeriodError, Tick, Ticker, TickerBuilder, WallTicker,
    WallTickerBuilder,
};
pub use time::{Atomic, Boot, Clock, Moment, Monotonic, Time, Wall, WallTime};
