//! Conditions as options of the command line.

use super::{Conditions, Policy};
use crate::exact_time;

impl Conditions {
    /// Returns the options of `oversleep measure` that ask for these settings, each with its value: `None` where the setting
    /// was left as it is, empty for an option that takes none. Always the same options in the same order. Load, threads
    /// and phase are not settings of the sleeping thread.
    pub fn settings(&self) -> [(&'static str, Option<String>); 12] {
        let flag = |given: Option<bool>| given.filter(|given| *given).map(|_| String::new());
        let cpus = |cpus: &[u32]| cpus.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        [
            ("policy", self.policy.map(policy)),
            ("nice", self.nice.map(|nice| nice.to_string())),
            ("cpus", self.affinity.as_deref().map(cpus)),
            ("one-cpu-each", flag(self.one_cpu_each)),
            ("slack", self.timer_slack.map(exact_time)),
            ("mlock", flag(self.memory_locked)),
            ("latency-hold", self.latency_hold.map(exact_time)),
            ("timer-resolution", self.timer_resolution.map(exact_time)),
            ("priority-class", self.priority_class.map(|class| class.to_string())),
            ("multimedia-task", self.multimedia_task.clone()),
            ("qos", self.qos.map(|qos| qos.to_string())),
            ("no-throttling", flag(self.unthrottled)),
        ]
    }
}

/// Returns a policy as the command line reads it.
fn policy(policy: Policy) -> String {
    match policy {
        Policy::Other | Policy::Batch | Policy::Idle => policy.to_string(),
        Policy::Fifo { priority } => format!("fifo:{priority}"),
        Policy::Rr { priority } => format!("rr:{priority}"),
        Policy::Deadline { runtime, deadline, period } => {
            format!("deadline:{}/{}/{}", exact_time(runtime), exact_time(deadline), exact_time(period))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_sys::units::Nanos;

    #[test]
    fn a_policy_is_read_back_as_it_was() {
        let (runtime, deadline, period) = (Nanos::from_micros(100), Nanos::from_micros(800), Nanos::MILLISECOND);
        for asked in [
            Policy::Other,
            Policy::Batch,
            Policy::Idle,
            Policy::Fifo { priority: 80 },
            Policy::Rr { priority: 1 },
            Policy::Deadline { runtime, deadline, period },
        ] {
            assert_eq!(policy(asked).parse(), Ok(asked));
        }
    }
}
