//! What else the machine does: other threads, the host, idle states, the kernel's own work, quotas, collections of garbage.

use super::{Ground, MS, S, US};
use crate::asked::candidate::{Candidate, Event};
use crate::asked::sentence::time;
use oversleep_recording::asked::StatedCondition;
use oversleep_recording::catalog::KernelWait;
use oversleep_sim::law::{Even, Govern, Quota};

/// The processor was another's when the sleep was over.
pub(super) fn run_queue(ground: &Ground<'_>) -> Candidate {
    let stated = ground.stated;
    let loaded = stated.is_loaded();
    let prior = match (loaded, stated.is_real_time()) {
        (true, false) => 0.6,
        (true, true) => 0.5,
        (false, true) => 0.05,
        (false, false) => 0.08,
    };
    // Programs that count until the time is over run alone.
    let prior = if ground.is_small() && stated.wait == KernelWait::Precise { 0.0 } else { prior };
    let (name, remedy) = if ground.is_small() {
        ("other tasks had the processor", "a higher priority of the task, or less work of those above it")
    } else if stated.is_real_time() {
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
pub(super) fn host(ground: &Ground<'_>) -> Candidate {
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

/// The processor was in a deep idle state.
pub(super) fn idle_exit(ground: &Ground<'_>) -> Option<Candidate> {
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
pub(super) fn interference(ground: &Ground<'_>) -> Vec<Candidate> {
    let real_time = ground.stated.is_real_time() || ground.stated.system().is_some_and(|system| system.real_time);
    let sizes = [(0.2, 5.0 * US, 50.0 * US), (0.5, 50.0 * US, 0.5 * MS), (0.3, 0.5 * MS, 5.0 * MS)];
    let prior = if real_time { 0.3 } else { 0.03 };
    let mut kernel = Candidate::new(
        "interference",
        if ground.is_small() {
            "an interrupt or a driver had the processor"
        } else {
            "the kernel's own work on that processor: an interrupt, a driver, a kernel thread"
        },
        prior,
        ground.delays(&sizes),
        if ground.is_small() {
            "less work in interrupts, or a hardware timer's own one above them"
        } else {
            "interrupts and kernel threads moved elsewhere (irqaffinity, isolcpus, tuned's realtime profile), or a device's power management turned \
         off (power/control = on) if its driver is the one, or another driver"
        },
        if ground.is_small() {
            "a pin that is set at the beginning and the end of each interrupt, and an oscilloscope"
        } else {
            "rtla timerlat -T, or a trace of the interval before the worst wake-up, names who ran (oversleep measure --trace)"
        },
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
pub(super) fn quotas(ground: &Ground<'_>) -> Vec<Candidate> {
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
    if let Some((most, period)) = said {
        let period_text = time(period);
        quota.reasons.push(if most < period {
            format!(
                "a quota is stated that leaves up to {} of every {period_text} without the processor",
                time(period - most)
            )
        } else {
            format!("a quota is stated, which several busy threads use up within a period of {period_text}")
        });
    }
    let real_time = stated.is_real_time();
    let mut throttled = Candidate::new(
        "real-time-throttling",
        "real-time throttling: 50 ms of each second are not for real-time threads",
        if real_time { 0.01 } else { 0.0 },
        [(0.05, 0.0), (0.5, 0.0), (0.95, 49.0 * MS)]
            .map(|(share, from)| ground.with(0.33, Event::Even { share, from, to: 50.5 * MS }))
            .to_vec(),
        "let the real-time threads sleep in between; or sysctl kernel.sched_rt_runtime_us=-1, at the risk of a machine that hangs",
        "sysctl kernel.sched_rt_runtime_us=-1: the pauses of 50 ms each second vanish",
    );
    throttled.after_interrupt = true;
    vec![quota, throttled]
}

/// A runtime collected garbage.
pub(super) fn collections(ground: &Ground<'_>) -> Option<Candidate> {
    let collects = ["Go", "Java", ".NET", "Python", "Python's asyncio", "Node.js", "Ruby", "Dart", "Kotlin", "Erlang"];
    let runtime = ground.stated.question.call_row().map(|row| row.runtime)?;
    if !collects.contains(&runtime) {
        return None;
    }
    let mut candidate = Candidate::new(
        "runtime-busy",
        "the runtime was busy: its loop, its lock or its garbage collection",
        0.05,
        ground.delays(&[
            (0.3, 0.1 * MS, MS),
            (0.35, MS, 10.0 * MS),
            (0.25, 10.0 * MS, 0.3 * S),
            (0.1, 0.3 * S, 60.0 * S),
        ]),
        "a thread of its own for what has to be in time, and less work at once in the loop",
        "the runtime's own log of collections (GODEBUG=gctrace=1, -Xlog:gc, --trace-gc) and of slow callbacks beside the late sleeps",
    );
    candidate.after_interrupt = true;
    Some(candidate)
}
