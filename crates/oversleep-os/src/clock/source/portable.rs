//! Clocks of Rust's standard library, and the processor's counter.

use crate::clock::counter_rate::counter_rate;
use crate::clock::entry::{Clock, ClockEntry, nanoseconds};
use oversleep_recording::catalog::ClockId;
use oversleep_sys::Refusal;
use oversleep_sys::clock::counter;
use oversleep_sys::units::{Hertz, Nanos};
use std::sync::OnceLock;
use std::time::{Instant, SystemTime};

pub(super) static ENTRIES: &[ClockEntry] = &[
    ClockEntry::new::<StdInstant>(ClockId::StdInstant),
    ClockEntry::new::<StdSystemTime>(ClockId::StdSystemTime),
    ClockEntry::new::<Bare>(ClockId::Counter),
    ClockEntry::new::<Ordered>(ClockId::CounterOrdered),
];

/// The first instant read. Instants only have differences: readings are distances from this one.
static FIRST: OnceLock<Instant> = OnceLock::new();

struct StdInstant;

impl Clock for StdInstant {
    #[inline]
    fn read() -> i64 {
        let now = Instant::now();
        let first = *FIRST.get_or_init(|| now);
        Nanos::from(now.saturating_duration_since(first)).get()
    }

    fn rate() -> Result<Hertz, Refusal> {
        FIRST.get_or_init(Instant::now);
        nanoseconds()
    }
}

struct StdSystemTime;

impl Clock for StdSystemTime {
    #[inline]
    fn read() -> i64 {
        match SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => Nanos::from(since).get(),
            Err(before) => -Nanos::from(before.duration()).get(),
        }
    }
}

struct Bare;

impl Clock for Bare {
    #[inline]
    fn read() -> i64 {
        counter::read_unordered() as i64
    }

    fn rate() -> Result<Hertz, Refusal> {
        counter_rate()
    }
}

struct Ordered;

impl Clock for Ordered {
    #[inline]
    fn read() -> i64 {
        counter::ordered() as i64
    }

    fn rate() -> Result<Hertz, Refusal> {
        counter_rate()
    }
}
