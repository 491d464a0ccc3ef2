//! The clocks this build can read, each with its own loop so that a call's cost is the call's and no wrapper's.

use super::{Bracketed, ClockId, source};
use crate::refusal::Refusal;
use crate::system::System;
use crate::units::{Hertz, Nanos};
use std::hint::black_box;

/// Returns the rate of nanosecond clocks, which count a thousand million ticks a second.
pub(super) fn nanoseconds() -> Result<Hertz, Refusal> {
    per_second(1_000_000_000)
}

/// Returns a whole rate; refused if zero, as a broken system might answer.
pub(super) fn per_second(ticks: u64) -> Result<Hertz, Refusal> {
    Hertz::new(ticks, 1).ok_or_else(|| Refusal::Failed("the system says that this clock stands still".to_owned()))
}

/// How one clock is read. Implemented by types without values.
pub(super) trait Clock {
    /// Its reading in its own ticks. Only called once [`Clock::rate`] has answered.
    fn read() -> i64;

    /// Ticks per second; a refusal where this machine lacks the clock.
    fn rate() -> Result<Hertz, Refusal>;

    /// The resolution the system claims (`clock_getres`); `None` where it claims none.
    fn claimed() -> Option<Nanos> {
        None
    }
}

/// A clock this build has code for.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Its row.
    pub id: ClockId,
    read: fn() -> i64,
    repeat: fn(u64),
    rate: fn() -> Result<Hertz, Refusal>,
    claimed: fn() -> Option<Nanos>,
}

impl Entry {
    pub(super) const fn of<C: Clock>(id: ClockId) -> Self {
        Self { id, read: C::read, repeat: repeat::<C>, rate: C::rate, claimed: C::claimed }
    }

    /// Makes the clock ready.
    ///
    /// # Errors
    /// Says why this machine cannot read it.
    pub fn open(&self) -> Result<Probe, Refusal> {
        let rate = (self.rate)()?;
        let unit = (rate.denominator() == 1 && 1_000_000_000 % rate.numerator() == 0)
            .then(|| i64::try_from(1_000_000_000 / rate.numerator()).ok())
            .flatten();
        Ok(Probe { id: self.id, read: self.read, repeat: self.repeat, rate, unit, claimed: (self.claimed)() })
    }
}

fn repeat<C: Clock>(count: u64) {
    for _ in 0..count {
        black_box(C::read());
    }
}

/// A clock ready to be read.
#[derive(Debug, Clone, Copy)]
pub struct Probe {
    id: ClockId,
    read: fn() -> i64,
    repeat: fn(u64),
    rate: Hertz,
    /// Nanoseconds per tick where that is a whole number: the division is left out.
    unit: Option<i64>,
    claimed: Option<Nanos>,
}

impl Probe {
    /// Returns which clock this is.
    pub fn id(&self) -> ClockId {
        self.id
    }

    /// Returns its reading in its own ticks.
    #[inline]
    pub fn ticks(&self) -> i64 {
        (self.read)()
    }

    /// Returns ticks per second. For a counter the nominal rate, or one calibrated at first use.
    pub fn rate(&self) -> Hertz {
        self.rate
    }

    /// Returns the time that `ticks` of this clock take; held at the ends of the range.
    #[inline]
    pub fn nanos(&self, ticks: i64) -> Nanos {
        if let Some(unit) = self.unit {
            return Nanos::new(ticks.saturating_mul(unit));
        }
        let end = if ticks < 0 { Nanos::MIN } else { Nanos::MAX };
        Nanos::from_ticks(ticks, self.rate).unwrap_or(end)
    }

    /// Returns what it reads now, as a time.
    #[inline]
    pub fn now(&self) -> Nanos {
        self.nanos(self.ticks())
    }

    /// Returns the resolution the system claims, if it claims one.
    pub fn claimed(&self) -> Option<Nanos> {
        self.claimed
    }

    /// Reads the clock this many times and throws the readings away: what a benchmark times. The call is compiled
    /// into the loop, as it would be in a program that uses this clock.
    pub fn repeat(&self, count: u64) {
        (self.repeat)(count);
    }

    /// Reads it between two readings of the monotonic clock; the tightest of `tries` (at least one).
    pub fn bracket(&self, tries: u32) -> Bracketed {
        super::bracket::bracket(self, tries)
    }
}

/// Returns every clock this build has code for.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    source::FAMILIES.iter().flat_map(|family| family.iter())
}

/// Makes a clock ready.
///
/// # Errors
/// [`Refusal::Unavailable`] where this system, kernel, processor or build lacks it.
pub fn open(id: ClockId) -> Result<Probe, Refusal> {
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
