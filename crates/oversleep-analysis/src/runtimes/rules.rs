//! Rules by which a runtime may change a request, and the time at which it is due.

use oversleep_recording::document::runtimes::Mechanism;

const MS: f64 = 1e6;

/// Units and periods that are tried in pairs, in ns: a rule for requests beside one for the time.
pub(super) const COMMON: [f64; 6] = [MS, 4.0 * MS, 10.0 * MS, 15.625 * MS, 16.0 * MS, 50.0 / 3.0 * MS];

/// How a request is changed; values in ns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum RequestRule {
    Exact,
    RoundedUp(f64),
    /// As many whole units as fit, and then another wait for what is left, of at least a unit.
    RoundedUpInTwoWaits(f64),
    Truncated(f64),
    /// Truncated to a unit, but at least one unit.
    TruncatedAtLeast(f64),
    Clamped(f64),
    /// At least this duration, from this number of timers in a row on.
    Nested(f64, u64),
}

/// How a request is waited for; times in ns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Waits {
    /// Time until the last wait begins.
    pub(super) before: f64,
    /// Duration of the last wait.
    pub(super) last: f64,
}

impl Waits {
    /// Returns the time until the last wait is over.
    pub(super) fn total(self) -> f64 {
        self.before + self.last
    }
}

/// From when a request counts, and when it may end; periods in ns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TimeRule {
    Exact,
    /// It counts from a clock that is refreshed once per period.
    Cached(f64),
    /// It ends at a multiple of the period.
    Coalesced(f64),
    /// It is due at a multiple of the period, and the wait until then is rounded up to whole periods, as tokio does.
    CoalescedThenRounded(f64),
}

impl RequestRule {
    /// Units that runtimes count in, in ns: milliseconds, kernels' ticks, frames.
    pub(super) const UNITS: [f64; 13] = [
        0.25 * MS,
        0.5 * MS,
        MS,
        2.0 * MS,
        2.5 * MS,
        3.0 * MS,
        4.0 * MS,
        5.0 * MS,
        8.0 * MS,
        10.0 * MS,
        15.625 * MS,
        16.0 * MS,
        20.0 * MS,
    ];

    /// Returns the waits that the request becomes, if the primitive is `late` after a wait of a duration.
    pub(super) fn apply(self, requested: f64, index: u64, late: impl Fn(f64) -> f64) -> Waits {
        let whole = |unit: f64| (requested / unit + 1e-9).floor() * unit;
        let last = match self {
            Self::RoundedUp(unit) => (requested / unit - 1e-9).ceil() * unit,
            Self::RoundedUpInTwoWaits(unit) => {
                let first = whole(unit);
                let ended = first + late(first);
                if requested > 0.0 && ended < requested {
                    return Waits { before: ended, last: unit };
                }
                first
            }
            Self::Truncated(unit) => whole(unit),
            Self::TruncatedAtLeast(unit) => whole(unit).max(unit),
            Self::Clamped(least) => requested.max(least),
            Self::Nested(least, after) if index >= after => requested.max(least),
            Self::Exact | Self::Nested(..) => requested,
        };
        Waits { before: 0.0, last }
    }

    /// Returns whether no request becomes shorter, and a request's place among others does not matter.
    pub(super) fn makes_longer(self) -> bool {
        matches!(self, Self::RoundedUp(_) | Self::RoundedUpInTwoWaits(_) | Self::Clamped(_))
    }

    /// Returns the mechanisms that this rule consists of, with their sizes in ns.
    pub(super) fn mechanisms(self) -> Vec<(Mechanism, f64)> {
        match self {
            Self::Exact => Vec::new(),
            Self::RoundedUp(unit) | Self::RoundedUpInTwoWaits(unit) => vec![(Mechanism::RoundedUp, unit)],
            Self::Truncated(unit) => vec![(Mechanism::Truncated, unit)],
            Self::TruncatedAtLeast(unit) => vec![(Mechanism::Truncated, unit), (Mechanism::Clamped, unit)],
            Self::Clamped(least) => vec![(Mechanism::Clamped, least)],
            Self::Nested(least, _) => vec![(Mechanism::ClampedWhenNested, least)],
        }
    }
}

impl TimeRule {
    /// Periods of clocks and of wheels, in ns.
    const PERIODS: [f64; 12] = [
        MS,
        2.0 * MS,
        3.0 * MS,
        4.0 * MS,
        5.0 * MS,
        6.0 * MS,
        8.0 * MS,
        10.0 * MS,
        15.625 * MS,
        16.0 * MS,
        50.0 / 3.0 * MS,
        20.0 * MS,
    ];

    /// Returns the rules that are tried: all of them alone, beside a rule for requests those of [`COMMON`].
    pub(super) fn tried(alone: bool) -> impl Iterator<Item = Self> {
        let periods = Self::PERIODS.into_iter().filter(move |period| alone || COMMON.contains(period));
        let of_period = |period| [Self::Cached(period), Self::Coalesced(period)];
        [Self::Exact, Self::CoalescedThenRounded(MS)].into_iter().chain(periods.flat_map(of_period))
    }

    pub(super) fn period(self) -> Option<f64> {
        match self {
            Self::Exact => None,
            Self::Cached(period) | Self::Coalesced(period) | Self::CoalescedThenRounded(period) => Some(period),
        }
    }

    /// Returns when a sleep of this duration is due, if the periods begin at `phase`.
    pub(super) fn due(self, start: f64, duration: f64, phase: f64) -> f64 {
        match self {
            Self::Exact => start + duration,
            Self::Cached(period) => ((start - phase) / period).floor() * period + phase + duration,
            Self::Coalesced(period) => ((start + duration - phase) / period).ceil() * period + phase,
            Self::CoalescedThenRounded(period) => {
                let wait = Self::Coalesced(period).due(start, duration, phase) - start;
                start + (wait / period - 1e-9).ceil() * period
            }
        }
    }

    /// Returns a value equal, modulo the period, for all sleeps under this rule: one sleep's estimate of the phase. `None`
    /// for a rule whose ends do not show it.
    pub(super) fn phase_of(self, end: f64, duration: f64) -> Option<f64> {
        match self {
            Self::Exact | Self::CoalescedThenRounded(_) => None,
            Self::Cached(_) => Some(end - duration),
            Self::Coalesced(_) => Some(end),
        }
    }

    /// Returns the mechanisms that this rule consists of, with their sizes in ns.
    pub(super) fn mechanisms(self) -> Vec<(Mechanism, f64)> {
        match self {
            Self::Exact => Vec::new(),
            Self::Cached(period) => vec![(Mechanism::CachedClock, period)],
            Self::Coalesced(period) => vec![(Mechanism::Coalesced, period)],
            Self::CoalescedThenRounded(period) => vec![(Mechanism::Coalesced, period), (Mechanism::RoundedUp, period)],
        }
    }
}
