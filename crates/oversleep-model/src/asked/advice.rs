//! Advice that is possible on the stated version: what remedies and tests name, with the version from which it exists.

use oversleep_recording::asked::{Platform, Question};

/// What separates the alternatives of an advice, each of which is enough.
const OR: [&str; 2] = ["; or ", ", or "];

/// Things that advice names, and the version from which a system has them, from its documents: man-pages and kernel logs of Linux,
/// learn.microsoft.com, Apple's release notes.
const SINCE: [(&str, Platform, (u32, u32)); 20] = [
    ("/proc/timer_list", Platform::Linux, (2, 6)),
    ("PR_SET_TIMERSLACK", Platform::Linux, (2, 6)),
    ("timerfd", Platform::Linux, (2, 6)),
    ("CLOCK_BOOTTIME", Platform::Linux, (2, 6)),
    ("cpu_dma_latency", Platform::Linux, (2, 6)),
    ("isolcpus", Platform::Linux, (2, 6)),
    ("perf sched", Platform::Linux, (2, 6)),
    ("usleep_range", Platform::Linux, (2, 6)),
    ("cpu.cfs_period_us", Platform::Linux, (3, 2)),
    ("cpupower", Platform::Linux, (3, 1)),
    ("cpu.max", Platform::Linux, (4, 2)),
    ("rtla", Platform::Linux, (5, 17)),
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

/// Returns an advice without the alternatives that the stated version lacks; empty if it lacks all.
pub(super) fn possible(question: &Question, advice: &str) -> String {
    let lacks = |text: &str| {
        SINCE.iter().any(|(name, platform, (major, minor))| {
            let is_before = || question.system.as_ref().is_some_and(|system| system.is_before(*major, *minor));
            text.contains(name) && question.platform() == Some(*platform) && is_before()
        })
    };
    if !lacks(advice) {
        return advice.to_owned();
    }
    let parts = advice.split(OR[0]).flat_map(|part| part.split(OR[1]));
    parts.filter(|part| !lacks(part)).collect::<Vec<&str>>().join(OR[1])
}
