//! `docs/PLATFORMS.md`, written from the catalogue.

use oversleep_recording::catalog::{Early, Family, ROWS, Row, System};
use std::fmt::Write as _;

/// The page: a table per family, then what each call promises.
pub(crate) fn render() -> String {
    let mut page = String::from(HEAD);
    systems(&mut page);
    page.push_str(RUN);
    for (family, title) in FAMILIES {
        section(&mut page, *family, title);
    }
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

| system | what was run |
| --- | --- |
| Linux, x86-64 | everything: the tests, every method, every benchmark (Linux 6.18, a virtual machine). `tpause`, which that processor lacks: the tests of the fine wait alone, in a processor emulated by Bochs 3.0 with Debian 13's kernel (6.12), by `cargo xtask check --only tpause`. It rests there: 300 µs end less than 1 µs late after some 60 looks at the clock, where the hint takes 14 000 |
| Windows | under Wine 8 alone, and so on Linux' clocks and timers, by `cargo xtask check --only wine`: the unit tests of `oversleep-os` and `oversleep`, the tests of the methods and of the simulated machine, and `oversleep.exe measure`, `explain`, `report` and `list` with the methods built for Windows so far: `thread-sleep`, `park-timeout`, `spin`. Wine has no `QueryInterruptTime`; those two clocks are reported as missing there. The knobs, Windows' own sleep calls and any real Windows: never |
| Linux, arm64 | on Debian 13's kernel (6.12) in an emulated machine (qemu 10) alone, by `cargo xtask check --only arm64`: the tests of `oversleep-os` and `oversleep`, and `oversleep measure` with every method but `cond-clockwait` and `sem-clockwait` (which a statically linked program does not find), `explain`, `report`, `list` and `trace`. The calls, the counter, `wfe` and `wfet` run there, but qemu's `wfe` and `wfet` end at once: that they rest has not been seen, and nothing is known of how late arm64 is |
| macOS, FreeBSD, NetBSD, illumos | nothing; they compile and lint (`cargo xtask targets`) |
| OpenBSD, DragonFly BSD | nothing; not even compiled |
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
| method | call | unit | told | clock | early | systems |
| --- | --- | --- | --- | --- | --- | --- |
";

fn table_line(page: &mut String, row: &Row, family: Family) {
    let early = match row.early {
        Early::Never => "never",
        Early::Possible => "possible",
    };
    let (call, unit, mode, clock) = (row.call, row.unit.name(), row.mode.name(), row.clock.name());
    let systems = names(row, family);
    writeln!(page, "| `{}` | {call} | {unit} | {mode} | {clock} | {early} | {systems} |", row.name)
        .expect("a String takes all text");
}

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
        for line in render().lines().filter(|line| line.starts_with("| `")) {
            assert_eq!(columns(line), columns(TABLE_HEAD.lines().next().unwrap_or("")), "{line}");
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
