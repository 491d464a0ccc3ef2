//! The clocks that this build can read, each with its own loop so that the cost of a call is measured without a
//! wrapper.

use super::{Bracketed, source};
use oversleep_recording::catalog::{ClockId, System};
use oversleep_sys::Refusal;
use oversleep_sys::units::{Hertz, Nanos};
use std::hint::black_box;

/// Returns the rate of clocks that count nanoseconds: 10⁹ ticks a second.
pub(super) fn nanoseconds() -> Result<Hertz, Refusal> {
    per_second(1_000_000_000)
}

/// Returns a whole rate; an error if zero, which a broken system might report.
pub(super) fn per_second(ticks: u64) -> Result<Hertz, Refusal> {
    Hertz::new(ticks, 1).ok_or_else(|| Refusal::Failed("the system says that this clock stands still".to_owned()))
}

/// A way to read a clock. Implemented by types without values.
pub(super) trait Clock {
    /// Returns the reading in the clock's own ticks. Called only after [`Clock::rate`] has succeeded.
    fn read() -> i64;

    /// Returns the ticks per second; an error where this machine lacks the clock. Nanoseconds unless stated.
    fn rate() -> Result<Hertz, Refusal> {
        nanoseconds()
    }

    /// Returns the resolution that the system claims (`clock_getres`); `None` if it claims none.
    fn claimed() -> Option<Nanos> {
        None
    }
}

/// A clock for which this build has code.
#[derive(Debug, Clone, Copy)]
pub struct ClockEntry {
    /// Identifier of its row.
    pub id: ClockId,
    read: fn() -> i64,
    repeat: fn(u64),
    rate: fn() -> Result<Hertz, Refusal>,
    claimed: fn() -> Option<Nanos>,
}

impl ClockEntry {
    pub(super) const fn new<C: Clock>(id: ClockId) -> Self {
        Self { id, read: C::read, repeat: repeat::<C>, rate: C::rate, claimed: C::claimed }
    }

    /// Opens the clock for reading.
    ///
    /// # Errors
    /// The reason why this machine cannot read it.
    pub fn open(&self) -> Result<OpenClock, Refusal> {
        let rate = (self.rate)()?;
        let unit = (rate.denominator() == 1 && 1_000_000_000 % rate.numerator() == 0)
            .then(|| i64::try_from(1_000_000_000 / rate.numerator()).ok())
            .flatten();
        Ok(OpenClock { id: self.id, read: self.read, repeat: self.repeat, rate, unit, claimed: (self.claimed)() })
    }
}

fn repeat<C: Clock>(count: u64) {
    for _ in 0..count {
        black_box(C::read());
    }
}

/// A clock that is open for reading.
#[derive(Debug, Clone, Copy)]
pub struct OpenClock {
    id: ClockId,
    read: fn() -> i64,
    repeat: fn(u64),
    rate: Hertz,
    /// Nanoseconds per tick if that is a whole number: no division is then needed.
    unit: Option<i64>,
    claimed: Option<Nanos>,
}

impl OpenClock {
    /// Returns the identifier of the clock.
    pub fn id(&self) -> ClockId {
        self.id
    }

    /// Returns a reading in the clock's own ticks.
    #[inline]
    pub fn read_ticks(&self) -> i64 {
        (self.read)()
    }

    /// Returns the ticks per second: for a counter the nominal rate, or one calibrated at first use.
    pub fn rate(&self) -> Hertz {
        self.rate
    }

    /// Converts `ticks` of this clock to a time, saturating.
    #[inline]
    pub fn nanos(&self, ticks: i64) -> Nanos {
        if let Some(unit) = self.unit {
            return Nanos::new(ticks.saturating_mul(unit));
        }
        let end = if ticks < 0 { Nanos::MIN } else { Nanos::MAX };
        Nanos::from_ticks(ticks, self.rate).unwrap_or(end)
    }

    /// Returns a reading as a time.
    #[inline]
    pub fn now(&self) -> Nanos {
        self.nanos(self.read_ticks())
    }

    /// Returns the resolution that the system claims, if it claims one.
    pub fn claimed(&self) -> Option<Nanos> {
        self.claimed
    }

    /// Reads the clock this many times and discards the readings, for benchmarks. The call is compiled
    /// into the loop, as it would be in a program that uses this clock.
    pub fn repeat(&self, count: u64) {
        (self.repeat)(count);
    }

    /// Reads the clock between two readings of the monotonic clock; returns the narrowest of `tries` (at least one).
    pub fn bracket(&self, tries: u32) -> Bracketed {
        super::bracket::bracket(self, tries)
    }
}

/// Returns every clock for which this build has code.
pub fn entries() -> impl Iterator<Item = &'static ClockEntry> {
    source::FAMILIES.iter().flat_map(|family| family.iter())
}

/// Opens a clock for reading.
///
/// # Errors
/// [`Refusal::Unavailable`] where this system, kernel, processor or build lacks it.
pub fn open(id: ClockId) -> Result<OpenClock, Refusal> {
    match entries().find(|entry| entry.id == id) {
        Some(entry) => entry.open(),
        None => Err(Refusal::Unavailable(absent(id))),
    }
}

fn absent(id: ClockId) -> String {
    let row = id.row();
    if System::HERE.is_some_and(|system| row.systems.contains(&system)) {
        return format!("{} is not built into this version of oversleep", row.call);
    }
    let here = System::HERE.map_or("this system", System::name);
    let systems: Vec<_> = row.systems.iter().map(|system| system.name()).collect();
    format!("{} does not exist on {here}; it is a clock of {}", row.call, systems.join(", "))
}
