//! What happens to sleeps beside the laws of their call: other threads, power saving, quotas, suspension, clocks, slips of
//! units, and laws of libraries that nobody has told us of.

use super::candidate::{Candidate, Event, Variant, is_early};
use super::systems::{Stated, tick_up};
use super::unknown::centre;
use oversleep_recording::asked::{AskedPair, Figure, Platform, Question, StatedCondition};
use oversleep_recording::catalog::{CallRule, KernelWait};
use oversleep_sim::law::{Even, Govern, Law, LoopTime, Quota, Units};
use oversleep_sys::units::Nanos;
use std::collections::BTreeSet;

const US: f64 = 1e3;
const MS: f64 = 1e6;
const S: f64 = 1e9;

/// What every event is built from: what was stated, and the likeliest law of the stated call, which goes on beside it.
struct Ground<'a> {
    stated: &'a Stated<'a>,
    base: Vec<Law>,
    is_runtime: bool,
    platform: Option<Platform>,
}

/// Returns the candidates beside the laws of the call, of which `expected` are those.
pub(super) fn candidates(stated: &Stated<'_>, expected: &[Candidate]) -> Vec<Candidate> {
    // What happens in the background only is no ground for anything else.
    let ordinary = expected.iter().filter(|candidate| !matches!(candidate.id, "app-nap" | "background-band"));
    let likeliest = ordinary.max_by(|a, b| a.prior.total_cmp(&b.prior));
    let base = likeliest.and_then(|candidate| candidate.variants.iter().max_by(|a, b| a.weight.total_cmp(&b.weight)));
    let ground = Ground {
        stated,
        base: base.map(|variant| variant.laws.clone()).unwrap_or_default(),
        is_runtime: stated.question.call_row().is_some_and(|row| !row.runtime.is_empty()),
        platform: stated.question.platform(),
    };
    let mut all = vec![run_queue(&ground), host(&ground), suspended(&ground), clock_step(&ground)];
    all.extend(idle_exit(&ground));
    all.extend(interference(&ground));
    all.extend(quotas(&ground));
    all.extend(collections(&ground));
    all.extend(hidden_page(&ground));
    all.extend(early(&ground));
    all.push(refused(&ground));
    all.extend(overflow(&ground));
    all.extend(units(&ground));
    all.extend(rate_and_cut(&ground));
    all.extend(of_libraries(&ground));
    // An event that is smaller than what the laws themselves do is part of their scatter, and no cause.
    let alone = ground.with(1.0, Event::None);
    let tells = |variant: &Variant| {
        let size = match variant.event {
            Event::Delay { to, .. } | Event::Even { to, .. } => to,
            // A slip that the laws hide explains no more than they do alone.
            Event::None | Event::Ratio(_) => {
                let is_beyond = |pair: &AskedPair| {
                    let asked = pair.requested.as_f64();
                    let ((least, most, _), (own_least, own_most, _)) = (variant.lengths(asked), alone.lengths(asked));
                    let by = 0.01 * alone.change(asked) + 1.0;
                    // What ends sleeps early cannot explain figures none of which is.
                    least < own_least - by && is_early(pair) || most > own_most + by
                };
                return ground.stated.question.pairs.iter().any(is_beyond);
            }
            Event::Constant(_) | Event::Cut { .. } | Event::Plateau { .. } => return true,
        };
        ground.requests().any(|asked| size > alone.change(asked))
    };
    for candidate in &mut all {
        let whole: f64 = candidate.variants.iter().map(|variant| variant.weight).sum();
        candidate.variants.retain(tells);
        // What is left is as probable as it was among all.
        candidate.prior *= candidate.variants.iter().map(|variant| variant.weight).sum::<f64>() / whole.max(1e-9);
    }
    all.retain(|candidate| candidate.prior > 0.0 && !candidate.variants.is_empty());
    all
}

impl Ground<'_> {
    fn with(&self, weight: f64, event: Event) -> Variant {
        Variant { weight, laws: self.base.clone(), event }
    }

    /// Returns delays of each size, of few, some or nearly all sleeps.
    fn delays(&self, sizes: &[(f64, f64, f64)]) -> Vec<Variant> {
        let shares = [(0.001, 0.1), (0.004, 0.1), (0.03, 0.2), (0.3, 0.25), (0.95, 0.35)];
        let each = sizes.iter().flat_map(|(weight, from, to)| {
            shares.map(|(share, often)| self.with(weight * often, Event::Delay { share, from: *from, to: *to }))
        });
        each.collect()
    }

    fn is_linux(&self) -> bool {
        self.platform.is_none_or(|platform| platform == Platform::Linux)
    }

    fn is_small(&self) -> bool {
        self.platform.is_some_and(Platform::is_small)
    }

    fn requests(&self) -> impl Iterator<Item = f64> {
        self.stated.question.pairs.iter().map(|pair| pair.requested.as_f64())
    }

    /// Returns whether every sleep lasted at all: one that did not tells no ratio and no constant.
    fn slept(&self) -> bool {
        self.stated.question.pairs.iter().all(|pair| pair.requested.get() == 0 || centre(pair) > 0.0)
    }

    fn longest(&self) -> f64 {
        self.requests().fold(0.0, f64::max)
    }
}

