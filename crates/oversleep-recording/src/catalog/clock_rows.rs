//! The rows. To add a clock: one row here, one type or alias in `clock/source/` of
//! `oversleep-os`, one line in its family's list.

use super::System::{self, DragonFly, FreeBsd, Illumos, Linux, MacOs, NetBsd, OpenBsd, Windows};
use super::clock_row::{Backwards, ClockQuantity, ClockRow, Steered, Suspend};

/// Declares the identifiers together with their rows, so that each has both.
macro_rules! clocks {
    ($(
        $id:ident $name:literal $call:literal on $systems:expr;
        $counts:ident steered $steered:ident suspend $suspend:ident backwards $backwards:ident $source:literal
    )*) => {
        /// A clock. The order is the catalogue's.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ClockId {
            $(#[doc = concat!("`", $name, "`: ", $call)] $id,)*
        }

        /// Every clock, in the order of [`ClockId`].
        pub static CLOCKS: &[ClockRow] = &[
            $(ClockRow {
                id: ClockId::$id,
                name: $name,
                call: $call,
                systems: $systems,
                counts: ClockQuantity::$counts,
                steered: Steered::$steered,
                suspend: Suspend::$suspend,
                backwards: Backwards::$backwards,
                source: $source,
            },)*
        ];
    };
}

const EVERYWHERE: &[System] = &System::ALL;
const UNIX: &[System] = &[Linux, MacOs, FreeBsd, NetBsd, OpenBsd, DragonFly, Illumos];
const FREEBSD_LIKE: &[System] = &[FreeBsd, DragonFly];

