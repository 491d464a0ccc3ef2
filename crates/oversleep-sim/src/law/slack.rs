//! Linux' timer slack: how late a timer may fire so that it can share an interrupt.

use super::{About, Govern, Known, Law, Lengths, Parameter, Sleep, time};

/// What is known of the law.
pub const ABOUT: About = About {
    name: "timer-slack",
    governs: "sleeps by high-resolution timers of threads that are not real-time",
    formula: "ends at start + request + slack, or at the first timer interrupt between the two",
    parameters: &[Parameter { name: "slack", unit: "ns", least: 0.0, most: 4e9 }],
    remedy: "prctl(PR_SET_TIMERSLACK, 1), or a real-time policy",
};

/// The systems that have it.
pub const KNOWN: &[Known] = known! {
    "linux" "2.6.28 and later": "nanosleep, clock_nanosleep, futex and epoll waits of a thread without settings of its own"
        = Law::Slack(Slack { slack: 50e3 }); "kernel/time/hrtimer.c, hrtimer_nanosleep; prctl(2): 50 µs by default";
    "linux" "all": "sleeps of a real-time thread, timerfd, mq_timedreceive"
        = Law::Slack(Slack { slack: 0.0 }); "kernel/time/hrtimer.c: rt_or_dl_task_policy; fs/timerfd.c";
};

/// Sleeps are late by a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slack {
    /// The slack, in ns.
    pub slack: f64,
}

impl Govern for Slack {
    fn end(&self, sleep: &Sleep) -> f64 {
        sleep.due() + self.slack
    }

    fn lengths(&self, asked: f64) -> Lengths {
        Lengths { least: asked, ..Lengths::only(asked + self.slack) }
    }

    fn text(&self) -> String {
        if self.slack > 0.0 {
            format!("may be {} late, its timer slack", time(self.slack))
        } else {
            "ends when its time is over, without slack".to_owned()
        }
    }
}