/// The processor was another's when the sleep was over.
fn run_queue(ground: &Ground<'_>) -> Candidate {
    let stated = ground.stated;
    let loaded = stated.is_loaded();
    let prior = match (loaded, stated.is_real_time()) {
        (true, false) => 0.6,
        (true, true) => 0.5,
        (false, true) => 0.05,
        (false, false) => 0.08,
    };
    let (name, remedy) = if stated.is_real_time() {
        (
            "preemption: a thread of higher or equal priority had the processor",
            "a priority of this thread above the others', or a lower one of who had the processor (ps -eo pid,rtprio,comm --sort=-rtprio), or a \
             processor of its own (isolcpus)",
        )
    } else {
        (
            "run queue or preemption: other threads had the processor",
            "a higher priority (nice -n -10, chrt -f 1; Windows: THREAD_PRIORITY_HIGHEST; macOS: a time-constraint policy), or fewer busy threads than \
             processors",
        )
    };
    let sizes = [
        (0.1, 10.0 * US, 0.1 * MS),
        (0.25, 0.1 * MS, MS),
        (0.35, MS, 10.0 * MS),
        (0.2, 10.0 * MS, 0.1 * S),
        (0.1, 0.1 * S, 2.0 * S),
    ];
    let mut candidate = Candidate::new(
        "run-queue",
        name,
        prior,
        ground.delays(&sizes),
        remedy,
        "a trace of the scheduler (oversleep measure --trace; Linux: perf sched timehist) shows who ran while the sleeper was ready",
    );
    candidate.after_interrupt = true;
    if loaded {
        candidate.reasons.push("the machine is stated to be busy".to_owned());
    }
    candidate
}

/// The hypervisor ran somebody else.
fn host(ground: &Ground<'_>) -> Candidate {
    let prior = match (ground.stated.is_guest(), ground.stated.is_real_time()) {
        // Nothing of the guest's own delays its real-time threads as much.
        (true, true) => 0.25,
        (true, false) => 0.12,
        // Nothing that small is one.
        (false, _) if ground.is_small() => 0.0,
        (false, _) => 0.01,
    };
    let mut candidate = Candidate::new(
        "host-steal",
        "the host ran something else than this virtual machine",
        prior,
        ground.delays(&[(0.3, 0.1 * MS, MS), (0.4, MS, 10.0 * MS), (0.2, 10.0 * MS, 0.1 * S), (0.1, 0.1 * S, S)]),
        "processors of its own for the guest, or another host",
        "watch the steal time (vmstat, st) while it happens; oversleep stalls shows all processors stopping at once",
    );
    candidate.after_interrupt = true;
    candidate
}

/// The machine was suspended meanwhile.
fn suspended(ground: &Ground<'_>) -> Candidate {
    let said = ground
        .stated
        .find(|condition| if let StatedCondition::Suspended(time) = condition { Some(*time) } else { None });
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
        (false, false) => by_length,
    };
    let variants = match said.flatten() {
        Some(time) => {
            vec![ground.with(1.0, Event::Even { share: 0.95, from: 0.95 * time.as_f64(), to: 1.05 * time.as_f64() })]
        }
        None => [0.95, 0.2].map(|share| ground.with(0.5, Event::Delay { share, from: 2.0 * S, to: 3e5 * S })).to_vec(),
    };
    // A clock that stands still gains nothing on the wall clock, and a sleep that is timed by it does not end before it shows the time.
    let is_impossible = |pair: &AskedPair| {
        let time = |find: fn(&Figure) -> Option<Nanos>| pair.figures.iter().find_map(find);
        let wall = time(|figure| if let Figure::Wall(at) = figure { Some(at.time) } else { None });
        let uptime = time(|figure| if let Figure::Uptime(at) = figure { Some(at.time) } else { None });
        wall.zip(uptime).is_some_and(|(wall, uptime)| uptime > wall || uptime < pair.requested)
    };
    let prior = if ground.stated.question.pairs.iter().any(is_impossible) { 0.0 } else { prior };
    let mut candidate = Candidate::new(
        "suspended",
        "the machine, or the application, was suspended meanwhile: the sleep is timed on a clock that stands still then",
        prior,
        variants,
        "a timer on the clock that counts suspension (Linux: CLOCK_BOOTTIME; macOS: mach_continuous_time or wall-clock dispatch times; Windows: \
         SetWaitableTimer with an absolute time), or no suspension meanwhile (systemd-inhibit, caffeinate, powercfg)",
        "read both clocks before and after (Linux: CLOCK_BOOTTIME and CLOCK_MONOTONIC): the difference is the time asleep; pmset -g log and \
         journalctl say when",
    );
    candidate.parts_clocks = true;
    if said.is_some() {
        candidate.reasons.push("the machine is stated to have been suspended".to_owned());
    }
    candidate
}

