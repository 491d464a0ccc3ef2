//! The clocks as the sleeping program reads them.

use super::law::stamps::reading;
use super::machine::Machine;
use super::scale::Scale;
use super::time::Ps;
use oversleep_recording::plan::ClockName;
use oversleep_sys::units::Nanos;

/// The start of the simulated wall clock: 8 January 2004, 00:00 UTC, in ns of Unix time. A whole second, so that it
/// affects nothing but the date.
const EPOCH_NS: i64 = 1_073_520_000 * 1_000_000_000;
/// TAI − UTC at that time, in ns.
const TAI_NS: i64 = 32 * 1_000_000_000;

/// A clock and the unit in which it is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UserClock {
    name: ClockName,
    unit_ns: i64,
}

impl UserClock {
    pub(crate) fn new(name: ClockName, unit_ns: u32) -> Self {
        Self { name, unit_ns: i64::from(unit_ns.max(1)) }
    }

    /// Reads the clock at true time `t`, rounded down to its unit.
    pub(crate) fn read<S: Scale>(self, m: &mut Machine<S>, t: Ps) -> Nanos {
        let ns = match self.name {
            ClockName::True => return Nanos::new(t.div_euclid(1_000)),
            ClockName::MonotonicRaw | ClockName::Counter => m.raw_ns(t),
            ClockName::Monotonic | ClockName::Boottime | ClockName::Realtime | ClockName::Tai => m.read_ns(t),
        };
        Nanos::new(reading(ns, self.unit_ns)).saturating_add(Nanos::new(self.offset()))
    }

    /// Converts a reading of this clock to the kernel's clock, near true time `t`.
    pub(crate) fn kernel_ns<S: Scale>(self, m: &mut Machine<S>, reading: Nanos, t: Ps) -> i64 {
        match self.name {
            ClockName::True | ClockName::MonotonicRaw | ClockName::Counter => {
                // Not the clock on which the kernel sleeps: the distance from the present is transferred.
                let ahead = reading.saturating_sub(Self { unit_ns: 1, ..self }.read(m, t));
                m.read_ns(t).saturating_add(ahead.get())
            }
            _ => reading.saturating_sub(Nanos::new(self.offset())).get(),
        }
    }

    fn offset(self) -> i64 {
        match self.name {
            ClockName::Realtime => EPOCH_NS,
            ClockName::Tai => EPOCH_NS + TAI_NS,
            _ => 0,
        }
    }
}
