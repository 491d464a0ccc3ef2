//! A simulated runtime with one planted rule, with a kernel's noise: what the analysis must find exactly.

use super::points::{Point, RequestSeries};
use oversleep_recording::document::runtimes::Mechanism;
use oversleep_sys::units::Nanos;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const MS: f64 = 1e6;
pub(super) const REQUESTS: [f64; 4] = [0.1 * MS, MS, 1.5 * MS, 16.67 * MS];

/// The twelve cases: eleven rules, and none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Planted {
    RoundsUp,
    Truncates,
    Clamps,
    ClampsNested,
    Coalesces,
    CachedClock,
    Adds,
    TimerThreadSlack,
    YieldsFirst,
    Collects,
    Drifts,
    Nothing,
}

impl Planted {
    pub(super) const ALL: [Self; 12] = [
        Self::RoundsUp,
        Self::Truncates,
        Self::Clamps,
        Self::ClampsNested,
        Self::Coalesces,
        Self::CachedClock,
        Self::Adds,
        Self::TimerThreadSlack,
        Self::YieldsFirst,
        Self::Collects,
        Self::Drifts,
        Self::Nothing,
    ];

    /// Returns the mechanism that must be found, and its size in ns; `slip` is the drift per tick of the run ([`drifting`]).
    pub(super) fn expected(self, slip: f64) -> Option<(Mechanism, f64)> {
        Some(match self {
            Self::RoundsUp => (Mechanism::RoundedUp, MS),
            Self::Truncates => (Mechanism::Truncated, MS),
            Self::Clamps => (Mechanism::Clamped, MS),
            Self::ClampsNested => (Mechanism::ClampedWhenNested, 4.0 * MS),
            Self::Coalesces => (Mechanism::Coalesced, 16.0 * MS),
            Self::CachedClock => (Mechanism::CachedClock, MS),
            Self::Adds => (Mechanism::AddsConstant, MS),
            Self::TimerThreadSlack => (Mechanism::TimerThreadSlack, 50e3),
            Self::YieldsFirst => (Mechanism::YieldsFirst, 300e3),
            Self::Collects => (Mechanism::GarbageCollection, 20.0 * MS),
            Self::Drifts => (Mechanism::DriftByRearming, slip),
            Self::Nothing => return None,
        })
    }

    /// Returns when a sleep that starts at `start` is due, in ns, by the runtime's own arithmetic.
    fn due(self, start: f64, requested: f64, index: u64, random: &mut Pcg64Mcg) -> f64 {
        match self {
            Self::RoundsUp => start + (requested / MS).ceil() * MS,
            Self::Truncates => start + (requested / MS).floor() * MS,
            Self::Clamps => start + requested.max(MS),
            Self::ClampsNested if index >= 5 => start + requested.max(4.0 * MS),
            Self::Coalesces => ((start + requested) / (16.0 * MS)).ceil() * 16.0 * MS,
            Self::CachedClock => (start / MS).floor() * MS + requested,
            Self::Adds => start + requested + MS,
            Self::TimerThreadSlack => start + requested + 50e3,
            Self::YieldsFirst => {
                start + requested + 300e3 * f64::from([0_u8, 0, 1, 1, 2][random.random_range(0..5_usize)])
            }
            Self::ClampsNested | Self::Collects | Self::Drifts | Self::Nothing => start + requested,
        }
    }
}

/// Returns the kernel's lateness in ns: a few microseconds, and beside busy threads sometimes milliseconds.
fn late(busy: bool, random: &mut Pcg64Mcg) -> f64 {
    let mut late = 6e3 + random.random_range(0.0..3e3);
    if busy && random.random_range(0..100) < 6 {
        late += random.random_range(0.0..4.0 * MS);
    }
    late
}

/// Returns the runtime's sleeps and those of its native primitive, measured in blocks that take turns.
pub(super) fn run(rule: Planted, busy: bool, seed: u64) -> (Vec<RequestSeries>, Vec<RequestSeries>) {
    let (api, native, _) = drifting(rule, busy, seed);
    (api, native)
}

/// Returns the same, and how far a schedule's blocks slip per tick: the mean over the requests, in ns.
pub(super) fn drifting(rule: Planted, busy: bool, seed: u64) -> (Vec<RequestSeries>, Vec<RequestSeries>, f64) {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let empty = |requested: f64| RequestSeries { requested: Nanos::from_f64(requested), points: Vec::new() };
    let (mut api, mut native) = (REQUESTS.map(empty), REQUESTS.map(empty));
    let mut slips = REQUESTS.map(|_| 0.0);
    let mut now = 1e15 + random.random_range(0.0..1e9);
    let first_collection = now + random.random_range(0.0..MS);
    for round in 0..6 {
        for (at, &requested) in REQUESTS.iter().enumerate() {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // 1 to 33
            let count = if requested <= MS { 50 } else { (33.0 * MS / requested) as u64 + 1 };
            let turn = 2 * (round * REQUESTS.len() + at);
            // Real collections come about once a second; here every 100 ms, to fit a test.
            let origin = now;
            let mut previous = now;
            for index in 0..count {
                let start = now;
                let due = rule.due(start, requested, index, &mut random);
                let mut end = if due <= start { start } else { due + late(busy, &mut random) };
                let mut collected = false;
                if rule == Planted::Collects {
                    let next = first_collection + ((start - first_collection) / (100.0 * MS)).ceil() * 100.0 * MS;
                    collected = next < end;
                    if collected {
                        end = end.max(next + 20.0 * MS);
                    }
                }
                let scheduled = rule == Planted::Drifts;
                let start = if scheduled { origin + index as f64 * requested } else { start };
                let tick_before = scheduled.then_some(previous);
                api[at].points.push(Point { requested, start, end, tick_before, turn, index, collected });
                previous = end;
                now = end + if scheduled { 0.0 } else { random.random_range(200.0..2e3) };
            }
            slips[at] += now - origin - count as f64 * requested;
            for index in 0..count.div_ceil(2) {
                let end = now + requested + late(busy, &mut random);
                native[at].points.push(Point {
                    requested,
                    start: now,
                    end,
                    tick_before: None,
                    turn: turn + 1,
                    index,
                    collected: false,
                });
                now = end + random.random_range(200.0..2e3);
            }
        }
    }
    let per_tick = api.iter().zip(slips).map(|(of, slip)| slip / of.points.len() as f64);
    let slip = per_tick.sum::<f64>() / REQUESTS.len() as f64;
    (api.into(), native.into(), slip)
}
