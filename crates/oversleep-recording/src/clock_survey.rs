//! Readings of clocks: the cost of a call, how each clock advances, and readings of all clocks together.

use crate::Unobtained;
use oversleep_sys::units::{Hertz, Nanos};
use serde::{Deserialize, Serialize};

/// The readings of a clock survey. Clocks have the names of the catalogue of clocks, whatever the system.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClockSurvey {
    /// How long clocks were planned to be read together.
    #[serde(rename = "drift_window_ns", skip_serializing_if = "Option::is_none")]
    pub drift_window: Option<Nanos>,
    /// Facts about the processor's counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter: Option<CounterFacts>,
    /// Why nothing is known about the processor's counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter_refused: Option<Unobtained>,
    /// Readings of each clock alone, replacing earlier readings of the same clock.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<ClockReadings>,
    /// Clocks that were not read together with the others, because their steps are too long for the drift window.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub too_coarse: Vec<String>,
    /// Readings of clocks together, appended to earlier ones of the same clock. The same index is the same round for
    /// all clocks.
    #[serde(rename = "rounds", skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<ClockSeries>,
}

impl ClockSurvey {
    /// Appends the readings of a later note.
    pub fn absorb(&mut self, later: Self) {
        self.drift_window = later.drift_window.or(self.drift_window);
        self.counter = later.counter.or(self.counter.take());
        self.counter_refused = later.counter_refused.or(self.counter_refused.take());
        self.too_coarse.extend(later.too_coarse);
        for readings in later.clocks {
            match self.clocks.iter_mut().find(|old| old.clock == readings.clock) {
                Some(old) => *old = readings,
                None => self.clocks.push(readings),
            }
        }
        for series in later.series {
            match self.series.iter_mut().find(|old| old.clock == series.clock) {
                Some(old) => old.points.extend(series.points),
                None => self.series.push(series),
            }
        }
    }
}

/// Facts about the processor's counter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CounterFacts {
    /// Whether the counter runs at one rate whatever the processor's frequency and sleep state, as the processor
    /// states.
    pub invariant: bool,
    /// Rate that the processor or hypervisor states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nominal: Option<Hertz>,
    /// Clock source that the kernel itself uses, where the kernel tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocksource: Option<String>,
}

/// Readings of one clock alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockReadings {
    /// The clock's name.
    pub clock: String,
    /// Its ticks per second.
    pub rate: Hertz,
    /// The resolution the system claims, if it claims one.
    #[serde(rename = "claimed_resolution_ns", skip_serializing_if = "Option::is_none", default)]
    pub claimed: Option<Nanos>,
    /// Cost measurements, in the order in which they were made.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub costs: Vec<ClockCost>,
    /// Cost measurement while other threads read the same clock; `None` if none was requested.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub loaded: Option<LoadedClockCost>,
    /// How the clock advanced on one thread; `None` if the survey was stopped before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub steps: Option<ClockSteps>,
    /// Whether processors agree; `None` if the survey was stopped before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub across: Option<ClockAcross>,
}

/// A timed loop of calls of one clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockCost {
    /// Calls made.
    pub calls: u64,
    /// Time for all calls.
    #[serde(rename = "total_ns")]
    pub total: Nanos,
}

/// A timed loop of calls while other threads read the same clock as fast as they can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadedClockCost {
    /// Number of other threads.
    pub readers: u16,
    /// Calls and their time.
    #[serde(flatten)]
    pub cost: ClockCost,
}

/// Counts of successive readings of one clock on one thread, in ticks of that clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockSteps {
    /// Readings taken.
    pub reads: u64,
    /// Readings equal to the previous one.
    pub repeated: u64,
    /// Readings below the previous one.
    pub backwards: u64,
    /// Largest step backwards; 0 if there was none.
    pub worst_backwards_ticks: u64,
    /// Smallest step forwards; `None` if the clock was not seen to move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub smallest_ticks: Option<u64>,
}

/// The result of comparing a clock between two processors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockAcross {
    /// The processors were compared.
    Compared(ClockCompared),
    /// The processors were not compared, for this reason.
    Not(String),
}

/// Readings of a clock on one thread, each compared with the latest one that another thread had published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ClockCompared {
    /// Readings compared, in both directions.
    pub reads: u64,
    /// Of these, readings below the one already published.
    pub earlier: u64,
    /// Largest difference of such a reading, in ticks of the clock.
    pub worst_ticks: u64,
    /// Whether each thread was pinned to a processor of its own.
    pub pinned: bool,
}

