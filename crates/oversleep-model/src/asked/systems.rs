//! The laws that a system's kernel follows, as stated: by system, version, call and conditions, each with how often it is
//! met and why.

use super::candidate::{Candidate, Event, Variant};
use oversleep_recording::asked::{Platform, Question, StatedCondition, StatedSystem};
use oversleep_recording::catalog::{CallBehaviour, CallRule, CallTrait, KernelWait};
use oversleep_sim::Rounding;
use oversleep_sim::law::counted::TvToHz;
use oversleep_sim::law::{CachedStart, Counted, Even, FreeRtos, FromLast, Law, Share, Slack, TickUp, Wheel};
use oversleep_sys::units::Nanos;

const MS: f64 = 1e6;

/// Periods of Windows' default tick in ms, and their weights: 64 Hz on most machines; elsewhere a whole number of the
/// machine's own unit (16 × 0.9994 ms, 16 × 0.9765 ms), or what somebody rounded.
const WINDOWS_TICKS: [(f64, f64); 8] = [
    (15.625, 0.50),
    (15.6, 0.12),
    (15.5, 0.04),
    (15.7, 0.04),
    (15.85, 0.04),
    (15.92, 0.06),
    (15.988, 0.10),
    (16.0, 0.10),
];
/// Ticks of `Sleep` that were found on Windows 95 to ME beside 10 ms, in ms, and their weights.
const DOS_WINDOWS_TICKS: [(f64, f64); 2] = [(9.15, 0.7), (1.0, 0.3)];
/// Windows' older tick on single processors, in ms.
const WINDOWS_OLD_TICK: f64 = 10.0;
/// Shares of the sleeps that end a tick later than they might, where any do.
const MISSED_TICKS: [f64; 2] = [0.03, 0.3];
/// How probable it is that a wait has a high-resolution timer that nobody asked for: that another call was meant.
const NO_PRECISE: f64 = 0.01;
/// Timer resolutions that programs ask for, as machines keep them, in ms, and their weights.
const RESOLUTIONS: [(f64, f64); 9] = [
    (1.0, 0.35),
    (0.9766, 0.1),
    (0.9994, 0.1),
    (0.997, 0.1),
    (0.5, 0.12),
    (0.4995, 0.05),
    (0.5064, 0.05),
    (2.0, 0.06),
    (1.9531, 0.07),
];
/// Ticks per second that kernels of Linux are built with, and how often.
const LINUX_TICKS: [(u32, f64); 4] = [(250, 0.4), (1000, 0.3), (100, 0.25), (300, 0.05)];
/// Linux' default timer slack, in ns.
const SLACK: f64 = 50e3;
/// Slack of Android's applications in the background, in ns (system/core, libprocessgroup, `TimerSlackHigh`).
const BACKGROUND_SLACK: f64 = 40.0 * MS;
/// The share of a request that `select`, `poll` and `epoll_wait` may be late by.
const POLL_SHARE: f64 = 0.001;
/// The same of a thread whose niceness is above 0, and how often one is.
const POLL_SHARE_OF_NICE: f64 = 0.005;
const NICE: f64 = 0.04;

/// What was stated, as the rows below ask for it.
pub(super) struct Stated<'a> {
    pub(super) question: &'a Question,
    pub(super) wait: KernelWait,
    /// What the call does in the stated version of its runtime, if that is told.
    pub(super) in_version: Option<CallBehaviour>,
}