/// Shares of the sleeps that something ends early, where it ends any.
const CUT_SHARES: [f64; 2] = [1.0, 0.2];

/// The clock that the figures were read from was set.
fn clock_step(ground: &Ground<'_>) -> Candidate {
    let sizes = [(1.0, 10.0 * MS, 3600.0 * S)];
    let mut variants = ground.delays(&sizes);
    variants.extend(CUT_SHARES.map(|share| ground.with(0.15, Event::Cut { share })));
    let is_early = |pair: &AskedPair| {
        let of = |figure: &Figure| matches!(figure, Figure::Wall(at) if at.time < pair.requested);
        pair.figures.iter().any(of)
    };
    let early_by_the_wall = ground.stated.question.pairs.iter().any(is_early);
    let mut candidate = Candidate::new(
        "clock-step",
        "the wall clock was set meanwhile",
        if ground.stated.has(&StatedCondition::ClockSet) {
            0.9
        } else if early_by_the_wall {
            0.5
        } else if ground.stated.is_guest() {
            0.02
        } else {
            0.006
        },
        variants,
        "measure with a monotonic clock",
        "the same by a monotonic clock: if that is right, the wall clock was set",
    );
    candidate.parts_clocks = true;
    candidate
}

/// The processor was in a deep idle state.
fn idle_exit(ground: &Ground<'_>) -> Option<Candidate> {
    let stated = ground.stated;
    if stated.has(&StatedCondition::IdleStatesOff) || stated.is_loaded() || ground.is_small() {
        return None;
    }
    let prior = if stated.is_real_time() {
        0.35
    } else if stated.is_guest() {
        0.12
    } else {
        0.07
    };
    let even = |weight: f64, to: f64| ground.with(weight, Event::Even { share: 0.8, from: 0.0, to });
    Some(Candidate::new(
        "idle-exit",
        "the way out of a deep idle state of the processor",
        prior,
        vec![even(0.3, 20.0 * US), even(0.3, 60.0 * US), even(0.3, 150.0 * US), even(0.1, 400.0 * US)],
        "/dev/cpu_dma_latency held open at 0 while it matters (cyclictest does), or deep states disabled (cpupower idle-set -D 10), or C-states \
         limited in the firmware's settings",
        "hold /dev/cpu_dma_latency at 0 (oversleep diagnose does): if the spread shrinks, it was the idle state",
    ))
}

/// Interrupts, drivers, kernel threads and firmware had the processor of a real-time thread.
fn interference(ground: &Ground<'_>) -> Vec<Candidate> {
    let real_time = ground.stated.is_real_time() || ground.stated.system().is_some_and(|system| system.real_time);
    let sizes = [(0.2, 5.0 * US, 50.0 * US), (0.5, 50.0 * US, 0.5 * MS), (0.3, 0.5 * MS, 5.0 * MS)];
    let prior = if real_time { 0.3 } else { 0.03 };
    let mut kernel = Candidate::new(
        "interference",
        "the kernel's own work on that processor: an interrupt, a driver, a kernel thread",
        prior,
        ground.delays(&sizes),
        "interrupts and kernel threads moved elsewhere (irqaffinity, isolcpus, tuned's realtime profile), or a device's power management turned \
         off (power/control = on) if its driver is the one, or another driver",
        "rtla timerlat -T, or a trace of the interval before the worst wake-up, names who ran (oversleep measure --trace)",
    );
    kernel.after_interrupt = true;
    let firmware = Candidate::new(
        "firmware",
        "firmware (system management interrupts) held the processor",
        if real_time { 0.03 } else { 0.002 },
        ground.delays(&sizes),
        "options of the firmware: power management, USB emulation, error reporting off",
        "oversleep stalls: all processors stop at once, with no interrupt counted; or rtla hwnoise",
    );
    vec![kernel, firmware]
}

/// Number of delays that a quota may make alike.
const PLATEAUS: u32 = 40;

