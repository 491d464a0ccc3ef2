//! Which conditions are stated.

use super::Conditions;
use std::fmt::Debug;

impl Conditions {
    /// Name of what busy threads do.
    pub const LOAD_KIND: &str = "kind of load";

    /// Returns the conditions that are stated, each by its name in sentences with its value as a text that is equal for equal
    /// values. Always in the same order.
    pub fn stated(&self) -> Vec<(&'static str, String)> {
        // A new condition needs a name.
        let Self {
            policy,
            nice,
            affinity,
            one_cpu_each,
            timer_slack,
            memory_locked,
            latency_hold,
            timer_resolution,
            priority_class,
            multimedia_task,
            qos,
            unthrottled,
            load,
            threads,
            phase,
            traced,
        } = self;
        let all = [
            stated("policy", policy.as_ref()),
            stated("niceness", nice.as_ref()),
            stated("processors", affinity.as_ref()),
            stated("one processor each", one_cpu_each.as_ref()),
            stated("slack", timer_slack.as_ref()),
            stated("locked memory", memory_locked.as_ref()),
            stated("latency hold", latency_hold.as_ref()),
            stated("timer resolution", timer_resolution.as_ref()),
            stated("priority class", priority_class.as_ref()),
            stated("multimedia task", multimedia_task.as_ref()),
            stated("quality of service", qos.as_ref()),
            stated("timers not throttled", unthrottled.as_ref()),
            stated("load", load.map(|load| load.threads).as_ref()),
            stated(Self::LOAD_KIND, load.filter(|load| load.threads > 0).map(|load| load.kind).as_ref()),
            stated("threads", threads.as_ref()),
            stated("phase", phase.as_ref()),
            stated("tracing", traced.as_ref()),
        ];
        all.into_iter().flatten().collect()
    }
}

fn stated<T: Debug>(name: &'static str, value: Option<&T>) -> Option<(&'static str, String)> {
    Some((name, format!("{:?}", value?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_sys::units::Nanos;

    #[test]
    fn only_what_is_stated_is_returned() {
        assert!(Conditions::default().stated().is_empty());
        let slack = |ns| Conditions { timer_slack: Some(Nanos::new(ns)), nice: Some(3), ..Conditions::default() };
        let names = |of: &Conditions| of.stated().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names(&slack(1)), ["niceness", "slack"]);
        assert_eq!(slack(1).stated(), slack(1).stated());
        assert_ne!(slack(1).stated(), slack(2).stated());
    }
}