impl Stated<'_> {
    pub(super) fn find<T>(&self, find: impl Fn(&StatedCondition) -> Option<T>) -> Option<T> {
        self.question.conditions.iter().find_map(find)
    }

    pub(super) fn has(&self, condition: &StatedCondition) -> bool {
        self.question.conditions.contains(condition)
    }

    pub(super) fn system(&self) -> Option<&StatedSystem> {
        self.question.system.as_ref()
    }

    /// Returns whether this, in lower case, is part of what was stated of the system.
    pub(super) fn is_named(&self, part: &str) -> bool {
        self.system().is_some_and(|system| system.text.to_lowercase().contains(part))
    }

    pub(super) fn tick_rate(&self) -> Option<u32> {
        self.find(|condition| if let StatedCondition::TickRate(rate) = condition { Some(*rate) } else { None })
    }

    /// Returns the version of the stated browser.
    pub(super) fn browser_version(&self) -> Option<(u32, u32)> {
        ["chrome", "chromium", "edge"].iter().find_map(|name| self.question.version_of(name))
    }

    /// Returns whether the call keeps a schedule: what makes one of its waits late makes none of its periods longer.
    pub(super) fn keeps_schedule(&self) -> bool {
        let is_periodic = self.has(&StatedCondition::Periodic) || self.question.pairs.iter().any(|pair| pair.is_rate);
        is_periodic && self.question.call_has(CallTrait::KeepsSchedule)
    }

    /// Returns whether the call is a page's, whose timers all wait for the page's turn.
    pub(super) fn is_browser(&self) -> bool {
        self.question.call_row().is_some_and(|row| row.runtime == "the browser")
    }

    pub(super) fn is_guest(&self) -> bool {
        self.has(&StatedCondition::Guest) || self.system().is_some_and(|system| system.guest)
    }

    pub(super) fn is_real_time(&self) -> bool {
        // cyclictest and timerlat measure real-time threads, on real-time kernels at least.
        let measures = ["cyclictest", "timerlat", "latency-test", "rtla"];
        let measures = self.question.call.as_ref().is_some_and(|call| measures.contains(&call.to_lowercase().as_str()));
        self.has(&StatedCondition::RealTime) || (measures && self.system().is_some_and(|system| system.real_time))
    }

    pub(super) fn is_loaded(&self) -> bool {
        self.find(|condition| if let StatedCondition::Load(threads) = condition { Some(*threads) } else { None })
            .is_some_and(|threads| threads > 0)
    }

    /// Returns how probable it is that the call waits for no timer at all, which only a request of 0 may do: Windows' `Sleep(0)`
    /// and tasks' delays give way to other threads, most libraries return. Linux adds its slack to it, a kernel that counts ticks
    /// one of them.
    pub(super) fn returns_at_once(&self) -> f64 {
        use Platform::{Illumos, Linux, NetBsd, OpenBsd};
        let row = self.question.call_row();
        let has_floor = |rule: &CallRule| match rule {
            CallRule::Down(_, least) => least.get() > 0,
            CallRule::Constant(_) | CallRule::KernelTicks(_) | CallRule::Ticks(..) => true,
            _ => false,
        };
        let has_floor = row.is_some_and(|row| row.rules.iter().any(|(_, rules)| rules.iter().any(has_floor)));
        match self.question.platform() {
            _ if has_floor || self.is_browser() || self.question.pairs.iter().any(|pair| pair.requested.get() > 0) => {
                0.0
            }
            Some(platform) if platform.is_small() => 0.95,
            _ if row.is_some_and(|row| !row.runtime.is_empty()) => 0.8,
            Some(Platform::Windows) => 1.0,
            Some(Linux | OpenBsd | NetBsd | Illumos) => 0.05,
            Some(_) => 0.7,
            None => 0.5,
        }
    }

    /// Returns whether a library cuts every request to 0 before Windows sees it, whose `Sleep(0)` waits for no timer.
    pub(super) fn is_cut_to_nothing(&self) -> bool {
        let asks = |unit: Nanos| self.question.pairs.iter().any(|pair| pair.requested >= unit);
        let cuts = |rules: &&[CallRule]| matches!(rules, [CallRule::Down(unit, Nanos::ZERO), ..] if !asks(*unit));
        self.question.platform() == Some(Platform::Windows)
            && self.question.call_row().is_some_and(|row| row.rules.iter().all(|(_, rules)| cuts(rules)))
    }

    fn is_from(&self, major: u32, minor: u32) -> bool {
        self.system().is_some_and(|system| system.is_from(major, minor))
    }

    fn is_before(&self, major: u32, minor: u32) -> bool {
        self.system().is_some_and(|system| system.is_before(major, minor))
    }
}

/// Returns a law as a variant.
pub(super) fn variant(weight: f64, law: Law) -> Variant {
    Variant { weight, laws: vec![law], event: Event::None }
}

pub(super) fn tick_up(period: f64, extra: i64) -> Law {
    Law::TickUp(TickUp { ticks: Even { period, phase: 0.0 }, extra })
}

fn from_last(period: f64) -> Law {
    Law::FromLast(FromLast { ticks: Even { period, phase: 0.0 }, counted: period })
}

pub(super) fn slack(slack: f64) -> Law {
    Law::Slack(Slack { slack })
}

pub(super) fn leeway(share: f64, least: f64, cap: f64) -> Law {
    Law::Share(Share { share, least, cap })
}

fn counted(hz: u32) -> Law {
    let count = TvToHz::of_rate(i64::from(hz), Rounding::CeilPlus1);
    Law::Counted(Counted { ticks: Even { period: 1e9 / f64::from(hz), phase: 0.0 }, count })
}

/// How often each system is asked about, where none is stated.
const SYSTEMS: [(Platform, f64); 10] = [
    (Platform::Linux, 0.42),
    (Platform::Windows, 0.30),
    (Platform::MacOs, 0.17),
    (Platform::FreeBsd, 0.03),
    (Platform::OpenBsd, 0.02),
    (Platform::NetBsd, 0.01),
    (Platform::Illumos, 0.01),
    (Platform::Ios, 0.02),
    (Platform::FreeRtos, 0.02),
    (Platform::Other, 0.01),
];

