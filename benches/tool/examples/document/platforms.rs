//! Generator of `docs/PLATFORMS.md` from the catalogue.

use oversleep_recording::catalog::{Early, Family, MethodId, MethodRow, Mode, ROWS, System, TimerClock};
use oversleep_recording::machine::TUNABLES;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Returns the page: what has run where and what the library sleeps with, then a table per family, the kernel's settings,
/// and what the code was compared with.
pub(crate) fn render() -> String {
    let mut page = String::from(HEAD);
    systems(&mut page);
    page.push_str(RUN);
    page.push_str(LIBRARY);
    for (family, title) in FAMILIES {
        section(&mut page, *family, title);
    }
    tunables(&mut page);
    page.push_str(WINDOWS);
    page.push_str(READ);
    page
}

const HEAD: &str = "\
# Sleep primitives by platform

<!-- Written by `cargo xtask gen` from crates/oversleep-recording/src/catalog; change the rows, not this page. -->

    oversleep list          # the methods that this build can use on this machine
    oversleep list --all    # every method of every system

[Which builds have run](#what-has-run-where) · [what the sleep library calls](#what-the-sleep-library-sleeps-with) · methods:
[everywhere](#everywhere), [POSIX](#posix-and-related), [Linux](#linux), [kqueue](#the-bsds-and-macos-kqueue), [macOS](#macos),
[illumos](#illumos), [Windows](#windows) · [settings of the kernel](#settings-of-the-kernel-that-are-read)

In the tables of methods, *request* is the unit (finer requests are rounded up), how the time is given, the clock if it is not the monotonic
one (`tick` is the system's timer tick), and *early* if the documentation lets the call end early (signals and spurious wake-ups aside). A
request of zero becomes one unit where it would disarm the timer or mean for ever.
";

/// Written by hand: the catalogue does not hold it.
const RUN: &str = "
## What has run where

| system | what has run |
| --- | --- |
| Linux, x86-64 (*ran here*) | Linux 6.18, a virtual machine: all tests, methods and benchmarks; `tpause` in Bochs 3.0 (`cargo xtask check --only tpause`), where it pauses the processor |
| Linux, arm64 (*emulated*) | qemu 10, Linux 6.12 (`--only arm64`): tests of `oversleep-os` and `oversleep`; all methods but `cond-clockwait` and `sem-clockwait`, which a static program lacks; `explain`, `report`, `list`, `trace`. Unknown: lateness, and whether `wfe` and `wfet` pause the processor |
| Windows 10 and later (*under Wine*) | Wine 8 (`--only wine`): unit tests, methods, check-up, experiments, C library; this tests our calls, not how late Windows is. `x86_64-win7-windows-gnu` is untried |
| all others, and Linux with musl (*compiles only*) | nothing (`--only targets`; OpenBSD and DragonFly BSD with a nightly compiler); sizes and constants of foreign calls agree with the published ones |
| Android, iOS, Linux on 32-bit Arm and on RISC-V (*compiles only*) | nothing; the sleep library alone (`--only targets`). For WebAssembly it gives one error that says what to use instead |
";

/// Written by hand: the code is in `oversleep-sys`.
const LIBRARY: &str = "
## What the sleep library sleeps with

Of two calls, the first sleeps of 20 ms or more try both; the second is kept if it is clearly less late. `machine::ThisMachine::sleeps_with`
returns the call.

| system | calls |
| --- | --- |
| Linux, Android, NetBSD, DragonFly BSD, illumos | `clock-nanosleep-abs` |
| FreeBSD | `clock-nanosleep-abs`, `kqueue-timer-ns` |
| macOS, iOS | `mach-wait-until`, `kqueue-timer-critical` |
| OpenBSD | `nanosleep` |
| Windows | `waitable-timer-high-resolution` (an ordinary one before Windows 10 version 1803), `sleep` |
";

/// Written by hand: which code was compared with which sources.
const READ: &str = "
## What was compared with the systems' sources

A second reader compared each argument with the systems' headers and excerpts of their kernels. These rest on documentation alone:

| system | documentation alone |
| --- | --- |
| macOS | `semaphore_timedwait`, `pthread_cond_timedwait_relative_np`, `sys/qos.h`, `NSProcessInfo`, coalescing sysctls, the overflow of Mach's waits |
| FreeBSD | `timer_create` with `SIGEV_THREAD_ID`, `cpuset_*`, `eventtimer` sysctls |
| DragonFly BSD | message queues, semaphores |
| NetBSD | its kernel; `aio_suspend` on a socket |
| OpenBSD | its kernel, except an excerpt of `kern_event.c` |
| illumos | `gethrvtime`, tick facts, `aio_suspend` on a socket |
| Windows | what Wine lacks: `SetProcessInformation`, `QueryInterruptTime`, the power plan |
";

/// Written by hand.
const WINDOWS: &str = "
## Where Wine differs from Windows

Other differences were not looked for.

| | Windows | Wine 8 (Debian 12) |
| --- | --- | --- |
| timer resolutions | 0.5 to 15.625 ms | reports 1 to 15.625 ms, uses 1 ms, ignores `timeBeginPeriod` |
| high-resolution waitable timer | from Windows 10 version 1803; before, `unavailable` | the ordinary timer |
| `--no-throttling` | `SetProcessInformation` | `unavailable` |
| `QueryInterruptTime`, `QueryInterruptTimePrecise` | from Windows 10 | `unavailable` |
| `QueryUnbiasedInterruptTime`, `GetTickCount64` | move with the tick | steps of 52 and 104 ms seen on a busy machine |
| version | its own | the prefix's; a recording adds `Wine 8.0` |

Windows before 10 version 2004 (build 19041) uses the finest timer resolution that any process asks for; later ones, each process's own;
since Windows 11 (build 22000) not while its windows are hidden, unless it opts out (`--no-throttling`).
";

const FAMILIES: &[(Family, &str)] = &[
    (Family::Portable, "Everywhere"),
    (Family::Posix, "POSIX and related"),
    (Family::Linux, "Linux"),
    (Family::Kqueue, "The BSDs and macOS: kqueue"),
    (Family::Apple, "macOS"),
    (Family::Illumos, "illumos"),
    (Family::Windows, "Windows"),
];

/// Adds a table of how many methods each system has, and which POSIX ones it lacks.
fn systems(page: &mut String) {
    page.push_str("\n| system | methods | POSIX methods it lacks |\n| --- | ---: | --- |\n");
    for system in System::ALL {
        let count = ROWS.iter().filter(|row| row.systems.contains(&system)).count();
        let posix = || ROWS.iter().filter(|row| row.family == Family::Posix);
        let lacks: Vec<_> = posix().filter(|row| !row.systems.contains(&system)).map(code_name).collect();
        let lacks = match lacks.len() {
            0 => "–".to_owned(),
            all if all == posix().count() => "all of them".to_owned(),
            _ => lacks.join(", "),
        };
        writeln!(page, "| {system} | {count} | {lacks} |").expect("a String takes all text");
    }
}

fn code_name(row: &MethodRow) -> String {
    format!("`{}`", row.name)
}

fn section(page: &mut String, family: Family, title: &str) {
    let rows: Vec<_> = ROWS.iter().filter(|row| row.family == family).collect();
    let tested = grouped(&rows, |row| tested(row).to_owned());
    write!(page, "\n## {title}\n\nTested: {tested}").expect("a String takes all text");
    if matches!(family, Family::Linux | Family::Kqueue) {
        write!(page, " Systems: {}", grouped(&rows, |row| names(row.systems))).expect("a String takes all text");
    }
    page.push_str(TABLE_HEAD);
    for row in rows {
        table_line(page, row);
    }
}

const TABLE_HEAD: &str = "\n\n| method | call | request | documentation |\n| --- | --- | --- | --- |\n";

fn table_line(page: &mut String, row: &MethodRow) {
    let request = match row.mode {
        Mode::Yield => "–".to_owned(),
        mode => format!("{}, {}{}{}", row.unit.name(), mode.name(), other_clock(row), early(row)),
    };
    writeln!(page, "| [`{}`]({}) | {} | {request} | {} |", row.name, row.source, row.call, row.promise)
        .expect("a String takes all text");
}

/// Returns the clock of the method's timer after a comma, unless it is the monotonic one.
fn other_clock(row: &MethodRow) -> String {
    match row.clock {
        TimerClock::Monotonic => String::new(),
        clock => format!(", {}", clock.name()),
    }
}

fn early(row: &MethodRow) -> &'static str {
    match row.early {
        Early::Never => "",
        Early::Possible => ", early",
    }
}

/// Returns what `of` says of the first method, and of the others where they differ from it.
fn grouped(rows: &[&MethodRow], key: impl Fn(&MethodRow) -> String) -> String {
    let usual = rows.first().map_or_else(String::new, |row| key(row));
    let mut others: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in rows {
        let what = key(row);
        if what != usual {
            others.entry(what).or_default().push(code_name(row));
        }
    }
    let mut text = format!("{usual}.");
    for (what, methods) in others {
        write!(text, " {}: {what}.", methods.join(", ")).expect("a String takes all text");
    }
    text
}

/// Methods without code in any build; `crates/oversleep-os/tests/methods/agreement.rs` has the reasons.
const WITHOUT_CODE: &[MethodId] = &[MethodId::Semtimedop];

/// Returns how well the method's code has been tested, on the best tested of its systems.
fn tested(row: &MethodRow) -> &'static str {
    let on = |system: System| row.systems.contains(&system);
    match () {
        () if WITHOUT_CODE.contains(&row.id) => "no code",
        () if on(System::Linux) && on(System::Windows) => "ran here, emulated on arm64, under Wine",
        () if on(System::Linux) => "ran here, emulated on arm64",
        () if on(System::Windows) => "ran under Wine",
        () => "compiles only",
    }
}

/// Adds a table of the kernel's settings that are read, and what each means.
fn tunables(page: &mut String) {
    page.push_str(TUNABLES_HEAD);
    for row in TUNABLES {
        let systems = names(row.systems);
        let remedy = if row.remedy.is_empty() { "–" } else { row.remedy };
        writeln!(page, "| `{}` | {systems} | {} | {remedy} |", row.name, row.about).expect("a String takes all text");
    }
}

const TUNABLES_HEAD: &str = "
## Settings of the kernel that are read

A recording keeps them in `machine.tunables`; oversleep never sets them.

| setting | systems | effect on sleep | remedy |
| --- | --- | --- | --- |
";

fn names(systems: &[System]) -> String {
    systems.iter().map(|system| system.name()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::catalog::MethodId;
    use oversleep_sys::units::Nanos;

    #[test]
    fn every_method_has_its_table_line() {
        let page = render();
        for row in ROWS {
            assert_eq!(page.matches(&format!("\n| [`{}`](", row.name)).count(), 1, "{}", row.name);
        }
    }

    #[test]
    fn no_cell_breaks_its_table() {
        let columns = |line: &str| line.matches('|').count();
        let page = render();
        // All lines of a table must have as many columns as its first.
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
        assert!(page.lines().any(|line| line.starts_with("| Windows |") && line.ends_with("all of them |")));
    }

    #[test]
    fn the_units_on_the_page_are_the_units_of_the_request() {
        let poll = MethodId::Poll.row();
        assert_eq!(poll.rounded(Nanos::new(1)), Nanos::MILLISECOND);
        assert!(render().contains("| poll(2) on no descriptors | 1 ms, relative | "));
    }
}
