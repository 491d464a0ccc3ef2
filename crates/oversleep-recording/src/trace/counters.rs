//! The scheduler's counters of a thread.

use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// Counters of a thread, or the difference between two readings of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ThreadCounters {
    /// Time spent runnable but not running (`/proc/thread-self/schedstat`). A lower bound: the kernel does not update
    /// it for a wake-up that preempts at once.
    #[serde(rename = "run_delay_ns", skip_serializing_if = "Option::is_none")]
    pub run_delay: Option<Nanos>,
    /// Involuntary switches (`getrusage`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preempted: Option<i64>,
    /// Time for which the quota kept the thread's control group from running, all of its threads together.
    #[serde(rename = "throttled_ns", skip_serializing_if = "Option::is_none")]
    pub throttled: Option<Nanos>,
}

impl ThreadCounters {
    /// Returns the increase since an earlier reading; `None` for a counter that either reading lacks.
    pub fn since(&self, before: &Self) -> Self {
        let time = |after: Option<Nanos>, before: Option<Nanos>| Some(after?.saturating_sub(before?));
        Self {
            run_delay: time(self.run_delay, before.run_delay),
            preempted: self.preempted.zip(before.preempted).map(|(after, before)| after.saturating_sub(before)),
            throttled: time(self.throttled, before.throttled),
        }
    }

    /// Returns whether no counter could be read.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The increase of the counters during each of several sleeps. In JSON it is a table of columns; a counter that none of
/// the sleeps has is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "CounterColumns", into = "CounterColumns")]
pub struct CountedSleeps(Vec<ThreadCounters>);

impl CountedSleeps {
    /// Creates it from the differences of each sleep, in order.
    pub fn new(counted: Vec<ThreadCounters>) -> Self {
        // Sleeps without counters are stored as an empty list, as in a file.
        Self(if counted.iter().all(ThreadCounters::is_empty) { Vec::new() } else { counted })
    }

    /// Returns the increase during the sleep with this index; empty where nothing is known.
    pub fn during(&self, index: usize) -> ThreadCounters {
        self.0.get(index).copied().unwrap_or_default()
    }

    /// Returns whether there are no counters of any sleep.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct CounterColumns {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    run_delay_ns: Vec<Option<Nanos>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    preempted: Vec<Option<i64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    throttled_ns: Vec<Option<Nanos>>,
}

impl From<CountedSleeps> for CounterColumns {
    fn from(CountedSleeps(counted): CountedSleeps) -> Self {
        fn column<T: Copy>(counted: &[ThreadCounters], value: fn(&ThreadCounters) -> Option<T>) -> Vec<Option<T>> {
            if counted.iter().all(|counters| value(counters).is_none()) {
                return Vec::new();
            }
            counted.iter().map(value).collect()
        }
        Self {
            run_delay_ns: column(&counted, |counters| counters.run_delay),
            preempted: column(&counted, |counters| counters.preempted),
            throttled_ns: column(&counted, |counters| counters.throttled),
        }
    }
}

impl From<CounterColumns> for CountedSleeps {
    fn from(columns: CounterColumns) -> Self {
        let rows = columns.run_delay_ns.len().max(columns.preempted.len()).max(columns.throttled_ns.len());
        let row = |index: usize| ThreadCounters {
            run_delay: columns.run_delay_ns.get(index).copied().flatten(),
            preempted: columns.preempted.get(index).copied().flatten(),
            throttled: columns.throttled_ns.get(index).copied().flatten(),
        };
        Self::new((0..rows).map(row).collect())
    }
}

/// The increase of a processor's counters between two readings; `None` where the counter cannot be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ProcessorCounters {
    /// Time stolen by the host, in steps of `USER_HZ` ticks (10 ms usually).
    #[serde(rename = "stolen_ns", skip_serializing_if = "Option::is_none")]
    pub stolen: Option<Nanos>,
    /// Number of interrupts by name, where above 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interrupts: Option<Vec<(String, u64)>>,
    /// Number of softirqs by name, where above 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub softirqs: Option<Vec<(String, u64)>>,
    /// Number of system-management interrupts (`MSR_SMI_COUNT`, 0x34; Intel since Nehalem).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smi: Option<u64>,
    /// Number of times the processor slowed down because it was hot (`thermal_throttle/core_throttle_count`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heat: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_come_back_from_json_as_they_were() {
        let one = |run_delay| ThreadCounters { run_delay, preempted: Some(1), throttled: None };
        let counted = CountedSleeps::new(vec![one(Some(Nanos::new(5))), one(None)]);
        let json = serde_json::to_string(&counted).unwrap();
        assert_eq!(json, r#"{"run_delay_ns":[5,null],"preempted":[1,1]}"#);
        assert_eq!(serde_json::from_str::<CountedSleeps>(&json).unwrap(), counted);
        assert!(CountedSleeps::new(vec![ThreadCounters::default(); 3]).is_empty());
        assert_eq!((counted.during(1).preempted, counted.during(7)), (Some(1), ThreadCounters::default()));
    }

    #[test]
    fn a_difference_needs_both_readings() {
        let reading = |run_delay, preempted| ThreadCounters { run_delay, preempted, throttled: None };
        let (before, after) = (reading(Some(Nanos::new(3)), None), reading(Some(Nanos::new(10)), Some(4)));
        assert_eq!(after.since(&before), reading(Some(Nanos::new(7)), None));
    }
}