/// Returns the laws of the stated system; without one, of every system that has the call.
pub(super) fn laws(stated: &Stated<'_>) -> Vec<Candidate> {
    if let Some(platform) = stated.question.platform() {
        return of_platform(platform, stated);
    }
    let row = stated.question.call_row();
    // A runtime's or library's call is none of a microcontroller's, unless its row says so.
    let large = row.is_some_and(|row| !row.runtime.is_empty() && row.platforms.is_empty());
    let fits = |platform: Platform| {
        row.is_none_or(|row| row.is_on(platform) && !(large && platform.is_small()))
            && stated.question.conditions.iter().all(|c| c.only_on(platform).is_none())
    };
    let systems: Vec<_> = SYSTEMS.iter().filter(|(platform, _)| fits(*platform)).collect();
    let all: f64 = systems.iter().map(|(_, share)| share).sum();
    systems
        .iter()
        .flat_map(|(platform, share)| {
            of_platform(*platform, stated).into_iter().map(move |mut candidate| {
                candidate.prior *= share / all;
                if candidate.id == "kernel-tick" {
                    candidate.name = format!("a kernel's tick, as {} has it", platform.name());
                } else if !candidate.name.contains(platform.name()) {
                    candidate.name = format!("{} ({})", candidate.name, platform.name());
                }
                candidate
            })
        })
        .collect()
}

fn of_platform(platform: Platform, stated: &Stated<'_>) -> Vec<Candidate> {
    match platform {
        Platform::Linux => linux(stated),
        Platform::Windows => windows(stated),
        Platform::MacOs | Platform::Ios => apple(platform, stated),
        Platform::FreeBsd => freebsd(stated),
        Platform::OpenBsd | Platform::NetBsd => counted_ticks(platform, stated.tick_rate().unwrap_or(100), 0.95),
        Platform::DragonFly => {
            // sys/kern/kern_time.c, nanosleep1: whole ticks, and a one-shot timer for the rest; 1.0 waited for ticks alone.
            let ticked = if stated.is_before(2, 0) { 0.8 } else { 0.15 };
            let mut laws = counted_ticks(platform, stated.tick_rate().unwrap_or(100), ticked);
            laws.push(exact(1.0 - ticked));
            laws
        }
        Platform::Illumos => illumos(stated),
        Platform::FreeRtos => freertos(stated),
        Platform::Zephyr => zephyr(stated),
        Platform::Other => other(stated),
    }
}

/// Returns the candidate that timers are exact and lateness is what a wake-up costs.
fn exact(prior: f64) -> Candidate {
    Candidate::new(
        "wake-up-cost",
        "what a wake-up costs here",
        prior,
        vec![variant(1.0, slack(0.0))],
        "there is little to remove: a deadline in place of a duration keeps it from adding up, and spinning for the last part hides it",
        "compare with another call for the same time: if that is as late, it is the machine's cost of waking",
    )
}

/// Returns the same of a microcontroller.
fn exact_counter(prior: f64) -> Candidate {
    Candidate {
        remedy: "there is little to remove: what has to be in time belongs into a hardware timer's interrupt"
            .to_owned(),
        test: "the same time by a hardware timer, or a pin and an oscilloscope".to_owned(),
        ..exact(prior)
    }
}

fn linux(stated: &Stated<'_>) -> Vec<Candidate> {
    let of_slack = stated
        .find(|condition| if let StatedCondition::Slack(slack) = condition { Some(slack.as_f64()) } else { None });
    let old = stated.is_before(2, 6);
    // Slack came with 2.6.28.
    let without = stated.is_before(2, 628)
        || stated.is_real_time()
        || matches!(stated.wait, KernelWait::Timer | KernelWait::Precise);
    let usual =
        if stated.is_named("android") && stated.has(&StatedCondition::Background) { BACKGROUND_SLACK } else { SLACK };
    let slack_ns = if without { 0.0 } else { of_slack.unwrap_or(usual) };
    // fs/select.c, select_estimate_accuracy: the larger of the slack and a thousandth of the request.
    let polls = stated.wait == KernelWait::Poll && !without;
    let longest = stated.question.pairs.iter().map(|pair| pair.requested.as_f64()).fold(0.0, f64::max);
    let is_share = polls && POLL_SHARE * longest > slack_ns;
    let low = stated.has(&StatedCondition::LowResolution);
    let ticked = if low {
        0.95
    } else if stated.is_before(2, 621) {
        // High-resolution timers came with 2.6.21, and some years later to all processors.
        0.97
    } else if stated.is_before(3, 0) {
        0.5
    } else if stated.tick_rate().is_some() {
        0.08
    } else {
        0.01
    };
    if matches!(stated.wait, KernelWait::Wheel | KernelWait::Jiffies) {
        return vec![wheel(stated)];
    }
    let mut laws = Vec::new();
    if slack_ns < 2e3 && !is_share {
        // Nobody asks why a real-time thread is as late as real-time threads are.
        laws.push(exact(if stated.is_real_time() { 0.2 } else { 1.0 } * (1.0 - ticked)));
    } else {
        let of_poll = |weight: f64, share: f64| variant(weight, leeway(share, slack_ns, 100.0 * MS));
        let laws_of_slack = if polls {
            vec![of_poll(1.0 - NICE, POLL_SHARE), of_poll(NICE, POLL_SHARE_OF_NICE)]
        } else {
            vec![variant(1.0, slack(slack_ns))]
        };
        let (name, remedy, test) = if is_share {
            (
                "Linux' timer slack of poll, select and epoll_wait, a thousandth of the request (of a nice thread's five)",
                "a timerfd or clock_nanosleep in place of the timeout, or a real-time policy (chrt -f 1); PR_SET_TIMERSLACK changes nothing here",
                "ask for ten times as long: lateness grows with the request, up to 100 ms",
            )
        } else {
            (
                "Linux' timer slack",
                "prctl(PR_SET_TIMERSLACK, 1) in the sleeping thread, or a real-time policy (chrt -f 1): the slack goes, the cost of waking stays",
                "set the slack to 1 ns and compare: lateness falls by the slack",
            )
        };
        laws.push(Candidate::new("timer-slack", name, 1.0 - ticked, laws_of_slack, remedy, test));
    }
    let rates: Vec<(u32, f64)> = stated.tick_rate().map_or_else(|| LINUX_TICKS.to_vec(), |rate| vec![(rate, 1.0)]);
    let ticks = rates.iter().flat_map(|(rate, weight)| {
        let period = 1e9 / f64::from(*rate);
        // Kernels before 2.6 count ticks and add one.
        let (exact, more) = if old { (0.0, 1.0) } else { (0.75, 0.25) };
        [
            variant(weight * exact, tick_up(period, 0)),
            variant(weight * more * 0.5, tick_up(period, 1)),
            variant(weight * more * 0.5, counted(*rate)),
        ]
    });
    laws.push(Candidate::new(
        "kernel-tick",
        "a kernel without high-resolution timers",
        ticked,
        ticks.collect(),
        "a kernel with CONFIG_HIGH_RES_TIMERS (from 2.6.21 on) and a clock that allows it (no highres=off)",
        "grep resolution /proc/timer_list: 1 nsecs means high-resolution timers, 4000000 nsecs ticks of 250 Hz",
    ));
    laws
}