/// The processor time of a group, or of real-time threads, is limited.
fn quotas(ground: &Ground<'_>) -> Vec<Candidate> {
    let stated = ground.stated;
    // Quotas came with Linux 3.2 (CONFIG_CFS_BANDWIDTH), throttling with 2.6.25.
    let is_old = |(major, minor)| stated.system().is_some_and(|system| system.is_before(major, minor));
    if !ground.is_linux() || is_old((3, 2)) {
        return Vec::new();
    }
    let said = stated.find(|condition| {
        if let StatedCondition::Quota(time, period) = condition { Some((time.as_f64(), period.as_f64())) } else { None }
    });
    // Sleeps that end while the group may run are in time; the others wait for what is left of the period.
    let with = |weight: f64, period: f64, quota: f64| {
        let most = (Quota { periods: Even { period, phase: 0.0 }, quota }).lengths(0.0).most.max(1.0);
        ground.with(weight, Event::Even { share: (most / period).clamp(0.02, 0.98), from: 0.0, to: most })
    };
    let contained =
        ["docker", "kubernetes", "k8s", "container", "cgroup", "pod"].iter().any(|word| stated.is_named(word));
    let variants = if let Some((quota, period)) = said {
        let up_to = |share, weight: f64, most: f64| ground.with(weight, Event::Even { share, from: 0.0, to: most });
        // Several threads use it up sooner, or in some periods only.
        let mut variants = vec![up_to(0.95, 0.15, 0.97 * period)];
        variants.extend([0.01, 0.1, 0.4].map(|share| up_to(share, 0.1, 0.97 * period)));
        if quota < period {
            let most = period - quota;
            variants.extend([with(0.3, period, quota), up_to(0.95, 0.3, most)]);
            // Busy threads that use the quota up at the same phase of each period delay everybody by the same time.
            let cell = most / f64::from(PLATEAUS);
            variants.extend((0..PLATEAUS).map(|index| {
                let from = cell * f64::from(index);
                ground.with(0.4 / f64::from(PLATEAUS), Event::Plateau { from, to: from + cell, most })
            }));
        }
        variants
    } else {
        // A group may use its quota up in some periods only.
        let rarely = |share: f64| Event::Even { share, from: 0.0, to: 95.0 * MS };
        let mut variants = [0.1, 0.25, 0.5, 0.8].map(|share| with(0.15, 100.0 * MS, share * 100.0 * MS)).to_vec();
        variants.extend([0.005, 0.05].map(|share| ground.with(0.2, rarely(share))));
        variants
    };
    let mut quota = Candidate::new(
        "quota",
        "the group's processor quota: once it is used up, nothing of it runs until the next period",
        if said.is_some_and(|(quota, period)| quota < period) {
            1.2
        } else if said.is_some() {
            0.4
        } else if contained {
            // Containers have no quota unless they are given one.
            0.1
        } else if stated.is_real_time() {
            // Quotas are of the fair class.
            0.0
        } else {
            0.01
        },
        variants,
        "a larger quota, or the same share of a shorter period (cpu.max, cpu.cfs_period_us); or move the busy threads out of the group",
        "cpu.stat of the group: nr_throttled and throttled_usec rise with each stall, and stalls end at the same phase of the period",
    );
    quota.after_interrupt = true;
    if let Some((time, period)) = said {
        let period_text = super::sentence::time(period);
        quota.reasons.push(if time < period {
            format!(
                "a quota is stated that leaves up to {} of every {period_text} without the processor",
                super::sentence::time(period - time)
            )
        } else {
            format!("a quota is stated, which several busy threads use up within a period of {period_text}")
        });
    }
    let real_time = stated.is_real_time();
    let mut throttled = Candidate::new(
        "real-time-throttling",
        "real-time throttling: 50 ms of each second are not for real-time threads",
        if real_time { 0.003 } else { 0.0 },
        [0.05, 0.5].map(|share| ground.with(0.5, Event::Even { share, from: 0.0, to: 50.0 * MS })).to_vec(),
        "let the real-time threads sleep in between; or sysctl kernel.sched_rt_runtime_us=-1, at the risk of a machine that hangs",
        "sysctl kernel.sched_rt_runtime_us=-1: the pauses of 50 ms each second vanish",
    );
    throttled.after_interrupt = true;
    vec![quota, throttled]
}

/// A runtime collected garbage.
fn collections(ground: &Ground<'_>) -> Option<Candidate> {
    let collects = ["Go", "Java", ".NET", "Python", "Python's asyncio", "Node.js", "Ruby", "Dart", "Kotlin", "Erlang"];
    let runtime = ground.stated.question.call_row().map(|row| row.runtime)?;
    if !collects.contains(&runtime) {
        return None;
    }
    let mut candidate = Candidate::new(
        "runtime-busy",
        "the runtime was busy: its loop, its lock or its garbage collection",
        0.05,
        ground.delays(&[(0.3, 0.1 * MS, MS), (0.4, MS, 10.0 * MS), (0.3, 10.0 * MS, 0.3 * S)]),
        "a thread of its own for what has to be in time, and less work at once in the loop",
        "the runtime's own log of collections (GODEBUG=gctrace=1, -Xlog:gc, --trace-gc) and of slow callbacks beside the late sleeps",
    );
    candidate.after_interrupt = true;
    Some(candidate)
}

/// The least time of timers that are nested more than five deep, in ns (html.spec.whatwg.org, timer initialization steps).
const LEAST_OF_PAGES: f64 = 4.0 * MS;

