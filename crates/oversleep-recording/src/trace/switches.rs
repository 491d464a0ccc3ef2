//! Context switches of a single thread, as the kernel reports them to the thread itself.

use super::ColumnsError;
use oversleep_sys::units::Nanos;
use serde::{Deserialize, Serialize};

/// A context switch of one thread, as the kernel reported it to that thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnSwitch {
    /// Time, on the monotonic clock.
    pub at: Nanos,
    /// Direction: onto the processor, or off it.
    pub to: Direction,
    /// Number of the processor.
    pub cpu: u16,
}

/// The direction of a context switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The thread began to run.
    In,
    /// The thread stopped running of its own accord: it sleeps or waits.
    OutWaiting,
    /// The thread stopped running although it was runnable. (Kernels before 4.17 report every switch off as waiting.)
    OutPreempted,
}

/// A thread's own switch records of a time range. In JSON they are a table of columns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "SwitchColumns", try_from = "SwitchColumns")]
pub struct OwnSwitches {
    /// The switches, in order of time.
    pub switches: Vec<OwnSwitch>,
    /// Number of records lost, as far as the kernel says.
    pub lost: u64,
}

impl OwnSwitches {
    /// Returns whether there are no switches and none were lost.
    pub fn is_empty(&self) -> bool {
        self.switches.is_empty() && self.lost == 0
    }
}

/// Switches as columns, one entry per switch in each.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct SwitchColumns {
    /// Time in ns since the previous switch; for the first, on the monotonic clock.
    after_ns: Vec<i64>,
    /// Direction of each switch, as a letter: `i` onto the processor, `w` off it to wait, `p` off it preempted.
    to: String,
    cpu: Vec<u16>,
    #[serde(skip_serializing_if = "crate::note::is_zero")]
    lost: u64,
}

impl From<OwnSwitches> for SwitchColumns {
    fn from(switches: OwnSwitches) -> Self {
        let mut columns = Self { lost: switches.lost, ..Self::default() };
        let mut last = Nanos::ZERO;
        for switch in switches.switches {
            columns.after_ns.push(switch.at.saturating_sub(last).get());
            last = switch.at;
            columns.cpu.push(switch.cpu);
            columns.to.push(match switch.to {
                Direction::In => 'i',
                Direction::OutWaiting => 'w',
                Direction::OutPreempted => 'p',
            });
        }
        columns
    }
}

impl TryFrom<SwitchColumns> for OwnSwitches {
    type Error = ColumnsError;

    fn try_from(columns: SwitchColumns) -> Result<Self, ColumnsError> {
        let letters: Vec<char> = columns.to.chars().collect();
        let count = columns.after_ns.len();
        if [columns.cpu.len(), letters.len()] != [count; 2] {
            return Err(ColumnsError { event: columns.cpu.len().min(letters.len()).min(count) });
        }
        let (mut switches, mut at) = (Vec::with_capacity(count), Nanos::ZERO);
        for (event, letter) in letters.into_iter().enumerate() {
            at = at.saturating_add(Nanos::new(columns.after_ns[event]));
            let to = match letter {
                'i' => Direction::In,
                'w' => Direction::OutWaiting,
                'p' => Direction::OutPreempted,
                _ => return Err(ColumnsError { event }),
            };
            switches.push(OwnSwitch { at, to, cpu: columns.cpu[event] });
        }
        Ok(Self { switches, lost: columns.lost })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_come_back_from_json_as_they_were() {
        let one = |ns, to, cpu| OwnSwitch { at: Nanos::new(ns), to, cpu };
        let switches = vec![
            one(7_000, Direction::OutWaiting, 1),
            one(9_000, Direction::In, 0),
            one(9_001, Direction::OutPreempted, 0),
        ];
        let switches = OwnSwitches { switches, lost: 2 };
        let json = serde_json::to_string(&switches).unwrap();
        assert_eq!(json, r#"{"after_ns":[7000,2000,1],"to":"wip","cpu":[1,0,0],"lost":2}"#);
        assert_eq!(serde_json::from_str::<OwnSwitches>(&json).unwrap(), switches);
        for wrong in [r#"{"after_ns":[1],"to":"i"}"#, r#"{"after_ns":[1],"to":"x","cpu":[0]}"#] {
            assert!(serde_json::from_str::<OwnSwitches>(wrong).is_err(), "{wrong}");
        }
    }
}