/// Returns Linux' timer wheel, for the kernel's own timeouts.
fn wheel(stated: &Stated<'_>) -> Candidate {
    let rates = stated.tick_rate().map_or_else(|| LINUX_TICKS.to_vec(), |rate| vec![(rate, 1.0)]);
    // Before 4.8 a timeout ended at the first tick after its time.
    let old = if stated.is_from(4, 8) { 0.02 } else { 0.2 };
    let of_rate = |(rate, weight): (u32, f64)| {
        let period = 1e9 / f64::from(rate);
        if stated.wait == KernelWait::Jiffies {
            return vec![variant(weight, tick_up(period, 1))];
        }
        let wheel = Law::Wheel(Wheel { ticks: Even { period, phase: 0.0 } });
        vec![variant(weight * (1.0 - old), wheel), variant(weight * old, tick_up(period, 0))]
    };
    Candidate::new(
        "timer-wheel",
        "Linux' timer wheel: timeouts inside the kernel end at its ticks",
        1.0,
        rates.into_iter().flat_map(of_rate).collect(),
        if stated.wait == KernelWait::Jiffies {
            "usleep_range or fsleep, which have high-resolution timers"
        } else {
            "a wait with a high-resolution timer (poll, select, timerfd) before the call, in place of a socket's timeout"
        },
        "the same time by poll: if that is late by tens of microseconds only, it was the wheel; its ticks are those of CONFIG_HZ",
    )
}

/// Returns how probable it is that Windows' default tick, a raised resolution, or a high-resolution timer is in force for this process.
/// `asked`, `reported`: the resolution that it asked for, and the one that was seen; `hidden`: whether the first does not count, as the
/// windows are hidden.
fn in_force(stated: &Stated<'_>, asked: Option<Nanos>, reported: Option<Nanos>, hidden: bool) -> (f64, f64, f64) {
    let (default, raised, precise) = match (asked, reported) {
        _ if stated.wait == KernelWait::Precise => (0.12, 0.03, 0.85),
        (None, _) if stated.wait == KernelWait::Raised => (0.03, 0.92, 0.05),
        (Some(_), _) if hidden => (0.75, 0.20, NO_PRECISE),
        (Some(_), _) => (0.25, 0.70, NO_PRECISE),
        (None, Some(_)) if stated.is_from(10, 2004) => (0.75, 0.20, NO_PRECISE),
        // Before, the resolution in force is that of all processes, unless it was another while these sleeps ran.
        (None, Some(_)) => (0.10, 0.85, NO_PRECISE),
        // Chromium's message_pump_win.cc and Firefox ask for a tick of 1 ms while short timers are due.
        (None, None) if stated.is_browser() => (0.42, 0.55, NO_PRECISE),
        (None, None) => (0.62, 0.28, 0.10),
    };
    // The system's own waits have no high-resolution timer, which a program asks for by CREATE_WAITABLE_TIMER_HIGH_RESOLUTION.
    let of_system =
        stated.wait == KernelWait::Sleep && stated.question.call_row().is_some_and(|row| row.runtime.is_empty());
    let has_none = of_system || stated.in_version.is_some_and(|call| call.wait != KernelWait::Precise);
    let precise = if has_none { NO_PRECISE } else { precise };
    // CREATE_WAITABLE_TIMER_HIGH_RESOLUTION came with Windows 10 1803.
    (default, raised, if stated.is_before(10, 1803) { 0.0 } else { precise })
}