/// A browser slows the timers of a page: hidden, or set from one timer after the other.
fn hidden_page(ground: &Ground<'_>) -> Option<Candidate> {
    let stated = ground.stated;
    let row = stated.question.call_row()?;
    let is_browser = stated.is_browser();
    // Frames of a hidden page are not drawn at all.
    if (!row.names.contains(&"setTimeout") && !is_browser) || row.wait == KernelWait::Own {
        return None;
    }
    let hidden = stated.has(&StatedCondition::Background);
    if !hidden && ground.requests().all(|asked| asked >= LEAST_OF_PAGES) {
        return None;
    }
    // developer.chrome.com, timer throttling in Chrome 88: of Chrome and what is built on it.
    let by_minutes = if ["firefox", "safari"].iter().any(|name| stated.is_named(name)) { 0.0 } else { 0.25 };
    let slowed = |weight: f64, law: Law| Variant { weight, laws: vec![law], event: Event::None };
    let least = |least: f64| Law::Units(Units { unit: MS, up: false, least });
    let variants = if hidden {
        vec![slowed(0.45, tick_up(S, 0)), slowed(0.3, least(S)), slowed(by_minutes, tick_up(60.0 * S, 0))]
    } else if ground.platform == Some(Platform::Windows) {
        let at_ticks = |weight: f64, tick: f64| Variant {
            weight,
            laws: vec![least(LEAST_OF_PAGES), tick_up(tick * MS, 0)],
            event: Event::None,
        };
        vec![at_ticks(0.7, 1.0), at_ticks(0.3, 15.625)]
    } else {
        vec![slowed(1.0, least(LEAST_OF_PAGES))]
    };
    let mut candidate = Candidate::new(
        "browser-throttling",
        if hidden {
            "the browser slows timers of hidden pages to one a second, Chrome later to one a minute"
        } else {
            "the browser's least time for timers, 4 ms from the fifth in a row on"
        },
        match (hidden, is_browser) {
            (true, _) => 0.8,
            (false, true) => 0.5,
            (false, false) => 0.05,
        },
        variants,
        if hidden {
            "a worker; Electron: backgroundThrottling: false"
        } else {
            "MessageChannel or scheduler.postTask for a step without a delay"
        },
        if hidden {
            "the same in a page that is visible: if that is in time, it was the browser"
        } else {
            "five timers that are set at once, none by another: if they are in time, it was the browser"
        },
    );
    if hidden {
        candidate.reasons.push("the page is stated to be in the background".to_owned());
    }
    Some(candidate)
}

/// Sleeps that end early.
fn early(ground: &Ground<'_>) -> Vec<Candidate> {
    let stated = ground.stated;
    let blocked =
        stated.find(|condition| if let StatedCondition::Blocked(time) = condition { Some(*time) } else { None });
    let loops = stated.question.call_row().is_some_and(|row| row.wait == KernelWait::Poll && !row.runtime.is_empty());
    let counts_from =
        |step: f64, blocked: f64| Law::LoopTime(LoopTime { clock: Even { period: step, phase: 0.0 }, blocked });
    let before = |weight: f64, law: Law| {
        let mut laws = vec![law];
        laws.extend(&ground.base);
        Variant { weight, laws, event: Event::None }
    };
    let mut cut = Candidate::new(
        "milliseconds-cut",
        "times are cut to whole milliseconds, so it ends up to 1 ms early",
        if ground.is_runtime || stated.question.call_row().is_none() { 0.02 } else { 0.008 },
        vec![before(1.0, counts_from(MS, 0.0))],
        "ask for a millisecond more, or check a finer clock and sleep again until the time is over",
        "sleep 1.5 ms a hundred times: cut to milliseconds it ends early in most",
    );
    let browser = stated.is_browser();
    let coarse: &[(f64, f64)] = match ground.platform {
        // developer.mozilla.org, performance.now: the steps to which browsers round it.
        _ if browser => &[(0.5, MS), (0.5, 0.1 * MS)],
        Some(Platform::Windows) => &[(0.8, 15.625 * MS), (0.2, 10.0 * MS)],
        _ => &[(0.4, 4.0 * MS), (0.4, 10.0 * MS), (0.2, 15.625 * MS)],
    };
    let clock = Candidate::new(
        "coarse-clock",
        if browser {
            "the browser rounds performance.now (Firefox and Safari to 1 ms, others to 100 µs), so that ends look early"
        } else {
            "it counts on a coarse clock, so a finer one sees early ends"
        },
        if browser || ground.platform == Some(Platform::Windows) { 0.03 } else { 0.006 },
        coarse.iter().map(|(weight, step)| before(*weight, counts_from(*step, 0.0))).collect(),
        "check a fine monotonic clock after the wake-up, and sleep again until the time is over",
        "print the coarse clock (GetTickCount64, CLOCK_MONOTONIC_COARSE) beside the fine one: by the coarse one it is in time",
    );
    let lengths = match blocked.flatten() {
        Some(time) => vec![before(1.0, counts_from(MS, time.as_f64()))],
        None => CUT_SHARES.map(|share| ground.with(0.5, Event::Cut { share })).to_vec(),
    };
    let mut cached = Candidate::new(
        "cached-loop-time",
        "the event loop's cached time: the timer counts from before the loop was blocked, and ends as much early",
        match (blocked.is_some(), loops, stated.question.call_row().is_some()) {
            (true, ..) => 0.6,
            (_, true, _) => 0.05,
            (.., false) => 0.003,
            // A call of the system has no loop.
            _ => 0.0,
        },
        lengths,
        "update the loop's time before the timer is set (uv_update_time, loop.time()), or keep the loop from being blocked",
        "set the timer from a fresh turn of the loop (setImmediate, call_soon): if it is then in time, it was the cached time",
    );
    let early_by = stated.question.pairs.iter().map(|pair| pair.requested.as_f64() - centre(pair)).fold(0.0, f64::max);
    if blocked.is_none() && early_by > LONGEST_BLOCKED {
        cached.prior = 0.0;
    }
    // The loop's own work comes on top of the time between its wake-ups.
    let mut work = Candidate::new(
        "own-work",
        "the loop's own work: the next sleep begins only when it is done",
        0.3,
        Vec::new(),
        "sleep until the next deadline of a schedule, or take the time of the work off the next sleep",
        "make the work twice as long: the periods grow by it",
    );
    if blocked.is_none() && stated.question.pairs.iter().any(|pair| pair.is_rate) {
        work.prior = 1.0;
        work.reasons.push("a rate is stated, and the work of each turn is part of its period".to_owned());
        let of_size = |(weight, from, to)| ground.with(weight, Event::Delay { share: 0.95, from, to });
        work.variants.extend(WORK.map(of_size));
    }
    if let Some(blocked) = blocked {
        cached.reasons.push("the loop is stated to have been blocked before".to_owned());
        work.variants.extend(blocked.map(Nanos::as_f64).map(|time| Variant {
            weight: 1.0,
            laws: Vec::new(),
            event: Event::Even { share: 0.95, from: OWN_WORK.0 * time, to: OWN_WORK.1 * time },
        }));
    }
    let unix = ground.platform != Some(Platform::Windows) && !ground.is_small();
    let interrupted = Candidate::new(
        "interrupted",
        "a signal or another event ended the wait before its time",
        match (stated.has(&StatedCondition::Interrupted), unix) {
            (true, _) => 1.0,
            (false, true) => 0.012,
            (false, false) => 0.004,
        },
        CUT_SHARES.map(|share| ground.with(0.5, Event::Cut { share })).to_vec(),
        "look at the return value (EINTR, the time left) and sleep again until the deadline",
        "strace -f or the call's return value: EINTR, or a wait that something else satisfied",
    );
    cut.reasons.extend(ground.is_runtime.then(|| "runtimes' timers often count in milliseconds".to_owned()));
    vec![cut, clock, cached, work, interrupted]
}

