//! Clocks that part: suspension, a guest's slow clock, a wall clock that is set.

use super::{CUT_SHARES, Ground, MS, PROPOSED, S, middle_ratio};
use crate::asked::candidate::{Candidate, Event, Variant};
use oversleep_recording::asked::{AskedPair, Figure, Platform, StatedCondition};
use oversleep_recording::catalog::CallTrait;
use oversleep_sys::units::Nanos;

/// Returns whether a time is that of the request, but for what sleeps are usually late.
fn is_as_asked(pair: &AskedPair, time: Nanos) -> bool {
    (time - pair.requested).as_f64().abs() <= f64::max(0.1 * pair.requested.as_f64(), S)
}

/// The machine was suspended meanwhile.
pub(super) fn suspended(ground: &Ground<'_>) -> Candidate {
    let stated = ground.stated;
    let said =
        stated.find(|condition| if let StatedCondition::Suspended(time) = condition { Some(*time) } else { None });
    // Nobody suspends a machine within a short sleep by chance.
    let by_length = match ground.longest() {
        long if long >= 60.0 * S => 0.4,
        long if long >= 5.0 * S => 0.04,
        _ => 0.004,
    };
    let prior = match (said.is_some(), ground.stated.has(&StatedCondition::Background)) {
        // iOS suspends the applications that are not in front, Android's Doze the whole device.
        (false, true) if ground.platform == Some(Platform::Ios) || ground.stated.is_named("android") => 0.6,
        (true, _) => 0.9,
        // An application in the background has another reason to be late at hand.
        (false, true) => 0.3 * by_length,
        // A guest is paused by its host, too.
        (false, false) if stated.is_guest() => f64::max(by_length, 0.03),
        (false, false) => by_length,
    };
    // Windows before 8 counts the time of a suspension as slept (learn.microsoft.com, "Sleep" and "CreateWaitableTimer": Windows 8 changed it).
    let counts = ground.platform == Some(Platform::Windows)
        && ground.stated.system().is_some_and(|system| system.is_before(8, 0));
    let variants = match said.flatten() {
        // What was left of the sleep had passed by then.
        Some(time) if counts => {
            vec![ground.with(1.0, Event::Even { share: 0.95, from: 0.0, to: 1.05 * time.as_f64() })]
        }
        // People round the time, and what was left of the sleep may have passed before.
        Some(time) => [(0.7, 0.9, 1.1), (0.3, 0.0, 1.5)]
            .map(|(weight, from, to)| {
                let (from, to) = (from * time.as_f64(), to * time.as_f64());
                ground.with(weight, Event::Even { share: 0.95, from, to })
            })
            .to_vec(),
        None => [0.95, 0.2].map(|share| ground.with(0.5, Event::Delay { share, from: 2.0 * S, to: 3e5 * S })).to_vec(),
    };
    // A clock that stands still gains nothing on the wall clock, and a sleep that is timed by it ends when it shows the time.
    let is_impossible = |pair: &AskedPair| {
        pair.wall()
            .zip(pair.uptime())
            .is_some_and(|(wall, uptime)| uptime > wall || uptime < pair.requested || !is_as_asked(pair, uptime))
    };
    let prior = if ground.stated.question.pairs.iter().any(is_impossible) { 0.0 } else { prior };
    let is_android = stated.is_named("android");
    let mut candidate = Candidate::new(
        "suspended",
        if counts {
            "the machine was suspended when the sleep was over: it ends once the machine is resumed"
        } else {
            "the machine, or the application, was suspended meanwhile: the sleep is timed on a clock that stands still then"
        },
        prior,
        variants,
        match ground.platform {
            _ if counts => {
                "no suspension meanwhile (powercfg), or a timer that wakes the machine (SetWaitableTimer with fResume)"
            }
            Some(Platform::Windows) => {
                "a waitable timer with an absolute time (SetWaitableTimer), or no suspension meanwhile (powercfg)"
            }
            Some(Platform::MacOs) => {
                "mach_continuous_time or dispatch's wall-clock times, or no suspension meanwhile (caffeinate)"
            }
            Some(Platform::Ios) => {
                "a notification or a background task of the system (BGTaskScheduler); in front, compare with the clock on return"
            }
            _ if is_android => {
                "an alarm that may wake the device (setExactAndAllowWhileIdle, setAlarmClock), or a foreground service with a wake lock"
            }
            Some(Platform::Linux) => "a timer on CLOCK_BOOTTIME, or no suspension meanwhile (systemd-inhibit)",
            Some(_) => "a timer on a clock that counts suspension, or no suspension meanwhile",
            None => {
                "a timer on the clock that counts suspension (Linux: CLOCK_BOOTTIME; macOS: mach_continuous_time or wall-clock dispatch times; Windows: \
                 SetWaitableTimer with an absolute time), or no suspension meanwhile (systemd-inhibit, caffeinate, powercfg)"
            }
        },
        match ground.platform {
            Some(Platform::Windows) => {
                "the times of suspension in the system's log of events (Kernel-Power), beside the sleep's"
            }
            Some(Platform::MacOs) => {
                "pmset -g log says when the machine slept; mach_continuous_time less mach_absolute_time is the time asleep"
            }
            Some(Platform::Ios) => "the same with the application in front: if that is in time, it was suspended",
            _ if is_android => {
                "adb shell dumpsys deviceidle, and the same with the device in use: if that is in time, it was asleep"
            }
            Some(Platform::Linux) => {
                "read CLOCK_BOOTTIME and CLOCK_MONOTONIC before and after: what they differ by is the time asleep; journalctl says when"
            }
            Some(_) => "read a clock that counts suspension beside one that does not, before and after",
            None => {
                "read both clocks before and after (Linux: CLOCK_BOOTTIME and CLOCK_MONOTONIC): the difference is the time asleep; pmset -g log and \
                 journalctl say when"
            }
        },
    );
    candidate.parts_clocks = true;
    if said.is_some() {
        candidate.reasons.push("the machine is stated to have been suspended".to_owned());
    }
    candidate
}