/// Returns Windows' high-resolution timer, which is as probable beforehand.
fn high_resolution(prior: f64) -> Candidate {
    let half =
        [variant(0.4, tick_up(0.5 * MS, 0)), variant(0.4, tick_up(0.5 * MS, 1)), variant(0.2, from_last(0.5 * MS))];
    Candidate::new(
        "high-resolution-timer",
        "Windows' high-resolution timer, of half-millisecond steps",
        prior,
        half.to_vec(),
        "sleep shorter by a millisecond and spin for the rest",
        "sleep 1 to 5 ms in steps of 0.1 ms: the lengths lie on a grid of 0.5 ms",
    )
}

fn windows(stated: &Stated<'_>) -> Vec<Candidate> {
    let now = if stated.is_from(11, 0) {
        0.8
    } else if stated.system().is_some_and(|system| system.version.is_some()) {
        0.1
    } else {
        0.4
    };
    // Counted from the last tick, and from now; some sleeps miss a tick and end at the next.
    let both = |weight: f64, period_ms: f64| {
        let period = period_ms * MS;
        let missed = |share| Event::Even { share, from: period, to: period };
        let of_law = |weight: f64, law: Law| {
            let [few, some] =
                MISSED_TICKS.map(|share| Variant { weight: 0.1 * weight, laws: vec![law], event: missed(share) });
            [variant(0.8 * weight, law), few, some]
        };
        [of_law(weight * (1.0 - now), from_last(period)), of_law(weight * now, tick_up(period, 0))].concat()
    };
    let asked = stated
        .find(|condition| if let StatedCondition::TimerResolution(time) = condition { Some(*time) } else { None });
    let reported = stated
        .find(|condition| if let StatedCondition::ReportedResolution(time) = condition { Some(*time) } else { None });
    let own_alone = stated.is_from(10, 2004);
    // learn.microsoft.com, timeBeginPeriod: from Windows 11 on.
    let hidden = asked.is_some() && stated.is_from(11, 0) && stated.has(&StatedCondition::Background);
    let (default, raised, precise) = in_force(stated, asked, reported, hidden);
    let is_precise = stated.wait == KernelWait::Precise;
    // Windows 95, 98 and ME.
    let dos = stated.is_from(4, 1) && stated.is_before(5, 0);
    let old = if stated.is_before(8, 0) { 0.35 } else { 0.06 };
    let periods: &[(f64, f64)] = match (dos, stated.wait) {
        // Timers tick at the hardware's slowest rate.
        (true, KernelWait::Timer) => &[(54.925, 1.0)],
        (true, _) => &DOS_WINDOWS_TICKS,
        _ => &WINDOWS_TICKS,
    };
    let ticks = periods.iter().flat_map(|(period, weight)| both(weight * (1.0 - old), *period));
    let ticks = ticks.chain(both(old, WINDOWS_OLD_TICK)).collect();
    let mut tick = Candidate::new(
        "windows-tick",
        if hidden {
            "Windows' default tick: a resolution that a program asked for does not count while its windows are hidden"
        } else if reported.is_some() && own_alone {
            "Windows' default tick: a resolution that another process asked for does not count here"
        } else if reported.is_some() {
            "Windows' default tick: the reported resolution was not in force while these sleeps ran, or not for this process"
        } else if asked.is_some() {
            "Windows' default tick: the resolution that was asked for is not in force"
        } else if is_precise {
            "Windows' default tick: the high-resolution timer that this call waits for is not in use"
        } else {
            "Windows' default tick"
        },
        default,
        ticks,
        if dos {
            "a multimedia timer (timeSetEvent), which ticks each millisecond"
        } else if hidden {
            "SetProcessInformation(ProcessPowerThrottling) with PROCESS_POWER_THROTTLING_IGNORE_TIMER_RESOLUTION in its ControlMask and not in \
         its StateMask, or a waitable timer with CREATE_WAITABLE_TIMER_HIGH_RESOLUTION"
        } else if asked.is_some() {
            "check what timeBeginPeriod returns, that this very process calls it and keeps it (no timeEndPeriod before the sleep), and from \
         Windows 11 on that its windows are visible; or a waitable timer with CREATE_WAITABLE_TIMER_HIGH_RESOLUTION"
        } else if is_precise {
            "check which version runs, and that Windows is 10 1803 or later, which has the high-resolution timer; where it has none, \
         timeBeginPeriod(1) in this very process"
        } else {
            "timeBeginPeriod(1) in this very process (since Windows 10 2004 another process' request does not count; undo it with \
         timeEndPeriod), or a waitable timer with CREATE_WAITABLE_TIMER_HIGH_RESOLUTION: about 0.5 ms steps"
        },
        if hidden {
            "bring the window to the front: if the sleep is then late by a millisecond at most, it was that"
        } else if asked.is_some() {
            "print NtQueryTimerResolution beside the sleeps: the resolution in force"
        } else {
            "call timeBeginPeriod(1) first: if the sleep is then late by a millisecond at most, it was the tick"
        },
    );
    if reported.is_some() && own_alone {
        tick.reasons.push("since Windows 10 2004 a timer resolution is of the process that asked for it".to_owned());
    }
    let fixed: Option<Vec<(f64, f64)>> = asked.or(reported).map(|time: Nanos| {
        let ms = time.as_f64() / MS;
        vec![(ms, 0.7), (ms * 0.9766, 0.1), (ms * 0.9994, 0.1), (ms * 0.997, 0.1)]
    });
    let periods = fixed.unwrap_or_else(|| RESOLUTIONS.to_vec());
    let raised = Candidate::new(
        "timer-resolution",
        if asked.or(reported).is_none() && stated.is_before(10, 2004) {
            "Windows' timer tick, at a resolution that this or another process raised"
        } else {
            "Windows' timer tick, at a raised resolution"
        },
        raised,
        periods.iter().flat_map(|(period, weight)| both(*weight, *period)).collect(),
        "a waitable timer with CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, or a sleep shorter by a tick and a spin for the rest",
        "print NtQueryTimerResolution beside the sleeps: lengths are whole multiples of it",
    );
    [tick, raised, high_resolution(precise)].into_iter().filter(|candidate| candidate.prior > 0.0).collect()
}