/// Longest time, in ns, that a loop is blocked for without anybody saying so.
const LONGEST_BLOCKED: f64 = 60.0 * S;
/// How long the work of a loop lasts of which nothing is stated, in ns, and how often.
const WORK: [(f64, f64, f64); 4] =
    [(0.3, 10.0 * US, 0.1 * MS), (0.4, 0.1 * MS, MS), (0.25, MS, 10.0 * MS), (0.05, 10.0 * MS, 0.1 * S)];
/// Between which multiples of the stated time a loop's work truly lasts.
const OWN_WORK: (f64, f64) = (0.8, 1.25);
/// `usleep` need not take a second or more (POSIX.1-2001): NetBSD's and z/OS' do not.
const LONGEST_USLEEP: f64 = S;

/// The range of an unsigned number of milliseconds of 32 bits, in ns, half of which a signed one holds: 24.8 days.
const RANGE_32_BITS: f64 = 4_294_967_296.0 * MS;

/// The request overflows a number of milliseconds of 32 bits.
fn overflow(ground: &Ground<'_>) -> Option<Candidate> {
    let longest = ground.longest();
    let rest = longest % RANGE_32_BITS;
    let rest = if rest < RANGE_32_BITS / 2.0 { rest } else { 0.0 };
    ground.requests().all(|asked| asked >= RANGE_32_BITS / 2.0).then(|| {
        let becomes = |time: f64| Variant { weight: 0.5, laws: Vec::new(), event: Event::Ratio(time / longest) };
        Candidate::new(
            "request-overflow",
            "the request overflows a number of milliseconds of 32 bits, which ends at 24.8 days: it ends at once, or after what is left of it",
            0.5,
            vec![becomes(rest), becomes(MS)],
            "shorter waits in a loop until the deadline",
            "ask for 2147483647 ms and for one more: only the second ends at once",
        )
    })
}

/// The call fails and returns at once.
fn refused(ground: &Ground<'_>) -> Candidate {
    let question = ground.stated.question;
    let usleep = question.call.as_ref().is_some_and(|call| call.to_lowercase().contains("usleep"));
    let strict = !matches!(ground.platform, Some(Platform::Linux | Platform::MacOs | Platform::FreeBsd));
    let out_of_range = usleep && strict && ground.longest() >= LONGEST_USLEEP;
    let mut candidate = Candidate::new(
        "request-refused",
        if out_of_range {
            "usleep refuses a second and more (EINVAL) and returns at once"
        } else {
            "the call refuses the request (EINVAL) and returns at once"
        },
        if out_of_range { 0.5 } else { 0.002 },
        vec![Variant { weight: 1.0, laws: Vec::new(), event: Event::Ratio(0.0) }],
        "nanosleep, with less than a second of nanoseconds; check what the call returns",
        "print what the call returns, and errno",
    );
    candidate.after_interrupt = true;
    candidate
}