/// Between which ratios a guest's clock that loses interrupts is seen to be slow.
const SLOW_GUEST: (f64, f64) = (1.05, 20.0);

/// The guest's clock runs slow: interrupts that it counts were lost.
pub(super) fn guest_clock(ground: &Ground<'_>) -> Option<Candidate> {
    let ratio = middle_ratio(ground.stated.question)?;
    // A sleep that lasted as asked on the guest's own clock says nothing against that clock's rate.
    let is_right = |pair: &AskedPair| pair.uptime().is_some_and(|time| is_as_asked(pair, time));
    let is_slow = ground.stated.is_guest()
        && !ground.stated.question.pairs.iter().any(is_right)
        && (SLOW_GUEST.0..SLOW_GUEST.1).contains(&ratio)
        && ground.longest() >= S;
    let mut candidate = Candidate::new(
        "guest-clock",
        "the guest's clock runs slow: its host lost or delayed the interrupts that it counts",
        0.2 * PROPOSED,
        vec![Variant { weight: 1.0, laws: Vec::new(), event: Event::Ratio(ratio) }],
        "a clock source that counts no interrupts (kvm-clock, Hyper-V's, the TSC), fewer ticks a second in the guest, or less load on the host",
        "date in the guest and on the host before and after a minute: the ratio stays",
    );
    candidate.parts_clocks = ground.stated.question.pairs.iter().any(|pair| pair.wall().is_some());
    is_slow.then_some(candidate)
}

/// The clock that the figures were read from was set.
pub(super) fn clock_step(ground: &Ground<'_>) -> Candidate {
    let sizes = [(0.8, 10.0 * MS, 3600.0 * S), (0.2, 3600.0 * S, 3e5 * S)];
    let stated = ground.stated;
    let on_wall_clock = stated.question.call_has(CallTrait::OnWallClock);
    let mut variants = ground.delays(&sizes);
    variants.extend(CUT_SHARES.map(|share| ground.with(0.15, Event::Cut { share })));
    let is_early = |pair: &AskedPair| {
        let of = |figure: &Figure| matches!(figure, Figure::Wall(at) if at.time < pair.requested);
        pair.figures.iter().any(of)
    };
    let early_by_the_wall = ground.stated.question.pairs.iter().any(is_early);
    let mut candidate = Candidate::new(
        "clock-step",
        if on_wall_clock {
            "the wall clock was set meanwhile: this call waits for a time on it"
        } else {
            "the wall clock was set meanwhile"
        },
        if stated.has(&StatedCondition::ClockSet) {
            3.0
        } else if early_by_the_wall {
            0.5
        } else if on_wall_clock {
            0.3
        } else if ground.stated.is_guest() {
            0.02
        } else {
            0.006
        },
        variants,
        if on_wall_clock {
            "wait on the monotonic clock (pthread_condattr_setclock, pthread_cond_clockwait, sem_clockwait), and measure with it"
        } else {
            "measure with a monotonic clock"
        },
        "the same by a monotonic clock: if that is right, the wall clock was set",
    );
    // A clock that was set leaves the others as they are.
    let is_neither = |pair: &AskedPair| {
        pair.wall()
            .zip(pair.uptime())
            .is_some_and(|(wall, uptime)| !is_as_asked(pair, wall) && !is_as_asked(pair, uptime))
    };
    if stated.question.pairs.iter().any(is_neither) {
        candidate.prior = 0.0;
    }
    candidate.parts_clocks = true;
    if stated.has(&StatedCondition::ClockSet) {
        candidate.reasons.push("the clock is stated to have been set".to_owned());
    } else if on_wall_clock {
        candidate.reasons.push("the call waits for a time on the wall clock".to_owned());
    } else if stated.question.pairs.iter().any(|pair| pair.wall().is_some()) {
        candidate.reasons.push("the figures are of a wall clock".to_owned());
    }
    candidate
}
