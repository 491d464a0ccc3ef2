//! The remedies for each cause, per system.

use super::Cause;
use super::Remedy;

/// System, command or call, note.
type Line = (&'static str, &'static str, &'static str);

const TICK: &[Line] = &[
    ("Linux", "boot without highres=off and nohz=off; CONFIG_HIGH_RES_TIMERS=y", "timers then fire between ticks"),
    ("FreeBSD", "sysctl kern.eventtimer.periodic=0", "one-shot timers; needs a timer that can do them"),
    (
        "Windows",
        "CreateWaitableTimerEx with CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, or timeBeginPeriod(1)",
        "finer wake-ups, at a cost in power",
    ),
    ("NetBSD", "a kernel with options HZ=1000", "its timers fire only at ticks"),
    (
        "illumos",
        "timer_create on CLOCK_HIGHRES (privilege proc_clock_highres), or set hires_tick=1 in /etc/system",
        "timers that do not wait for the tick, or a tick of 1 ms",
    ),
    (
        "any",
        "sleep until one tick before the deadline, then spin",
        "exact, at the price of up to a tick of processor time per sleep",
    ),
];
/// Beginning of a command that starts another as a real-time thread on Linux, of a priority that follows.
pub(super) const REAL_TIME: &str = "chrt --fifo ";
const SLACK: &[Line] = &[
    ("Linux", "prctl(PR_SET_TIMERSLACK, 1)", "for the calling thread; 0 restores the default"),
    ("Linux", "chrt --fifo 1 COMMAND", "real-time threads have no slack; needs the privilege"),
    ("macOS", CONSTRAINT, "no leeway for this thread"),
    ("FreeBSD", "sysctl kern.timecounter.alloweddeviation=0", "exact timers, more interrupts"),
];
const PROPORTIONAL: &[Line] = &[
    (
        "Linux",
        "clock_nanosleep or timerfd in place of select, poll and epoll_wait",
        "only the polling calls stretch with the request",
    ),
    (
        "FreeBSD",
        "sysctl kern.timecounter.alloweddeviation=0",
        "exact timers, more interrupts; the sleeps are longer, and no clock drifts",
    ),
    ("macOS", CONSTRAINT, "no leeway for this thread"),
];
/// The settings that exempt a thread, or one timer, from macOS' coalescing.
const CONSTRAINT: &str = "THREAD_TIME_CONSTRAINT_POLICY, or kevent with NOTE_CRITICAL";
const DRIFT: &[Line] = &[
    ("macOS", "mach_wait_until with deadlines on mach_absolute_time", "each sleep then corrects the last"),
    (
        "Windows",
        "count deadlines on QueryPerformanceCounter and ask a waitable timer for what is left",
        "each sleep then corrects the last",
    ),
    (
        "any",
        "ask for absolute deadlines on the clock you judge by",
        "each sleep then corrects the last; nothing accumulates",
    ),
    ("Linux", "clocksource and tick device driven by the same counter", "removes the difference itself"),
];
const CALIBRATION: &[Line] = &[
    (
        "Linux",
        "boot without highres=off and nohz=off, so that timers are set by the clock's own counter",
        "tick and clock then have one rate",
    ),
    (
        "FreeBSD",
        "sysctl machdep.tsc_freq=HZ with the stated rate, or kern.eventtimer.timer=NAME of a timer that needs no calibration",
        "which of them depends on the counter that is off",
    ),
    (
        "any",
        "ask for absolute deadlines on the clock you judge by",
        "each sleep then corrects the last; nothing accumulates",
    ),
];
const QUEUE: &[Line] = &[
    (
        "Linux",
        "chrt --fifo 1 COMMAND, or a processor of its own (isolcpus, taskset)",
        "leave a processor for the others",
    ),
    (
        "Windows",
        "AvSetMmThreadCharacteristics(\"Pro Audio\"), or SetThreadPriority(THREAD_PRIORITY_TIME_CRITICAL)",
        "runs before threads of normal priority",
    ),
    (
        "macOS",
        "THREAD_TIME_CONSTRAINT_POLICY, or pthread_set_qos_class_self_np(QOS_CLASS_USER_INTERACTIVE)",
        "runs before threads of other classes",
    ),
    ("FreeBSD", "rtprio 0 COMMAND", "before all time-sharing threads; needs root"),
    ("DragonFly BSD", "rtprio 0 COMMAND", "before all time-sharing threads; needs root"),
    ("NetBSD", "schedctl -C FIFO -P 1 -p PID", "before all time-sharing threads; needs root"),
    ("illumos", "priocntl -e -c RT COMMAND", "before all time-sharing threads; needs proc_priocntl"),
];
const QUOTA: &[Line] = &[(
    "Linux",
    "raise cpu.max of the thread's control group, or let fewer of its threads run",
    "its processor time is used up",
)];
const WHEEL: &[Line] =
    &[("Linux", "poll or ppoll before the call, in place of a socket timeout", "timers in place of the wheel")];
const IDLE: &[Line] =
    &[("Linux", "hold /dev/cpu_dma_latency open with a small value", "shallow idle only, while held; costs power")];
const FIRST: &[Line] =
    &[("any", "call once before it matters; mlockall", "pays for page faults and lazy set-up in advance")];
const EARLY: &[Line] = &[
    ("Windows", "read QueryPerformanceCounter after waking and wait for the rest", "never early, at one clock reading"),
    ("any", "read the clock after waking and sleep the rest", "never early, at one clock reading"),
];
const COALESCE: &[Line] = &[
    ("macOS", "THREAD_TIME_CONSTRAINT_POLICY; disable App Nap for the process", "no leeway"),
    ("Windows", "SetWaitableTimer with a tolerable delay of 0", "no coalescing"),
    ("FreeBSD", "sysctl kern.timecounter.alloweddeviation=0", "exact timers, more interrupts"),
];
const PERIODIC: &[Line] = &[("any", "find the process or driver with that period and move or stop it", "")];
const HOST: &[Line] =
    &[("any", "a host without overcommitted processors; firmware without SMIs", "not in the guest's hands")];
const HELD_BACK: &[Line] = &[(
    "any",
    "where the host or firmware had the processor: a host without overcommitted processors, firmware without SMIs; where kernel code had \
     turned interrupts off: another driver, or PREEMPT_RT",
    "`oversleep stalls` shows the times that the host or firmware took",
)];
const MISSED: &[Line] = &[(
    "any",
    "remove what makes the latest wake-ups late: the other causes, or what `oversleep measure --on-late` shows",
    "a period is skipped only after a wake-up that came later than its deadline",
)];
const COST: &[Line] = &[(
    "any",
    "wake that much before the deadline and spin the rest",
    "this project's sleep library learns how much: Sleeper, and Ticker for a frame loop",
)];
const HUNG: &[Line] = &[("any", "ask for a tick or more", "the kernel then rounds to at least one tick, and wakes")];
const CLOCK: &[Line] = &[
    ("Windows", "time with QueryPerformanceCounter and sleep for durations", "it is never set"),
    ("macOS", "time with mach_absolute_time and sleep with mach_wait_until", "it is never set"),
    ("any", "time and sleep on the monotonic clock", "it is steered, never set"),
];
const CACHED: &[Line] = &[(
    "FreeBSD",
    "sysctl kern.timecounter.nanosleep_precise=1, and no clock whose name ends in _FAST",
    "sleeps then count from the time itself, not from the last tick's",
)];

fn lines(cause: Cause) -> &'static [Line] {
    match cause {
        Cause::TickQuantised => TICK,
        Cause::TimerSlack => SLACK,
        Cause::ProportionalSlack => PROPORTIONAL,
        Cause::ClockDrift | Cause::Sawtooth => DRIFT,
        Cause::Calibration => CALIBRATION,
        Cause::RunQueue => QUEUE,
        Cause::Throttled => QUOTA,
        Cause::TimerWheel => WHEEL,
        Cause::IdleExit => IDLE,
        Cause::FirstCall => FIRST,
        Cause::EarlyWake => EARLY,
        Cause::Coalescing => COALESCE,
        Cause::PeriodicInterference => PERIODIC,
        Cause::HostSteal => HOST,
        Cause::LateInterrupt => HELD_BACK,
        Cause::ClockStep => CLOCK,
        Cause::CachedClock => CACHED,
        Cause::Hung => HUNG,
        Cause::ConstantCost => COST,
        Cause::MissedPeriods => MISSED,
        Cause::Bimodal | Cause::ChangePoint | Cause::Stopped => &[],
    }
}