/// Ratios of units that are confused, the shortest request (ns) of which somebody might confuse them, and what they are.
const SLIPS: [(f64, f64, &str); 9] = [
    (1e3, 0.0, "a factor of 1000: milliseconds for seconds, or microseconds for milliseconds"),
    (1e-3, 0.0, "a factor of 1000: microseconds given as milliseconds, or milliseconds as seconds"),
    (1e6, 0.0, "a factor of a million"),
    (1e-6, 0.0, "a factor of a million"),
    (125.0 / 3.0, 0.0, "ticks of macOS's timebase taken for nanoseconds (125/3 on Apple silicon)"),
    (3.0 / 125.0, 0.0, "nanoseconds taken for ticks of macOS's timebase (125/3 on Apple silicon)"),
    (125.0 / 3.0 * 125.0 / 3.0, 0.0, "macOS's timebase (125/3) applied twice instead of not at all"),
    (3.0 / 125.0 * 3.0 / 125.0, 0.0, "ticks of macOS's timebase converted twice (3/125 each time)"),
    (60.0, S, "minutes for seconds"),
];

/// Units that are confused.
fn units(ground: &Ground<'_>) -> Vec<Candidate> {
    let apple = matches!(ground.platform, None | Some(Platform::MacOs | Platform::Ios));
    // Nothing asks for less than a nanosecond.
    let is_a_time = |ratio: f64| ground.slept() && ground.requests().all(|asked| asked == 0.0 || asked * ratio >= 1.0);
    let slips = SLIPS.iter().filter(|(ratio, least, what)| {
        is_a_time(*ratio) && ground.longest() >= *least && (apple || !what.contains("macOS"))
    });
    let own = ground.stated.question.call_row().is_some_and(|row| row.wait == KernelWait::Own);
    let laws = if own { Vec::new() } else { ground.base.clone() };
    let each = slips.map(|(ratio, _, what)| {
        let mut slip = Candidate::new(
            "units-confused",
            format!("units are confused, in the call or in what was typed: {what}"),
            0.003,
            vec![Variant { weight: 1.0, laws: laws.clone(), event: Event::Ratio(*ratio) }],
            "check the unit of the request and of the figure",
            "ask for twice as much: confused units keep their ratio",
        );
        slip.after_interrupt = true;
        slip
    });
    each.collect()
}

/// Factors by which a clock or a tick rate is set wrong: usual rates for each other (100, 250, 1000, 32768 Hz), halved and doubled
/// clocks, ticks given as milliseconds.
const RATES: [f64; 15] = [0.001, 0.01, 0.1, 0.125, 0.25, 0.4, 0.5, 0.96, 2.0, 2.5, 4.0, 8.0, 10.0, 16.0, 100.0];
/// By which share an oscillator may be off and be in order.
const OSCILLATOR: f64 = 0.03;
/// Weight of a ratio that the figures themselves propose: it costs what a ratio chosen beforehand would have had to hit.
const PROPOSED: f64 = 0.02;
/// How much a law counts that one request alone would show by chance.
const ONE_REQUEST: f64 = 0.2;
/// Units to which a call may cut its request, in ns.
const CUTS: [(f64, f64); 4] = [(0.5, MS), (0.2, 10.0 * MS), (0.15, 100.0 * MS), (0.15, S)];

/// A clock of another rate than the system believes, and a request that is cut to whole units.
fn rate_and_cut(ground: &Ground<'_>) -> Vec<Candidate> {
    let small = ground.is_small();
    let row = ground.stated.question.call_row();
    // Of a call that takes whole units, the caller has cut the request.
    let is_whole = row
        .is_some_and(|row| row.rules.iter().any(|(_, rules)| rules.iter().any(|rule| matches!(rule, CallRule::Up(_)))));
    let known = row.is_some_and(|row| row.wait != KernelWait::Own) && ground.platform != Some(Platform::Other);
    let ratio = |ratio| Variant { weight: 1.0, laws: Vec::new(), event: Event::Ratio(ratio) };
    let mut rates = if ground.slept() { RATES.map(ratio).to_vec() } else { Vec::new() };
    // Of a microcontroller any ratio between those may be wrong: of a prescaler, of an oscillator.
    let may_be =
        |ratio: f64| small && ground.slept() && (ratio - 1.0).abs() > OSCILLATOR && (0.001..=100.0).contains(&ratio);
    let own = ratios(ground.stated.question);
    if let Some(middle) = own.get(own.len() / 2).filter(|middle| may_be(**middle)) {
        let shown = if own.len() < 2 { ONE_REQUEST } else { 1.0 };
        rates.push(Variant { weight: PROPOSED * shown * RATES.len() as f64, ..ratio(*middle) });
    }
    let mut rate = Candidate::new(
        "units-confused",
        "units or rates are confused: a clock or tick rate is set wrong, or ticks are given as milliseconds",
        if small { 0.04 } else { 0.0005 },
        rates,
        "the frequency that the system is configured with (clock, prescaler, tick rate), and the conversion from time to ticks",
        "time ten seconds by a watch, and other lengths: the factor stays; print the configured tick rate and clock",
    );
    rate.after_interrupt = true;
    let cut = CUTS.map(|(weight, unit)| {
        let mut laws = vec![Law::Units(Units { unit, up: false, least: 0.0 })];
        laws.extend(&ground.base);
        Variant { weight, laws, event: Event::None }
    });
    let cut = Candidate::new(
        "request-cut",
        "the call takes whole units (milliseconds, seconds, ticks) and cuts the rest of the request",
        match (is_whole, known) {
            (true, _) => 0.05,
            (_, true) => 0.003,
            _ => 0.02,
        },
        cut.to_vec(),
        "a call with a finer unit, or a request rounded up to its unit",
        "ask for one unit more, and for 1, 1.5 and 2 units: the part beyond a whole unit changes nothing",
    );
    vec![rate, cut]
}