fn apple(platform: Platform, stated: &Stated<'_>) -> Vec<Candidate> {
    let background = stated.has(&StatedCondition::Background);
    let ios = platform == Platform::Ios;
    let name = |what: &str| {
        format!("{}' {what}", if ios { "iOS" } else { "macOS" }).replace("macOS'", "macOS's").replace("iOS'", "iOS's")
    };
    let critical =
        "a kqueue timer with NOTE_CRITICAL, or a latency-critical process (NSActivityLatencyCritical, tier 0)";
    let decide = "sysctl kern.timer.coalescing_enabled=0 (root) or a kqueue timer with NOTE_CRITICAL beside it: if that is in time, it was the leeway";
    // Timer coalescing and App Nap came with OS X 10.9.
    if stated.wait == KernelWait::Precise || !ios && stated.is_before(10, 9) {
        return vec![exact(1.0)];
    }
    let strict = if stated.is_real_time() { 0.6 } else { 0.06 };
    let (front, band, nap) = if background { (0.35, 0.25, 0.34) } else { (0.85, 0.03, 0.03) };
    let front = front * (1.0 - strict);
    let active = if stated.question.call_row().is_some_and(|row| !row.runtime.is_empty()) { 0.4 } else { 0.25 };
    // One cause, named by the tier that fits best (osfmk/kern/timer_call.c, kern.timer_coalesce_tier0..2).
    let tiers = [
        (active, "an active application's, tier 0", leeway(0.125, 0.0, MS)),
        (
            0.9 - active,
            if ios { "an application's" } else { "a command-line program's, tier 1" },
            leeway(0.25, 0.0, 5.0 * MS),
        ),
        // iOS doubles an application's leeway while nobody touches the device.
        if ios {
            (0.1, "of an application that nobody touches", leeway(0.5, 0.0, 10.0 * MS))
        } else {
            (0.1, "a utility's, tier 2", leeway(0.5, 0.0, 20.0 * MS))
        },
    ];
    let coalescing = tiers.map(|(weight, whose, law)| {
        let name = name(&format!("timer coalescing ({whose})"));
        Candidate::new("coalescing", name, front * weight, vec![variant(1.0, law)], critical, decide)
    });
    let mut band = Candidate::new(
        "background-band",
        name("background band"),
        band,
        vec![variant(0.7, leeway(32.0, 0.0, 100.0 * MS)), variant(0.3, leeway(4.0, 0.0, 75.0 * MS))],
        "keep the process out of the background band (no taskpolicy -b; NSProcessInfo beginActivity), or a kqueue timer with \
         NOTE_CRITICAL; a time-constraint policy does not help there",
        "bring the application to the front, or run it from a terminal: the leeway falls to 1 or 5 ms",
    );
    // Tiers 4 and 5: 32768 times the request, at most 10 s; wake-ups then come 10 s after each other. Long timers of a napping
    // application have been seen to be held for hours.
    let held = Event::Delay { share: 0.9, from: 10_000.0 * MS, to: 12.0 * 3.6e6 * MS };
    let seldom = |share: f64, from: f64| Variant {
        weight: 0.1,
        laws: vec![leeway(0.25, 0.0, 5.0 * MS)],
        event: Event::Even { share, from, to: 10_000.0 * MS },
    };
    let naps = vec![
        variant(0.4, leeway(32_768.0, 0.0, 10_000.0 * MS)),
        variant(0.4, tick_up(10_000.0 * MS, 0)),
        Variant { weight: 0.2, laws: Vec::new(), event: held },
        // Now and then, beside sleeps of an ordinary program.
        seldom(0.3, 9_990.0 * MS),
        seldom(0.5, 0.0),
        seldom(0.95, 0.0),
    ];
    let mut app_nap = Candidate::new(
        "app-nap",
        "App Nap: timers of an application in the background may be 10 s late, long ones by hours",
        nap,
        naps,
        "NSProcessInfo beginActivity(options: .userInitiated or .latencyCritical) while time matters, or NSAppSleepDisabled; for a test \
         `defaults write NSGlobalDomain NSAppSleepDisabled -bool YES`",
        "bring the application to the front, or disable App Nap for it: the delays vanish",
    );
    if background {
        for candidate in [&mut band, &mut app_nap] {
            candidate.reasons.push("the application is stated to be in the background".to_owned());
        }
    }
    // iOS suspends applications in the background instead.
    coalescing.into_iter().chain([band]).chain((!ios).then_some(app_nap)).chain([exact(strict)]).collect()
}

