//! Late by a share of the request, up to a limit: Linux' `select`, XNU's timer coalescing, libraries' leeways.

use super::{About, Govern, Known, Law, Lengths, Parameter, Sleep, time};

/// What is known of the law.
pub const ABOUT: About = About {
    name: "share-of-request",
    governs: "sleeps whose timers may be late by a share of their length",
    formula: "ends at start + request + max(least, min(share × request, cap)), or at an interrupt before that",
    parameters: &[
        Parameter { name: "share", unit: "1", least: 0.001, most: 32_768.0 },
        Parameter { name: "least", unit: "ns", least: 0.0, most: 1e6 },
        Parameter { name: "cap", unit: "ns", least: 1e6, most: 10e9 },
    ],
    remedy: "a call without a share (Linux: nanosleep, timerfd), a real-time thread, a kqueue timer with NOTE_CRITICAL",
};

const fn share(share: f64, least: f64, cap: f64) -> Law {
    Law::Share(Share { share, least, cap })
}

/// The systems that have it.
pub const KNOWN: &[Known] = known! {
    "linux" "2.6.28 and later": "select, poll, epoll_wait"
        = share(0.001, 50e3, 100e6); "fs/select.c, select_estimate_accuracy";
    "linux" "2.6.28 and later": "select, poll, epoll_wait of a thread with a niceness above 0"
        = share(0.005, 50e3, 100e6); "fs/select.c, select_estimate_accuracy";
    "macos" "10.9 and later": "every sleep of an active application (latency tier 0)"
        = share(0.125, 0.0, 1e6); "XNU, osfmk/kern/timer_call.c: timer_coalesce_tier0 scale 3, 1 ms";
    "macos" "10.9 and later": "every sleep of a command-line process (latency tier 1)"
        = share(0.25, 0.0, 5e6); "XNU, kern.timer_coalesce_tier1; published figures of an M4 Pro: at most 5.0 ms of 33.3 ms";
    "macos" "10.9 and later": "every sleep of a process of QoS utility (latency tier 2)"
        = share(0.5, 0.0, 20e6); "XNU, osfmk/kern/timer_call.c: latency_qos_scale 1, 20 ms";
    "macos" "10.9 and later": "every sleep of a process of QoS background (latency tier 3)"
        = share(4.0, 0.0, 75e6); "XNU, osfmk/kern/timer_call.c: latency_qos_scale -2, 75 ms";
    "macos" "10.9 and later": "every sleep of an application in App Nap (latency tiers 4 and 5)"
        = share(32_768.0, 0.0, 10e9); "XNU, osfmk/kern/timer_call.c: latency_qos_scale -15, 10 s";
    "ios" "to 26": "every sleep of an application in front"
        = share(0.25, 0.0, 5e6); "ish-AOK, the book, 14.7: a quarter of the time, up to 5 ms";
    "ios" "to 26": "every sleep of an application in front while nobody touches the device"
        = share(0.5, 0.0, 10e6); "ish-AOK, the book, 14.7: twice that while the user is idle";
    "macos" "10.9 and later": "every sleep in Darwin's background band (App Nap, taskpolicy -b)"
        = share(32.0, 0.0, 100e6); "XNU, timer_coalesce_bg: shift −5, 100 ms";
};

/// Sleeps are late by a share of the request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The share: 0.001 for Linux' `select`.
    pub share: f64,
    /// Least leeway, in ns.
    pub least: f64,
    /// Most that the share may give, in ns.
    pub cap: f64,
}

/// Returns Linux' leeway: the share up to its limit, and at least the thread's own slack.
pub fn estimated<T: PartialOrd + Copy>(share: T, least: T, cap: T) -> T {
    let limited = if share < cap { share } else { cap };
    if limited < least { least } else { limited }
}

/// Returns XNU's leeway: the limit is above everything; real-time threads have one of 0.
pub fn coalesced<T: PartialOrd + Copy>(share: T, least: T, cap: T) -> T {
    let wanted = if share < least { least } else { share };
    if wanted < cap { wanted } else { cap }
}

impl Share {
    fn leeway(&self, asked: f64) -> f64 {
        estimated(self.share * asked, self.least, self.cap)
    }
}

impl Govern for Share {
    fn end(&self, sleep: &Sleep) -> f64 {
        sleep.due() + self.leeway(sleep.asked)
    }

    fn lengths(&self, asked: f64) -> Lengths {
        // A negative share ends sleeps early.
        let end = asked + self.leeway(asked);
        Lengths { least: end.min(asked), most: end.max(asked), ..Lengths::only(end) }
    }

    fn text(&self) -> String {
        if self.share > 1.0 {
            return format!("may be late by a multiple of its request, at most {}", time(self.cap));
        }
        let share = (self.share * 1e4).round() / 1e2;
        format!("may be late by {share} % of its request, at most {}", time(self.cap))
    }
}
