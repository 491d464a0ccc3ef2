//! `measure --command`: a probe of the user's own, and everything that can be wrong with one.

use crate::support::{Ran, has_shell, name, run};
use serde_json::Value;
use std::process::Command;

const MONOTONIC: &str = "echo '# oversleep-probe 1 clock=monotonic'";
/// A probe with a clock of its own, for rows that are made up. It answers for that clock until it is asked for a block.
const HELLO: &str =
    "echo '# oversleep-probe 1 clock=own'; while read -r r n && [ $r = anchor ]; do echo '# anchor 0'; done";

/// Returns a probe in the shell that prints `rows` for each sleep, which begins at `t`, without waiting: the tests are not about
/// time.
fn probe(rows: &str) -> String {
    format!(
        "echo '# oversleep-probe 1 clock=own'; t=0; while read -r r n; do if [ $r = anchor ]; then echo '# anchor 0'; continue; \
         fi; i=0; while [ $i -lt $n ]; do {rows}; i=$((i+1)); done; echo; done"
    )
}

fn measure(command: &str, more: &[&str]) -> Ran {
    let count = if more.contains(&"-n") { &[][..] } else { &["-n", "60"] };
    run(&[&["measure", "--no-save", "-q", "--command", command], count, more].concat())
}

#[test]
fn a_program_s_table_becomes_an_ordinary_recording() {
    if !has_shell() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = name(folder.path(), "run.arrows");
    let command = probe("echo $r,$t,$((t+=r+i))");
    let ran = run(&["measure", "-q", "-n", "60", "-r", "1ms,2ms", "--command", &command, "--out", &file, "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let cells = document["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 2);
    for cell in cells {
        // Blocks of 50 and 10: oversleeps 0 to 49 ns and 0 to 9 ns.
        assert_eq!((cell["n"].as_u64(), cell["max_ns"].as_i64()), (Some(60), Some(49)), "{cell}");
    }
    assert_eq!(run(&["report", &file]).code, Some(0));
    let csv = run(&["export", &file]);
    assert_eq!((csv.code, csv.out.lines().count()), (Some(0), 121), "{}", csv.err);
}

#[test]
fn one_that_hears_nobody_is_taken_as_it_is() {
    if !has_shell() {
        return;
    }
    // With and without an empty line after its rows, as after a block.
    for more in ["", "; echo; cat"] {
        let probe = format!(
            "{HELLO}; i=0; while [ $i -lt 60 ]; do echo 1000000,${{i}}000000,${{i}}999999; i=$((i+1)); done{more}"
        );
        let ran = measure(&probe, &["--csv"]);
        assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 61), "{more}: {}", ran.err);
    }
}

/// What it printed is kept, and what is missing is said.
#[test]
fn one_that_prints_fewer_or_more_rows_than_it_was_asked_for_has_failed() {
    if !has_shell() {
        return;
    }
    let rows = "echo 1000000,1,1000501; echo 1000000,1000501,2001000";
    let blocks = probe("echo $r,$t,$((t+=r+i))");
    for (command, rows, said) in [
        (format!("{HELLO}; {rows}"), 2, "ended after 2 of the 60 sleeps of 1.00 ms that were asked for"),
        // It reads orders, and ends within the second block.
        (
            blocks.replace("echo; done", "echo; read -r r n; echo $r,$t,$((t+r)); exit; done"),
            51,
            "ended after 51 of the 60",
        ),
        (blocks.replace("-lt $n", "-le $n"), 51, "printed 51 rows when asked for 50, and 51 of the 60 sleeps"),
    ] {
        let ran = measure(&command, &["--csv"]);
        assert_eq!((ran.code, ran.out.lines().count()), (Some(3), rows + 1), "{command}: {}", ran.err);
        let lines: Vec<_> = ran.err.lines().filter(|line| line.contains(said)).collect();
        assert_eq!(lines.len(), 1, "{command}: {}", ran.err);
    }
}

