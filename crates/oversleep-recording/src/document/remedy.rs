//! What to do about each cause, per system.

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
    (
        "any",
        "sleep until one tick before the deadline, then spin",
        "exact, at the price of up to a tick of processor time per sleep",
    ),
];
const SLACK: &[Line] = &[
    ("Linux", "prctl(PR_SET_TIMERSLACK, 1)", "for the calling thread; 0 restores the default"),
    ("Linux", "chrt --fifo 1 COMMAND", "real-time threads have no slack; needs the privilege"),
];
const PROPORTIONAL: &[Line] = &[
    (
        "Linux",
        "clock_nanosleep or timerfd in place of select, poll and epoll_wait",
        "only the polling calls stretch with the request",
    ),
    ("FreeBSD", "sysctl kern.timecounter.alloweddeviation=0", "exact timers, more interrupts"),
    ("macOS", "THREAD_TIME_CONSTRAINT_POLICY, or kevent with NOTE_CRITICAL", "no leeway for this thread"),
];
const DRIFT: &[Line] = &[
    (
        "any",
        "ask for absolute deadlines on the clock you judge by",
        "each sleep then corrects the last; nothing accumulates",
    ),
    ("Linux", "clocksource and tick device driven by the same counter", "removes the difference itself"),
];
const QUEUE: &[Line] = &[
    (
        "Linux",
        "chrt --fifo 1 COMMAND, or a processor of its own (isolcpus, taskset)",
        "leave a processor for the others",
    ),
    ("Windows", "SetThreadPriority(THREAD_PRIORITY_TIME_CRITICAL)", "runs before threads of normal priority"),
];
const WHEEL: &[Line] =
    &[("Linux", "poll or ppoll before the call, in place of a socket timeout", "timers in place of the wheel")];
const IDLE: &[Line] =
    &[("Linux", "hold /dev/cpu_dma_latency open with a small value", "shallow idle only, while held; costs power")];
const FIRST: &[Line] =
    &[("any", "call once before it matters; mlockall", "pays for page faults and lazy set-up in advance")];
const EARLY: &[Line] =
    &[("any", "read the clock after waking and sleep the rest", "never early, at one clock reading")];
const COALESCE: &[Line] = &[
    ("macOS", "THREAD_TIME_CONSTRAINT_POLICY; disable App Nap for the process", "no leeway"),
    ("Windows", "SetWaitableTimer with a tolerable delay of 0", "no coalescing"),
];
const PERIODIC: &[Line] = &[("any", "find the process or driver with that period and move or stop it", "")];
const HOST: &[Line] =
    &[("any", "a host without overcommitted processors; firmware without SMIs", "not in the guest's hands")];
const CLOCK: &[Line] = &[("any", "time and sleep on the monotonic clock", "it is steered, never set")];
const CACHED: &[Line] = &[("FreeBSD", "sysctl kern.timecounter.tick=1", "refreshes the cached time at every tick")];

fn lines(cause: Cause) -> &'static [Line] {
    match cause {
        Cause::TickQuantised => TICK,
        Cause::TimerSlack => SLACK,
        Cause::ProportionalSlack => PROPORTIONAL,
        Cause::ClockDrift | Cause::Sawtooth => DRIFT,
        Cause::RunQueue | Cause::Throttled => QUEUE,
        Cause::TimerWheel => WHEEL,
        Cause::IdleExit => IDLE,
        Cause::FirstCall => FIRST,
        Cause::EarlyWake => EARLY,
        Cause::Coalescing => COALESCE,
        Cause::PeriodicInterference => PERIODIC,
        Cause::HostSteal | Cause::LateInterrupt => HOST,
        Cause::ClockStep => CLOCK,
        Cause::CachedClock => CACHED,
        Cause::ConstantCost | Cause::Bimodal | Cause::ChangePoint | Cause::Stopped | Cause::MissedPeriods => &[],
    }
}

impl Cause {
    /// What to do about it, per system; empty where nothing is known to help.
    pub fn remedies(self) -> Vec<Remedy> {
        let owned = |&(system, command, note): &Line| Remedy {
            system: system.into(),
            command: command.into(),
            note: note.into(),
        };
        lines(self).iter().map(owned).collect()
    }
}
