//! `docs/PLATFORMS.md`, written from the catalogue.

use oversleep_recording::catalog::{Early, Family, MethodId, ROWS, Row, System};
use oversleep_recording::machine::TUNABLES;
use std::fmt::Write as _;

/// The page: a table per family, then what each call promises.
pub(crate) fn render() -> String {
    let mut page = String::from(HEAD);
    systems(&mut page);
    page.push_str(RUN);
    page.push_str(READ);
    page.push_str(LIBRARY);
    for (family, title) in FAMILIES {
        section(&mut page, *family, title);
    }
    tunables(&mut page);
    page.push_str(WINDOWS);
    page.push_str(IMAGES);
    page
}

const HEAD: &str = "\
# Sleep primitives by platform

<!-- Written by `cargo xtask gen` from crates/oversleep-recording/src/catalog; change the rows, not this page. -->

One row per method: the call made, what its time argument counts, how it is told when to wake, the clock its timer
runs on, and whether its documentation lets it return early (signals and wake-ups for no reason aside). A request
finer than the unit is rounded up by us; a clock called `tick` is the system's own timer tick, whose rate differs.
A row says that the *system* has the call; `oversleep list` says what this build can use on this machine.
";

/// By hand: no catalogue knows.
const RUN: &str = "
## What has run where

\"Ran here\" is Linux 6.18 on x86-64, a virtual machine. \"Under Wine\" is the Windows build under Wine 8, on Linux' clocks and
timers: it says that our calls are made as they should be, and nothing of how late Windows is. \"Emulated\" is qemu. \"Compiles
only\" has been linted with warnings denied, and where the table of what was read a second time says so, read by somebody else than its
writer; the sizes and numbers that its foreign calls rely on are compared with the published ones while compiling
(`crates/oversleep-os/src/layouts`).

| system | what was run |
| --- | --- |
| Linux, x86-64 | everything: the tests, every method, every benchmark. `tpause`, which that processor lacks: the tests of the fine wait alone, in a processor emulated by Bochs 3.0 with Debian 13's kernel (6.12), by `cargo xtask check --only tpause`. It rests there: 300 µs end less than 1 µs late after some 60 looks at the clock, where the hint takes 14 000 |
| Windows | under Wine 8 alone, by `cargo xtask check --only wine`: the unit tests of `oversleep-sys`, `oversleep-os` and `oversleep`, the tests of the methods and of the simulated machine, the C library's test, the check-up, the load experiment at reduced size, a sweep of timer resolutions, the clocks, the sleep library beside its peers (`spin_sleep`, the “perfect sleep”); recordings are read back by the Linux build. Any real Windows: never. Rust's standard library needs Windows 10; Windows 7 and 8 need its target `x86_64-win7-windows-gnu`, which has not been tried |
| Linux, arm64 | on Debian 13's kernel (6.12) in an emulated machine (qemu 10) alone, by `cargo xtask check --only arm64`: the tests of `oversleep-os` and `oversleep`, and `oversleep measure` with every method but `cond-clockwait` and `sem-clockwait` (which a statically linked program does not find), `explain`, `report`, `list` and `trace`. The calls, the counter, `wfe` and `wfet` run there, but qemu's `wfe` and `wfet` end at once: that they rest has not been seen, and nothing is known of how late arm64 is |
| macOS, FreeBSD, NetBSD, illumos; Linux with musl | nothing; they compile and lint (`cargo xtask check --only targets`) |
| OpenBSD, DragonFly BSD | nothing; they compile without a warning, with a standard library that the nightly compiler builds first |
";

/// By hand: the code is in `oversleep-sys`.
const LIBRARY: &str = "
## What the sleep library sleeps with

Where a system has several calls that may be the best, the first sleeps of 20 ms and more try each of them five times, in 1.3 ms that
they sleep anyway, and the one that was least late is kept for the process. Another than the first is taken if it was late by less than
three quarters of its time, in the median. Until then, and for programs whose sleeps are all shorter, it is the first.
`machine::Here::sleeps_with` tells which.

| system | calls |
| --- | --- |
| Linux, NetBSD, DragonFly BSD, illumos | `clock-nanosleep-abs` |
| FreeBSD | `clock-nanosleep-abs`, `kqueue-timer-ns` |
| macOS | `mach-wait-until`, `kqueue-timer-critical` |
| OpenBSD | `nanosleep` |
| Windows | `waitable-timer-high-resolution` (an ordinary one before Windows 10 version 1803), `sleep` |
";

/// By hand: who read what.
const READ: &str = "
## What was read a second time

Argument by argument: units, relative or absolute, layouts and numbers, who frees what, what errors come back. *Headers* are the
system's own; *code* is its kernel or library, in excerpts; *not* was read against documentation alone, or not at all.