/// Readings of one clock, one per round, each between two readings of the monotonic clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Columns", into = "Columns")]
pub struct ClockSeries {
    /// The clock's name.
    pub clock: String,
    /// Its readings.
    pub points: Vec<ClockPoint>,
}

/// One reading of a clock between two readings of the monotonic clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockPoint {
    /// Midpoint of the two monotonic readings.
    pub monotonic: Nanos,
    /// Distance of the two monotonic readings.
    pub width: Nanos,
    /// Reading of the clock.
    pub reading: Nanos,
}

/// Readings as columns: about 15 bytes per reading.
#[derive(Serialize, Deserialize)]
struct Columns {
    clock: String,
    /// Midpoint minus the previous midpoint; for the first reading, the midpoint itself.
    after_ns: Vec<i64>,
    width_ns: Vec<i64>,
    /// Reading minus midpoint, as the difference from the previous entry; for the first reading, the value itself.
    apart_ns: Vec<i64>,
}

// Differences wrap around, so that any reading is restored exactly.
impl From<ClockSeries> for Columns {
    fn from(series: ClockSeries) -> Self {
        let count = series.points.len();
        let (mut after_ns, mut width_ns, mut apart_ns) =
            (Vec::with_capacity(count), Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut last, mut last_apart) = (0_i64, 0_i64);
        for point in &series.points {
            let (middle, apart) = (point.monotonic.get(), point.reading.get().wrapping_sub(point.monotonic.get()));
            after_ns.push(middle.wrapping_sub(last));
            width_ns.push(point.width.get());
            apart_ns.push(apart.wrapping_sub(last_apart));
            (last, last_apart) = (middle, apart);
        }
        Self { clock: series.clock, after_ns, width_ns, apart_ns }
    }
}

impl From<Columns> for ClockSeries {
    fn from(columns: Columns) -> Self {
        let (mut middle, mut apart) = (0_i64, 0_i64);
        let rows = columns.after_ns.iter().zip(&columns.width_ns).zip(&columns.apart_ns);
        let point = |((after, width), further): ((&i64, &i64), &i64)| {
            middle = middle.wrapping_add(*after);
            apart = apart.wrapping_add(*further);
            let reading = Nanos::new(middle.wrapping_add(apart));
            ClockPoint { monotonic: Nanos::new(middle), width: Nanos::new(*width), reading }
        };
        Self { clock: columns.clock, points: rows.map(point).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = ClockPoint> {
        let nanos = || any::<i64>().prop_map(Nanos::new);
        (nanos(), nanos(), nanos()).prop_map(|(monotonic, width, reading)| ClockPoint { monotonic, width, reading })
    }

    proptest! {
        #[test]
        fn series_come_back_from_json_as_they_were(points in prop::collection::vec(point(), 0..20)) {
            let series = ClockSeries { clock: "tai".to_owned(), points };
            let json = serde_json::to_string(&series).unwrap();
            prop_assert_eq!(serde_json::from_str::<ClockSeries>(&json).unwrap(), series);
        }
    }

    #[test]
    fn a_rate_of_zero_is_refused() {
        let readings = |rate: &str| format!(r#"{{"clock":"tai","rate":{rate}}}"#);
        assert!(serde_json::from_str::<ClockReadings>(&readings(r#"{"numerator":1,"denominator":2}"#)).is_ok());
        for rate in [r#"{"numerator":0,"denominator":1}"#, r#"{"numerator":1,"denominator":0}"#] {
            assert!(serde_json::from_str::<ClockReadings>(&readings(rate)).is_err(), "{rate}");
        }
    }

    #[test]
    fn later_readings_replace_and_later_series_follow() {
        let readings = |calls| ClockReadings {
            clock: "tai".to_owned(),
            rate: Hertz::new(1_000_000_000, 1).unwrap(),
            claimed: None,
            costs: vec![ClockCost { calls, total: Nanos::new(9) }],
            loaded: None,
            steps: None,
            across: None,
        };
        let point = |at| ClockPoint { monotonic: Nanos::new(at), width: Nanos::ZERO, reading: Nanos::ZERO };
        let part = |calls, at| ClockSurvey {
            clocks: vec![readings(calls)],
            series: vec![ClockSeries { clock: "tai".to_owned(), points: vec![point(at)] }],
            ..ClockSurvey::default()
        };
        let mut survey = part(1, 5);
        survey.absorb(part(2, 6));
        assert_eq!((survey.clocks.len(), survey.clocks[0].costs[0].calls), (1, 2));
        assert_eq!(survey.series, [ClockSeries { clock: "tai".to_owned(), points: vec![point(5), point(6)] }]);
    }
}
