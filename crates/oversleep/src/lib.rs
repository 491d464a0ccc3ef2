#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

pub mod clock;
mod control;
mod lateness;
pub mod machine;
mod option_error;
pub mod pacer;
mod sleep;
mod sleeper;
pub mod ticker;

pub use clock::{Moment, now};
pub use control::Control;
pub use lateness::Lateness;
pub use option_error::OptionError;
pub use oversleep_sys::units::{Hertz, Nanos, ParseNanosError, RateError};
pub use pacer::Pacer;
pub use sleep::{kernel_sleep, kernel_sleep_until, sleep, sleep_until};
pub use sleeper::{Ceiling, Limit, SleepStats, Sleeper, SleeperBuilder};
pub use ticker::{Missed, Period, PeriodError, Tick, Ticker, TickerBuilder, WallTicker};