| system | read against | not |
| --- | --- | --- |
| macOS | `sys/event.h` whole; excerpts of `clock_oldops.c`, `kern_aio.c`, `thread_policy.h`, `kern_return.h`, `time.h` and libdispatch | `semaphore_timedwait`, `pthread_cond_timedwait_relative_np`, the classes of `sys/qos.h`, `NSProcessInfo`, the coalescing sysctls: documentation alone; the overflow of Mach's waits: from memory |
| FreeBSD | excerpts of `sys/event.h`, `_clock_id.h`, `kern_event.c` (units, the wall clock, precision) and `sys_socket.c` | `timer_create` with `SIGEV_THREAD_ID`, `cpuset_*`, the `eventtimer` sysctls: documentation alone |
| DragonFly BSD | `sys/event.h`, `sys/time.h`, `kern_event.c`, `kern_time.c`, `lib/librt/aio.c` | message queues, semaphores |
| NetBSD | `sys/event.h` 1.45 and 1.54 | its kernel; `aio_suspend` on a socket |
| OpenBSD | `sys/event.h` 1.74, `sys/sysctl.h` 1.246, an excerpt of `kern_event.c` | the rest of its kernel |
| illumos | `sys/port.h`, `sys/time_impl.h`, `sys/siginfo.h`, `pthread.h`, `port_get(3C)` | `gethrvtime`, tick facts, `aio_suspend` on a socket |
| Windows | – | `SetProcessInformation`, `QueryInterruptTime` and the power plan, which Wine lacks |

Found and mended: `clock_sleep` of more than 68 years would have ended at once, since the kernel adds the time it is now in 32 bits.
`--no-throttling` was refused before Windows 11, which is said not to know the bit for timer resolutions; it now opts out of the other alone (not run anywhere).
Found and told in the rows: DragonFly knows no unit of timers but milliseconds, whatever the notes say, and its `aio_suspend` returns
at once, ignoring the timeout, so it cannot be used to sleep; OpenBSD turns a time on the wall clock into ticks when the timer is set;
FreeBSD sets kqueue timers without the deviation that it allows a `nanosleep`, so the sleep library tries them too.
";

/// By hand as well.
const WINDOWS: &str = "
## Where Wine differs from Windows

Seen with Wine 8 (Debian 12); what is not listed was not compared, since no Windows was at hand.

| | Windows | Wine 8 |
| --- | --- | --- |
| timer resolutions | 0.5 to 15.625 ms (`NtQueryTimerResolution`) | 1 to 15.625 ms are told and 1 ms is always in force; `timeBeginPeriod` is accepted and changes nothing, so a sweep of resolutions shows one |
| high-resolution waitable timer | a timer of its own; refused before Windows 10 version 1803 (`unavailable`, and the library takes an ordinary one) | the flag is accepted; the timer is the ordinary one |
| power throttling | `SetProcessInformation` | missing: `--no-throttling` is `unavailable` |
| `QueryInterruptTime`, `QueryInterruptTimePrecise` | from Windows 10 | missing: both clocks are `unavailable` |
| `QueryUnbiasedInterruptTime`, `GetTickCount64` | move with the tick | move when Wine's server updates them: steps of 52 and 104 ms were seen on a busy machine |
| power plan | its name | not told |
| version | its own | what the prefix pretends to be (6.1.7601 here); a recording says `Wine 8.0` beside it |
| `SetTimer` | 10 ms at least | 10 ms at least |

Timer resolutions, by Microsoft's pages on `timeBeginPeriod`: before Windows 10 version 2004 (build 19041) the finest that any process
asks for holds for all; since then a process gets what it asks for itself; since Windows 11 (build 22000) not while its windows
are hidden, unless it opts out (`--no-throttling`). `NtQueryTimerResolution` tells the system's, which since 2004 may be finer than
the process's own.
";

const IMAGES: &str = "
## Images of other systems

Looked for once, so that a BSD or illumos could be a step of `check --full` as arm64 is; nothing bootable was found.

| where | what was looked for | found |
| --- | --- | --- |
| Debian (`apt-cache search`) | FreeBSD, kFreeBSD, NetBSD, OpenBSD, illumos, rump kernels, installer miniroots | no package; `kfreebsd` left the archive |
| PyPI | names and summaries with a BSD, illumos, bootable, disk image, root file system | `anyvm-py` 0.7.5 and `bsdkrun` 0.6.0 start BSD machines: both are programs alone (189 and 49 kB) and fetch their images from GitHub, which this project's builds do not reach |
| npm | the same | hundreds of programs built *for* FreeBSD, NetBSD, OpenBSD and SunOS (`@esbuild/freebsd-x64` and its kin); no kernel; `v86` brings an emulator without systems |
| rustup | targets | standard libraries for FreeBSD, NetBSD and illumos, which the lints use; no kernel |
";

const FAMILIES: &[(Family, &str)] = &[
    (Family::Portable, "Everywhere"),
    (Family::Posix, "POSIX and its kin"),
    (Family::Linux, "Linux"),
    (Family::Kqueue, "The BSDs and macOS: kqueue"),
    (Family::Apple, "macOS"),
    (Family::Illumos, "illumos"),
    (Family::Windows, "Windows"),
];