/// Returns the ratios of what the sleeps took to what was asked for, the smallest first.
fn ratios(question: &Question) -> Vec<f64> {
    let asked = question.pairs.iter().filter(|pair| pair.requested.get() > 0);
    let mut ratios: Vec<f64> = asked.map(|pair| centre(pair) / pair.requested.as_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    ratios
}

/// Periods that libraries, simulators and controllers tick with, in ms.
const PERIODS: [f64; 18] = [
    1.0, 2.0, 4.0, 5.0, 8.0, 10.0, 16.0, 16.666_67, 20.0, 25.0, 50.0, 64.0, 100.0, 200.0, 250.0, 500.0, 1000.0,
    10_000.0,
];

/// Laws of libraries that the catalogue does not know: ticks of their own, a constant, a share. Without two different
/// requests nothing tells a constant or a share from any other lateness.
fn of_libraries(ground: &Ground<'_>) -> Vec<Candidate> {
    let stated = ground.stated;
    let known = stated.question.call_row().is_some();
    let named = stated.question.call.is_some();
    let different: BTreeSet<i64> = stated.question.pairs.iter().map(|pair| pair.requested.get()).collect();
    // Many round figures are near one of the periods: one request alone shows no tick.
    let shown = if different.len() < 2 { ONE_REQUEST } else { 1.0 };
    let prior = match (known, named) {
        (true, _) => 0.004,
        (_, true) => 0.12,
        _ => 0.05,
    };
    let tick = |extra: i64| {
        PERIODS.map(|period| Variant { weight: 1.0, laws: vec![tick_up(period * MS, extra)], event: Event::None })
    };
    let mut all = vec![Candidate::new(
        "library-tick",
        "a timer of the library or program with ticks of its own",
        shown * prior,
        [tick(0), tick(1)].concat(),
        "a timer of the system in place of the library's, or a shorter tick of it",
        "the same time by the system's own sleep: if that is right, the library ticks; then several lengths show its tick",
    )];
    if different.len() < 2 {
        return all;
    }
    // The sizes that the figures propose; that they do so costs what a size chosen beforehand would have had to hit.
    let mut sizes: Vec<f64> = stated.question.pairs.iter().map(|pair| centre(pair) - pair.requested.as_f64()).collect();
    sizes.sort_by(f64::total_cmp);
    let constant = sizes.iter().sum::<f64>() / sizes.len() as f64;
    if constant.abs() > 20.0 * US && ground.slept() {
        all.push(Candidate::new(
            "adds-constant",
            if constant > 0.0 { "a constant is added to each sleep, whatever its length: by the library, its clocks or its way to the thread" } else { "a constant is taken off each sleep, whatever its length" },
            0.004,
            vec![ground.with(0.5, Event::Constant(constant)), Variant { weight: 0.5, laws: Vec::new(), event: Event::Constant(constant) }],
            "a call nearer to the system; look at which clock the library computes deadlines on, and which it waits on",
            "the same times by the system's own sleep: if they are right, the constant is the library's",
        ));
    }
    // What is late whatever the length counts least in the longest.
    let longest = stated.question.pairs.iter().max_by_key(|pair| pair.requested);
    if let Some(ratio) = longest.map(|pair| centre(pair) / pair.requested.as_f64())
        && !ground.is_small()
        && (ratio - 1.0).abs() > 1e-3
        && ratio > 0.0
    {
        all.push(Candidate::new(
            "proportional",
            if ratio < 1.0 {
                "every sleep is shorter by the same share: a clock of another rate"
            } else {
                "every sleep is longer by the same share: a leeway, or a clock of another rate"
            },
            0.003,
            vec![
                ground.with(0.5, Event::Ratio(ratio)),
                Variant { weight: 0.5, laws: Vec::new(), event: Event::Ratio(ratio) },
            ],
            "look for a tolerance or leeway of the timer, and compare the clocks (oversleep clocks)",
            "sleep ten times as long: a share grows with it, up to the leeway's limit",
        ));
    }
    all
}
