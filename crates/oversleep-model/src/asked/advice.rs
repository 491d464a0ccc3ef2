//! What the stated version has: calls, and what remedies and tests name, with the version from which each exists.

use oversleep_recording::asked::{Platform, Question};

/// What separates the alternatives of an advice, each of which is enough.
const OR: [&str; 2] = ["; or ", ", or "];

/// Calls and things that advice names, and the version from which a system has them, from its documents: man-pages and kernel logs of Linux,
/// learn.microsoft.com, Apple's release notes.
const SINCE: [(&str, Platform, (u32, u32)); 22] = [
    ("/proc/timer_list", Platform::Linux, (2, 621)),
    ("PR_SET_TIMERSLACK", Platform::Linux, (2, 628)),
    ("timerfd", Platform::Linux, (2, 625)),
    ("clock_nanosleep", Platform::Linux, (2, 6)),
    ("epoll", Platform::Linux, (2, 6)),
    ("CLOCK_BOOTTIME", Platform::Linux, (2, 639)),
    ("cpu_dma_latency", Platform::Linux, (2, 625)),
    ("isolcpus", Platform::Linux, (2, 6)),
    ("perf sched", Platform::Linux, (2, 632)),
    ("usleep_range", Platform::Linux, (2, 636)),
    ("cpu.cfs_period_us", Platform::Linux, (3, 2)),
    ("cpupower", Platform::Linux, (3, 1)),
    ("cpu.max", Platform::Linux, (4, 2)),
    ("rtla", Platform::Linux, (5, 14)),
    ("CREATE_WAITABLE_TIMER_HIGH_RESOLUTION", Platform::Windows, (10, 1803)),
    // Go 1.23 and Python 3.11 use that timer where there is one.
    ("Go 1.23", Platform::Windows, (10, 1803)),
    ("Python 3.11", Platform::Windows, (10, 1803)),
    ("PROCESS_POWER_THROTTLING_IGNORE_TIMER_RESOLUTION", Platform::Windows, (11, 0)),
    ("THREAD_PRIORITY_HIGHEST", Platform::Windows, (3, 1)),
    ("NOTE_CRITICAL", Platform::MacOs, (10, 9)),
    ("beginActivity", Platform::MacOs, (10, 9)),
    ("mach_continuous_time", Platform::MacOs, (10, 12)),
];

/// Things that advice names and that no system but Linux has.
const OF_LINUX: [&str; 9] = [
    "cpu_dma_latency",
    "cpupower",
    "isolcpus",
    "irqaffinity",
    "power/control",
    "ps -eo",
    "perf sched",
    "rtla",
    "PR_SET_TIMERSLACK",
];

/// Returns the first version with something that a text names, as users know it, if the stated version lacks it.
pub(super) fn lacked(question: &Question, text: &str) -> Option<String> {
    let system = question.system.as_ref()?;
    let is_other = question.platform().is_some_and(|platform| platform != Platform::Linux);
    if is_other && OF_LINUX.iter().any(|name| text.contains(name)) {
        return Some(Platform::Linux.name().to_owned());
    }
    let is_lacked = |(name, platform, (major, minor)): &&(&str, Platform, (u32, u32))| {
        text.contains(name) && question.platform() == Some(*platform) && system.is_before(*major, *minor)
    };
    SINCE.iter().find(is_lacked).map(|(_, platform, (major, minor))| match (platform, minor) {
        (Platform::Windows, 0) => format!("Windows {major} and later"),
        (Platform::Windows, 100..) => format!("Windows {major} {minor} and later"),
        (Platform::Linux, 600..) => format!("Linux 2.6.{} and later", minor - 600),
        _ => format!("{} {major}.{minor} and later", platform.name()),
    })
}

/// Returns an advice without the alternatives that the stated version lacks; empty if it lacks all.
pub(super) fn possible(question: &Question, advice: &str) -> String {
    let has = |text: &&str| lacked(question, text).is_none();
    if has(&advice) {
        return advice.to_owned();
    }
    let parts = advice.split(OR[0]).flat_map(|part| part.split(OR[1]));
    parts.filter(has).collect::<Vec<&str>>().join(OR[1])
}