/// How many methods each system has, and which of the POSIX ones it lacks.
fn systems(page: &mut String) {
    page.push_str("\n| system | methods | POSIX and its kin, but not |\n| --- | ---: | --- |\n");
    for &system in System::ALL {
        let count = ROWS.iter().filter(|row| row.systems.contains(&system)).count();
        let posix = || ROWS.iter().filter(|row| row.family == Family::Posix);
        let lacks: Vec<_> = posix().filter(|row| !row.systems.contains(&system)).map(code_name).collect();
        let lacks = match lacks.len() {
            0 => "–".to_owned(),
            all if all == posix().count() => "any of them".to_owned(),
            _ => lacks.join(", "),
        };
        writeln!(page, "| {system} | {count} | {lacks} |").expect("a String takes all text");
    }
}

fn code_name(row: &Row) -> String {
    format!("`{}`", row.name)
}

fn section(page: &mut String, family: Family, title: &str) {
    let rows: Vec<_> = ROWS.iter().filter(|row| row.family == family).collect();
    write!(page, "\n## {title}\n\n{TABLE_HEAD}").expect("a String takes all text");
    for row in &rows {
        table_line(page, row, family);
    }
    page.push('\n');
    for row in rows {
        writeln!(page, "- **{}**: {} [Source]({})", row.name, row.promise, row.source)
            .expect("a String takes all text");
    }
}

const TABLE_HEAD: &str = "\
| method | call | unit | told | clock | early | systems | tested |
| --- | --- | --- | --- | --- | --- | --- | --- |
";

fn table_line(page: &mut String, row: &Row, family: Family) {
    let early = match row.early {
        Early::Never => "never",
        Early::Possible => "possible",
    };
    let (call, unit, mode, clock) = (row.call, row.unit.name(), row.mode.name(), row.clock.name());
    let systems = names(row, family);
    let tested = tested(row);
    writeln!(page, "| `{}` | {call} | {unit} | {mode} | {clock} | {early} | {systems} | {tested} |", row.name)
        .expect("a String takes all text");
}

/// Rows that no system's build has code for, each with its reason in `crates/oversleep-os/tests/methods/agreement.rs`.
const WITHOUT_CODE: &[MethodId] = &[MethodId::Semtimedop];

/// How far its code has been tried, by the best of its systems.
fn tested(row: &Row) -> &'static str {
    let on = |system: System| row.systems.contains(&system);
    match () {
        () if WITHOUT_CODE.contains(&row.id) => "no code",
        () if on(System::Linux) && on(System::Windows) => "ran here, emulated on arm64, under Wine",
        () if on(System::Linux) => "ran here, emulated on arm64",
        () if on(System::Windows) => "ran under Wine",
        () => "compiles only",
    }
}

/// The kernel's settings that are read, and what each means.
fn tunables(page: &mut String) {
    page.push_str(TUNABLES_HEAD);
    for row in TUNABLES {
        let systems = row.systems.iter().map(|system| system.name()).collect::<Vec<_>>().join(", ");
        let remedy = if row.remedy.is_empty() { "–" } else { row.remedy };
        writeln!(page, "| `{}` | {systems} | {} | {remedy} |", row.name, row.about).expect("a String takes all text");
    }
}

const TUNABLES_HEAD: &str = "
## Settings of the kernel that are read

A recording keeps them as they were found, under `machine.tunables`; nothing sets them.

| setting | systems | what it means for sleep | where it makes sleeps late |
| --- | --- | --- | --- |
";

/// "all" where naming them would repeat the section's title.
fn names(row: &Row, family: Family) -> String {
    if family == Family::Portable && row.systems.len() == System::ALL.len() {
        return "all".to_owned();
    }
    row.systems.iter().map(|system| system.name()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::catalog::MethodId;
    use oversleep_sys::units::Nanos;

    #[test]
    fn every_method_has_its_table_line_and_its_promise() {
        let page = render();
        for row in ROWS {
            assert_eq!(page.matches(&format!("\n| `{}` |", row.name)).count(), 1, "{}", row.name);
            assert_eq!(page.matches(&format!("\n- **{}**: ", row.name)).count(), 1, "{}", row.name);
        }
    }

    #[test]
    fn no_cell_breaks_its_table() {
        let columns = |line: &str| line.matches('|').count();
        let page = render();
        // A table's first line says how many columns it has.
        let mut of_table = None;
        for line in page.lines() {
            if line.starts_with('|') {
                assert_eq!(columns(line), *of_table.get_or_insert(columns(line)), "{line}");
            } else {
                of_table = None;
            }
        }
    }

    #[test]
    fn what_macos_lacks_is_named() {
        let page = render();
        let macos = page.lines().find(|line| line.starts_with("| macOS |")).expect("a line for macOS");
        assert!(macos.contains(MethodId::SemTimedwait.name()), "{macos}");
        assert!(!macos.contains("`nanosleep`"), "{macos}");
        assert!(page.lines().any(|line| line.starts_with("| Windows |") && line.ends_with("any of them |")));
    }

    #[test]
    fn the_units_on_the_page_are_the_units_of_the_request() {
        let poll = MethodId::Poll.row();
        assert_eq!(poll.rounded(Nanos::new(1)), Nanos::MILLISECOND);
        assert!(render().contains("| `poll` | poll(2) on no descriptors | 1 ms | relative |"));
    }
}