fn counted_ticks(platform: Platform, hz: u32, prior: f64) -> Vec<Candidate> {
    vec![Candidate::new(
        "kernel-tick",
        format!("{}'s tick", platform.name()),
        prior,
        vec![variant(0.9, counted(hz)), variant(0.1, tick_up(1e9 / f64::from(hz), 0))],
        "a kernel with a higher HZ; for a schedule, sleep to one tick before the deadline and spin for the rest",
        "sleep 1, 5, 11 and 21 ms: the lengths are whole ticks, one more than needed",
    )]
}

fn freebsd(stated: &Stated<'_>) -> Vec<Candidate> {
    let (old, share, new) = match stated.system().and_then(|system| system.version) {
        Some((..=9, _)) => (0.95, 0.02, 0.03),
        Some((10..=14, _)) => (0.03, 0.92, 0.05),
        Some(_) => (0.02, 0.18, 0.80),
        None => (0.12, 0.58, 0.30),
    };
    let (share, new) = if stated.wait == KernelWait::Timer { (0.05, share + new - 0.05) } else { (share, new) };
    let ticks = match stated.tick_rate() {
        Some(rate) => vec![variant(1.0, counted(rate))],
        None => vec![variant(0.6, counted(1000)), variant(0.4, counted(100))],
    };
    // The clock is wound up once a millisecond, or once a tick where ticks are longer.
    let cached = |windup: f64| Law::CachedStart(CachedStart { windup: Even { period: windup, phase: 0.0 }, shift: 4 });
    vec![
        Candidate::new(
            "kernel-tick",
            "FreeBSD's tick",
            old,
            ticks,
            if stated.is_from(10, 0) {
                "sysctl kern.eventtimer.periodic=0, or a higher kern.hz (in virtual machines it is 100)"
            } else {
                "a higher kern.hz (in virtual machines it is 100), or FreeBSD 10 and later"
            },
            "sysctl kern.hz, and sleeps of 1, 5 and 11 ms: the lengths are whole ticks",
        ),
        Candidate::new(
            "allowed-deviation",
            "FreeBSD's allowed deviation of timers (kern.timecounter.alloweddeviation)",
            share,
            vec![variant(0.6, cached(MS)), variant(0.4, cached(10.0 * MS))],
            if stated.is_from(15, 0) {
                "sysctl kern.timecounter.alloweddeviation=0 (its 5 % become a sixteenth, 6.25 %), which is this version's default: something has set it"
            } else {
                "sysctl kern.timecounter.alloweddeviation=0 (its 5 % become a sixteenth, 6.25 %); from FreeBSD 15 nanosleep is precise by default"
            },
            "sysctl kern.timecounter.alloweddeviation=0 and sleep again: the share of the request goes",
        ),
        exact(new),
    ]
}

fn illumos(stated: &Stated<'_>) -> Vec<Candidate> {
    let period = 1e9 / f64::from(stated.tick_rate().unwrap_or(100));
    // Callouts of Solaris before 11 wait for the tick in progress too (SunOS 5.10, timespectohz).
    let more = if stated.is_before(11, 0) { 0.4 } else { 0.02 };
    if matches!(stated.wait, KernelWait::Timer | KernelWait::Precise) {
        return vec![exact(1.0)];
    }
    vec![
        Candidate::new(
            "kernel-tick",
            "illumos's tick",
            0.85,
            vec![variant(1.0 - more, tick_up(period, 0)), variant(more, tick_up(period, 1))],
            "a timer of CLOCK_HIGHRES (timer_create), or set hires_tick=1 in /etc/system",
            "the same time by timer_create(CLOCK_HIGHRES): if that is in time, it was the tick",
        ),
        exact(0.15),
    ]
}

fn freertos(stated: &Stated<'_>) -> Vec<Candidate> {
    if stated.wait == KernelWait::Precise {
        return vec![exact_counter(1.0)];
    }
    let ticks = |hz: u32| {
        let period = 1e9 / f64::from(hz);
        Law::FreeRtos(FreeRtos { ticks: Even { period, phase: 0.0 }, counted: period })
    };
    let rates = match stated.tick_rate() {
        Some(rate) => vec![(rate, 1.0)],
        None => vec![(100, 0.6), (1000, 0.35), (250, 0.05)],
    };
    // Times are cut to ticks by pdMS_TO_TICKS, and raised by callers that want one tick at least (ESP-IDF's usleep).
    let is_own = stated.question.call_row().is_some_and(|row| row.runtime == Platform::FreeRtos.name());
    let cut = if is_own { 1.0 } else { 0.85 };
    let both = |(rate, weight): (u32, f64)| {
        [variant(weight * cut, ticks(rate)), variant(weight * (1.0 - cut), tick_up(1e9 / f64::from(rate), 0))]
    };
    let variants = rates.into_iter().flat_map(both).collect();
    vec![Candidate::new(
        "kernel-tick",
        "FreeRTOS's tick: times are whole ticks, mostly cut",
        1.0,
        variants,
        "a higher configTICK_RATE_HZ (ESP-IDF: CONFIG_FREERTOS_HZ=1000), one tick more in the request, or a hardware timer (esp_timer)",
        "print configTICK_RATE_HZ: at 100 every time below 10 ms is 0 ticks",
    )]
}