clocks! {
    Monotonic "monotonic" "clock_gettime(CLOCK_MONOTONIC)" on UNIX;
        Elapsed steered Rate suspend Varies backwards Never
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/clock_gettime.html"
    MonotonicRaw "monotonic-raw" "clock_gettime(CLOCK_MONOTONIC_RAW)" on &[Linux, MacOs];
        Elapsed steered No suspend Varies backwards Never
        "https://man7.org/linux/man-pages/man2/clock_getres.2.html"
    MonotonicCoarse "monotonic-coarse" "clock_gettime(CLOCK_MONOTONIC_COARSE)" on &[Linux];
        Elapsed steered Rate suspend Stops backwards Never
        "https://man7.org/linux/man-pages/man2/clock_getres.2.html"
    MonotonicSyscall "monotonic-syscall" "syscall(SYS_clock_gettime, CLOCK_MONOTONIC), past the vDSO" on &[Linux];
        Elapsed steered Rate suspend Stops backwards Never
        "https://man7.org/linux/man-pages/man7/vdso.7.html"
    MonotonicFast "monotonic-fast" "clock_gettime(CLOCK_MONOTONIC_FAST)" on FREEBSD_LIKE;
        Elapsed steered Rate suspend Varies backwards Never
        "https://man.freebsd.org/cgi/man.cgi?query=clock_gettime&sektion=2"
    MonotonicPrecise "monotonic-precise" "clock_gettime(CLOCK_MONOTONIC_PRECISE)" on FREEBSD_LIKE;
        Elapsed steered Rate suspend Varies backwards Never
        "https://man.freebsd.org/cgi/man.cgi?query=clock_gettime&sektion=2"
    RealtimeFast "realtime-fast" "clock_gettime(CLOCK_REALTIME_FAST)" on FREEBSD_LIKE;
        Wall steered RateAndSteps suspend Counts backwards WhenSet
        "https://man.freebsd.org/cgi/man.cgi?query=clock_gettime&sektion=2"
    RealtimePrecise "realtime-precise" "clock_gettime(CLOCK_REALTIME_PRECISE)" on FREEBSD_LIKE;
        Wall steered RateAndSteps suspend Counts backwards WhenSet
        "https://man.freebsd.org/cgi/man.cgi?query=clock_gettime&sektion=2"
    UptimeFast "uptime-fast" "clock_gettime(CLOCK_UPTIME_FAST)" on FREEBSD_LIKE;
        Elapsed steered Rate suspend Stops backwards Never
        "https://man.freebsd.org/cgi/man.cgi?query=clock_gettime&sektion=2"
    UptimePrecise "uptime-precise" "clock_gettime(CLOCK_UPTIME_PRECISE)" on FREEBSD_LIKE;
        Elapsed steered Rate suspend Stops backwards Never
        "https://man.freebsd.org/cgi/man.cgi?query=clock_gettime&sektion=2"
    Second "second" "clock_gettime(CLOCK_SECOND), whole seconds of the wall clock" on FREEBSD_LIKE;
        Wall steered RateAndSteps suspend Counts backwards WhenSet
        "https://man.freebsd.org/cgi/man.cgi?query=clock_gettime&sektion=2"
    Uptime "uptime" "clock_gettime(CLOCK_UPTIME)" on &[FreeBsd, OpenBsd, DragonFly];
        Elapsed steered Rate suspend Stops backwards Never
        "https://man.openbsd.org/clock_gettime.2"
    Boottime "boottime" "clock_gettime(CLOCK_BOOTTIME)" on &[Linux, OpenBsd];
        Elapsed steered Rate suspend Counts backwards Never
        "https://man7.org/linux/man-pages/man2/clock_getres.2.html"
    Realtime "realtime" "clock_gettime(CLOCK_REALTIME)" on UNIX;
        Wall steered RateAndSteps suspend Counts backwards WhenSet
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/clock_gettime.html"
    RealtimeCoarse "realtime-coarse" "clock_gettime(CLOCK_REALTIME_COARSE)" on &[Linux];
        Wall steered RateAndSteps suspend Counts backwards WhenSet
        "https://man7.org/linux/man-pages/man2/clock_getres.2.html"
    Tai "tai" "clock_gettime(CLOCK_TAI)" on &[Linux];
        Atomic steered RateAndSteps suspend Counts backwards WhenSet
        "https://man7.org/linux/man-pages/man2/clock_getres.2.html"
    Gettimeofday "gettimeofday" "gettimeofday(2)" on UNIX;
        Wall steered RateAndSteps suspend Counts backwards WhenSet
        "https://pubs.opengroup.org/onlinepubs/9699919799/functions/gettimeofday.html"
    Time "time" "time(2)" on UNIX;
        Wall steered RateAndSteps suspend Counts backwards WhenSet
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/time.html"
    Times "times" "times(2), its return value" on UNIX;
        Elapsed steered Rate suspend Varies backwards Never
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/times.html"
    ThreadCputime "thread-cputime" "clock_gettime(CLOCK_THREAD_CPUTIME_ID)" on UNIX;
        ThreadCpu steered No suspend Stops backwards Never
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/clock_gettime.html"
    ProcessCputime "process-cputime" "clock_gettime(CLOCK_PROCESS_CPUTIME_ID)" on UNIX;
        ProcessCpu steered No suspend Stops backwards Never
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/clock_gettime.html"
    Clock "clock" "clock(3)" on UNIX;
        ProcessCpu steered No suspend Stops backwards Never
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/clock.html"
    StdInstant "std-instant" "std::time::Instant::now" on EVERYWHERE;
        Elapsed steered Rate suspend Varies backwards Never
        "https://doc.rust-lang.org/std/time/struct.Instant.html"
    StdSystemTime "std-system-time" "std::time::SystemTime::now" on EVERYWHERE;
        Wall steered RateAndSteps suspend Counts backwards WhenSet
        "https://doc.rust-lang.org/std/time/struct.SystemTime.html"
    Counter "counter" "rdtsc on x86, CNTVCT_EL0 on arm64, not ordered" on EVERYWHERE;
        Cycles steered No suspend Varies backwards AcrossCpus
        "https://www.felixcloutier.com/x86/rdtsc"
    CounterOrdered "counter-ordered" "lfence; rdtsc on x86, isb; CNTVCT_EL0 on arm64" on EVERYWHERE;
        Cycles steered No suspend Varies backwards Never
        "https://www.felixcloutier.com/x86/rdtsc"
    UptimeRaw "uptime-raw" "clock_gettime(CLOCK_UPTIME_RAW)" on &[MacOs];
        Elapsed steered No suspend Stops backwards Never
        "https://www.manpagez.com/man/3/clock_gettime/"
    UptimeRawNsec "uptime-raw-nsec" "clock_gettime_nsec_np(CLOCK_UPTIME_RAW)" on &[MacOs];
        Elapsed steered No suspend Stops backwards Never
        "https://www.manpagez.com/man/3/clock_gettime_nsec_np/"
    MonotonicRawApprox "monotonic-raw-approx" "clock_gettime(CLOCK_MONOTONIC_RAW_APPROX)" on &[MacOs];
        Elapsed steered No suspend Counts backwards Never
        "https://www.manpagez.com/man/3/clock_gettime/"
    MachAbsoluteTime "mach-absolute-time" "mach_absolute_time" on &[MacOs];
        Elapsed steered No suspend Stops backwards Never
        "https://developer.apple.com/documentation/kernel/1462446-mach_absolute_time"
    MachContinuousTime "mach-continuous-time" "mach_continuous_time" on &[MacOs];
        Elapsed steered No suspend Counts backwards Never
        "https://developer.apple.com/documentation/kernel/1646199-mach_continuous_time"
    ClockGetTime "clock-get-time" "clock_get_time on host_get_clock_service(SYSTEM_CLOCK), deprecated" on &[MacOs];
        Elapsed steered No suspend Stops backwards Never
        "https://developer.apple.com/library/archive/documentation/Darwin/Conceptual/KernelProgramming/Mach/Mach.html"
    ClockGetTimeCalendar "clock-get-time-calendar" "clock_get_time on host_get_clock_service(CALENDAR_CLOCK), deprecated" on &[MacOs];
        Wall steered RateAndSteps suspend Counts backwards WhenSet
        "https://developer.apple.com/library/archive/documentation/Darwin/Conceptual/KernelProgramming/Mach/Mach.html"
    QueryPerformanceCounter "query-performance-counter" "QueryPerformanceCounter" on &[Windows];
        Elapsed steered No suspend Counts backwards Never
        "https://learn.microsoft.com/windows/win32/sysinfo/acquiring-high-resolution-time-stamps"
    QueryInterruptTime "query-interrupt-time" "QueryInterruptTime" on &[Windows];
        Elapsed steered No suspend Counts backwards Never
        "https://learn.microsoft.com/windows/win32/api/realtimeapiset/nf-realtimeapiset-queryinterrupttime"
    QueryInterruptTimePrecise "query-interrupt-time-precise" "QueryInterruptTimePrecise" on &[Windows];
        Elapsed steered No suspend Counts backwards Never
        "https://learn.microsoft.com/windows/win32/api/realtimeapiset/nf-realtimeapiset-queryinterrupttimeprecise"
    QueryUnbiasedInterruptTime "query-unbiased-interrupt-time" "QueryUnbiasedInterruptTime" on &[Windows];
        Elapsed steered No suspend Stops backwards Never
        "https://learn.microsoft.com/windows/win32/api/realtimeapiset/nf-realtimeapiset-queryunbiasedinterrupttime"
    SystemTimePrecise "system-time-precise" "GetSystemTimePreciseAsFileTime" on &[Windows];
        Wall steered RateAndSteps suspend Counts backwards WhenSet
        "https://learn.microsoft.com/windows/win32/api/sysinfoapi/nf-sysinfoapi-getsystemtimepreciseasfiletime"
    SystemTime "system-time" "GetSystemTimeAsFileTime" on &[Windows];
        Wall steered RateAndSteps suspend Counts backwards WhenSet
        "https://learn.microsoft.com/windows/win32/api/sysinfoapi/nf-sysinfoapi-getsystemtimeasfiletime"
    GetTickCount64 "get-tick-count-64" "GetTickCount64" on &[Windows];
        Elapsed steered No suspend Counts backwards Never
        "https://learn.microsoft.com/windows/win32/api/sysinfoapi/nf-sysinfoapi-gettickcount64"
    Gethrtime "gethrtime" "gethrtime(3C)" on &[Illumos];
        Elapsed steered No suspend Varies backwards Never
        "https://illumos.org/man/3C/gethrtime"
    Gethrvtime "gethrvtime" "gethrvtime(3C)" on &[Illumos];
        ThreadCpu steered No suspend Stops backwards Never
        "https://illumos.org/man/3C/gethrtime"
}

impl ClockId {
    /// Returns this clock's row.
    pub fn row(self) -> &'static ClockRow {
        &CLOCKS[self as usize]
    }

    /// Returns the name used on the command line and in files, such as `monotonic-raw`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the clock with this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        CLOCKS.iter().find(|row| row.name == name).map(|row| row.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_clock_finds_its_own_row() {
        for (index, row) in CLOCKS.iter().enumerate() {
            assert_eq!(row.id as usize, index, "{}", row.name);
            assert_eq!(ClockId::from_name(row.name), Some(row.id));
        }
        assert_eq!(ClockId::from_name("sundial"), None);
    }

    #[test]
    fn rows_are_complete() {
        let names: HashSet<_> = CLOCKS.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), CLOCKS.len(), "two clocks share a name");
        for row in CLOCKS {
            let kebab = row.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
            assert!(kebab, "{}", row.name);
            assert!(!row.systems.is_empty(), "{} exists nowhere", row.name);
            assert!(row.source.starts_with("https://"), "{} has no source", row.name);
            let settable = row.backwards == Backwards::WhenSet;
            assert_eq!(row.steered == Steered::RateAndSteps, settable, "{}: what is set goes backwards", row.name);
        }
    }
}