#[test]
fn its_clock_is_tied_to_ours_by_a_handshake() {
    if !has_shell() {
        return;
    }
    let command = "echo '# oversleep-probe 1 clock=own'; while read -r r n; do if [ $r = anchor ]; then echo '# anchor 7'; \
                   else echo $r,10,$((r+10)); echo; fi; done";
    let folder = tempfile::tempdir().unwrap();
    let file = name(folder.path(), "run.arrows");
    let ran = run(&["measure", "-q", "-n", "1", "--command", command, "--out", &file]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let csv = run(&["export", &file]).out;
    let number = |field: &str| field.parse::<i64>().ok();
    let row: Vec<_> = csv.lines().nth(1).unwrap().split(',').filter_map(number).collect();
    // The probe's clock showed 7 at the handshake, so its 10 is another number on our clock; durations are the same.
    assert!(row.iter().any(|&start| start > 1_000_000_000 && row.contains(&(start + 1_000_000))), "{csv}");
}

/// Each way to fail is reported in one line; sleeps from before the failure are kept.
#[test]
fn what_fails_says_so_in_one_line() {
    if !has_shell() {
        return;
    }
    for (command, said) in [
        ("/not/there".to_owned(), "ended before its first line"),
        ("echo rubbish".to_owned(), "the program's first line has to be '# oversleep-probe 1 clock=monotonic'"),
        (format!("{HELLO}; echo rubbish"), "'rubbish' is not a row"),
        (format!("{HELLO}; echo 1000000,1,1000501; echo 'oh no' >&2; exit 3"), "ended after 1 of 50 sleeps"),
        (format!("{HELLO}; yes 1000000,1,1"), "prints without end"),
        ("yes | tr -d '\\n'".to_owned(), "prints a line longer than 4096 bytes"),
        (format!("{HELLO}; echo 2000000,1,2000001"), "-r 2ms was not given"),
        (format!("{MONOTONIC}; echo 1000000,1,9000000000000000000"), "it must say clock=own"),
        (format!("{MONOTONIC}; echo 1000000,1,1000501"), "before it was asked for); it must say clock=own"),
        (format!("{HELLO}; echo 1000000,1,1000501; printf 1000000,1,10"), "a line, which is left out: '1000000,1,10'"),
        // Two sleeps at once, in the wrong order, and times of another clock than that which was read.
        (format!("{HELLO}; yes 1000000,1,1000501"), "a sleep begins 1.00 ms before the one before it ended"),
        (format!("{HELLO}; echo 1000000,5000000,6000000; echo 1000000,1,1000501"), "begins 6.00 ms before the one"),
        (format!("{HELLO}; echo 1000000,100000000000000,100000001000000"), "not those of the clock that it read for"),
        (format!("{HELLO}; echo 1000000,-9000000000000000000,-8999999999999000000"), "before it was asked for)"),
        (format!("{HELLO}; echo 1000000,9223372036854775000,9223372036854775807"), "than nanoseconds can be counted"),
        (format!("{HELLO}; echo 1000000,9,1"), "ends before it starts"),
        ("exec >&-; exec sleep 1000".to_owned(), "before its first line (it closed its output and went on)"),
        (format!("{HELLO}; yes '# a remark'"), "lines that are no rows"),
        ("echo '# oversleep-probe 1 clock=own'; yes '# a remark'".to_owned(), "prints without end, when asked to read"),
        // Its child holds its output open.
        (format!("{HELLO}; sleep 1000 & exit 3"), "ended after 0 of 50 sleeps (exit status: 3)"),
        ("sleep 1000 & exit 3".to_owned(), "ended before its first line (exit status: 3)"),
        (format!("{HELLO}; echo 1000000,NaN,1"), "'1000000,NaN,1' is not a row"),
        (format!("{HELLO}; echo 1000000,1,1e9"), "'1000000,1,1e9' is not a row"),
    ] {
        let ran = measure(&command, &["--csv"]);
        assert_eq!(ran.code, Some(3), "{command}: {}", ran.err);
        let lines: Vec<_> = ran.err.lines().filter(|line| line.contains(said)).collect();
        assert_eq!(lines.len(), 1, "{command}: {}", ran.err);
    }
    // Standard output, where the reason also stands, may be somewhere else.
    for command in ["echo rubbish".to_owned(), format!("{HELLO}; echo 1000000,1,1000501; echo rubbish")] {
        let ran = measure(&command, &[]);
        let last = ran.err.lines().last().unwrap_or_default();
        assert!(ran.code == Some(3) && last.contains("not ") && last.contains("'rubbish'"), "{command}: {}", ran.err);
    }
    let died = measure(&format!("{HELLO}; echo 1000000,1,1000501; exit 3"), &["--csv"]);
    assert_eq!(died.out.lines().count(), 2, "{}", died.out);
}

/// All its sleeps are kept.
#[test]
fn one_that_hangs_when_its_clock_is_read_at_the_end_says_so_in_one_line() {
    if !has_shell() {
        return;
    }
    let row = "i=0; while [ $i -lt 50 ]; do i=$((i+1)); echo 1000000,$((i*2000000)),$((i*2000000+1000501)); done; echo";
    let ran = measure(&format!("{HELLO}; {row}; exec sleep 1000"), &["--csv", "-n", "50"]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 51), "{}", ran.err);
    let said =
        "hangs: nothing more came within 10.0 s, when asked to read its clock ('anchor'); it was ended; the error of";
    assert_eq!(ran.err.lines().filter(|line| line.contains(said)).count(), 1, "{}", ran.err);
}

#[test]
fn one_that_fails_is_ended_with_everything_it_started() {
    if !has_shell() {
        return;
    }
    // A duration for which nothing else on this machine sleeps, so that `ps` finds only these processes by it.
    let mark = format!("98765.{}", std::process::id());
    let row = "echo 1000000,1,1000501";
    for (probe, options, said) in [
        (
            format!("{HELLO}; sleep {mark} & sleep {mark}; wait"),
            &["-d", "1s"][..],
            "was ended with the run's time (-d), after 0 of 50",
        ),
        (format!("sleep {mark} & echo rubbish; sleep {mark}"), &[], "the program's first line has to be"),
        (format!("{HELLO}; {row}; sleep {mark} >&- 2>&- & exit 3"), &[], "ended after 1 of 50 sleeps"),
        (format!("{HELLO}; {row}; sleep {mark} & yes 1000000,1000501,1000501"), &[], "prints without end"),
    ] {
        let ran = measure(&probe, &[&["--csv"], options].concat());
        assert_eq!(ran.code, Some(3), "{probe}: {}", ran.err);
        assert!(ran.err.contains(said), "{probe}: {}", ran.err);
        let left = Command::new("sh").args(["-c", "ps -eo args | grep -F \"sleep $0\" | grep -v grep", &mark]).output();
        assert_eq!(String::from_utf8_lossy(&left.expect("ps").stdout), "", "{probe}");
    }
}

#[test]
fn a_shell_that_is_not_found_is_named() {
    if !has_shell() {
        return;
    }
    let mut command = crate::support::oversleep();
    command.env("PATH", "/nowhere").args(["measure", "--no-save", "-q", "-n", "6", "--command", "true"]);
    let ran = crate::support::finish(&mut command);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    let said = "the system's shell, which runs commands, is not found in PATH";
    assert!(ran.out.contains(said), "{} {}", ran.out, ran.err);
}