impl Cause {
    /// Returns the remedies for the cause, per system; empty where nothing is known to help.
    pub fn remedies(self) -> Vec<Remedy> {
        let owned = |&(system, command, note): &Line| Remedy::new(system, command, note);
        lines(self).iter().map(owned).collect()
    }
}

/// Returns a system's name in these tables, given the name that `uname` reports.
pub(super) fn system_of(uname: &str) -> &str {
    match uname {
        "Darwin" => "macOS",
        "SunOS" => "illumos",
        "DragonFly" => "DragonFly BSD",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::System;

    #[test]
    fn every_remedy_is_of_a_system_that_is_known() {
        let known: Vec<_> = System::ALL.iter().map(|system| system.name()).chain(["any"]).collect();
        for cause in Cause::ALL {
            for remedy in cause.remedies() {
                assert!(known.contains(&remedy.system.as_str()), "{cause}: {}", remedy.system);
            }
        }
        assert_eq!(
            ["Darwin", "SunOS", "DragonFly", "Windows"].map(system_of),
            ["macOS", "illumos", "DragonFly BSD", "Windows"]
        );
    }

    /// Each system's first remedy is one for that system.
    #[test]
    fn a_system_is_told_its_own_remedy() {
        let first = |cause: Cause, system: &str| {
            let remedies = cause.remedies();
            remedies
                .iter()
                .find(|remedy| remedy.system == system)
                .map(|remedy| remedy.command.clone())
                .unwrap_or_default()
        };
        assert!(first(Cause::TickQuantised, "Windows").contains("timeBeginPeriod"));
        assert!(first(Cause::TickQuantised, "Windows").contains("HIGH_RESOLUTION"));
        assert!(first(Cause::Coalescing, "macOS").contains("THREAD_TIME_CONSTRAINT_POLICY"));
        assert!(first(Cause::ProportionalSlack, "FreeBSD").contains("alloweddeviation"));
        assert!(first(Cause::ClockDrift, "macOS").contains("mach_wait_until"));
        assert!(first(Cause::ClockStep, "Windows").contains("QueryPerformanceCounter"));
    }
}