/// Zephyr's usual values of `CONFIG_SYS_CLOCK_TICKS_PER_SEC`, and how often they are met: a tickless kernel's default, the rate of
/// a 32 kHz clock, a ticking kernel's default.
const ZEPHYR_TICKS: [(u32, f64); 4] = [(10_000, 0.45), (32_768, 0.25), (100, 0.2), (1_000, 0.1)];

fn zephyr(stated: &Stated<'_>) -> Vec<Candidate> {
    if stated.wait == KernelWait::Precise {
        return vec![exact_counter(1.0)];
    }
    let rates = stated.tick_rate().map_or_else(|| ZEPHYR_TICKS.to_vec(), |rate| vec![(rate, 1.0)]);
    // kernel/timeout.c, z_add_timeout: the time is rounded up to ticks, and the tick in progress does not count.
    let ticks = rates.into_iter().map(|(rate, weight)| {
        let period = 1e9 / f64::from(rate);
        variant(weight, if rate > 10_000 { tick_up(period, 0) } else { counted(rate) })
    });
    vec![
        Candidate::new(
            "kernel-tick",
            "Zephyr's tick: times are rounded up to whole ticks, and the one in progress does not count",
            0.8,
            ticks.collect(),
            "a higher CONFIG_SYS_CLOCK_TICKS_PER_SEC (with CONFIG_TICKLESS_KERNEL it costs little), or a hardware counter's alarm",
            "print CONFIG_SYS_CLOCK_TICKS_PER_SEC: at 100 k_msleep(1) lasts 10 to 20 ms",
        ),
        exact_counter(0.2),
    ]
}

/// Tick rates of systems that are not known here, and how often they are met.
const OTHER_TICKS: [(u32, f64); 7] =
    [(100, 0.35), (1_000, 0.3), (60, 0.1), (64, 0.05), (200, 0.05), (250, 0.08), (50, 0.07)];
/// Systems of which no more than the usual ticks per second is known, by parts of their names, from their documents: QNX 6 to 8,
/// RT-Thread (`RT_TICK_PER_SECOND`), Mbed OS; `VxWorks` (`sysClkRateGet`); `NuttX` (`CONFIG_USEC_PER_TICK`), RTEMS
/// (`CONFIGURE_MICROSECONDS_PER_TICK`), `ThreadX` (`TX_TIMER_TICKS_PER_SECOND`), HP-UX 11, AIX 7; Windows CE before 3.0 and from then on.
const USUAL_TICKS: [(&[&str], u32); 5] = [
    (&["qnx", "rt-thread", "mbed"], 1_000),
    (&["vxworks"], 60),
    (&["nuttx", "rtems", "threadx", "hp-ux", "aix"], 100),
    (&["windows ce 1", "windows ce 2"], 40),
    (&["windows ce", "wince", "pocket pc"], 1_000),
];
/// How often such a system has its usual rate.
const HAS_USUAL: f64 = 0.7;

fn other(stated: &Stated<'_>) -> Vec<Candidate> {
    if stated.wait == KernelWait::Precise {
        return vec![exact_counter(1.0)];
    }
    let is_named = |(names, _): &&(&[&str], u32)| names.iter().any(|name| stated.is_named(name));
    let usual = USUAL_TICKS.iter().find(is_named).map(|(_, rate)| *rate);
    let mut rates = stated.tick_rate().map_or_else(|| OTHER_TICKS.to_vec(), |rate| vec![(rate, 1.0)]);
    rates.extend(usual.map(|rate| (rate, HAS_USUAL / (1.0 - HAS_USUAL))));
    // Whether a system of which nothing is known ticks at all is not known either.
    let ticked = if usual.is_some() || stated.tick_rate().is_some() { 0.8 } else { 0.3 };
    let ticks = rates.into_iter().flat_map(|(rate, weight)| {
        let period = 1e9 / f64::from(rate);
        let cut = Law::FreeRtos(FreeRtos { ticks: Even { period, phase: 0.0 }, counted: period });
        [variant(0.4 * weight, tick_up(period, 0)), variant(0.4 * weight, counted(rate)), variant(0.2 * weight, cut)]
    });
    vec![
        Candidate::new(
            "kernel-tick",
            "a tick of that system, whose rules are not known here",
            ticked,
            ticks.collect(),
            "a higher tick rate in the system's configuration, or a hardware timer",
            "print the tick rate, and sleep 1, 5, 11 and 21 ticks: the lengths are whole ticks",
        ),
        exact_counter(1.0 - ticked),
    ]
}
