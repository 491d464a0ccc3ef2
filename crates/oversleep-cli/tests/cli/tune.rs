//! `tune`: the command and its children inherit the settings, and its exit status is passed on.

use crate::support::{has_shell, oversleep, run};
use oversleep_os::settings::{affinity, timer_slack};

#[test]
fn the_exit_status_and_the_output_are_the_commands() {
    if !has_shell() {
        return;
    }
    let ran = run(&["tune", "-q", "--", "sh", "-c", "echo out; echo err >&2; exit 7"]);
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(7), "out\n", "err\n"));
    let ran = run(&["tune", "--no-latency-hold", "--", "true"]);
    assert!(ran.code == Some(0) && ran.err.starts_with("timer slack: "), "{ran:?}");
    let ran = run(&["tune", "-q", "--", "no-such-program"]);
    assert!(ran.code == Some(3) && ran.err.starts_with("oversleep: cannot run 'no-such-program'"), "{ran:?}");
}

/// The command is this program again, which reads its settings back from the system.
#[test]
fn the_command_and_what_it_starts_have_the_settings() {
    let (Ok(before), Ok(cpus)) = (timer_slack::read(), affinity::read()) else {
        println!("skipped: this system has no timer slack or no affinity");
        return;
    };
    let last = cpus.last().unwrap().to_string();
    let own = env!("CARGO_BIN_EXE_oversleep");
    // The command is `every`, which starts `measure`: a child of the command.
    let measure = ["every", "1ms", "-n", "1", "--", own, "measure", "-q", "--no-save", "-n", "20", "--json"];
    let child = oversleep().args(["tune", "--slack", "3ms", "-a", &last, "--", own]).args(measure).output().unwrap();
    let said = String::from_utf8(child.stderr).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&child.stdout).unwrap();
    let obtained = &document["cells"][0]["conditions"]["obtained"];
    assert_eq!(obtained["timer_slack_ns"], 3_000_000, "{said}");
    assert_eq!(obtained["affinity"].as_array().unwrap().len(), 1, "{said}");
    assert!(
        said.contains("timer slack: 3.00 ms (was ") && said.contains(&format!("processors: {last} (was ")),
        "{said}"
    );
    // A report of such a run says it above the figures.
    let plain = ["measure", "-q", "--no-save", "-n", "20"];
    let child =
        oversleep().args(["tune", "-q", "--slack", "3ms", "-a", &last, "--", own]).args(plain).output().unwrap();
    let shown = String::from_utf8(child.stdout).unwrap();
    let line = shown.lines().find(|line| line.starts_with("already set when it began: ")).unwrap_or_default();
    assert!(line.contains("slack 3.00 ms"), "{shown}");
    let several = oversleep_os::cpu::online().len() > 1;
    assert_eq!(line.contains(&format!("processors {last} of ")), several, "{shown}");
    // The settings of this process are unchanged.
    assert_eq!(timer_slack::read().ok(), Some(before));
}

#[test]
fn a_policy_under_which_a_command_cannot_start_others_is_refused() {
    let ran = oversleep().args(["tune", "-p", "deadline:1ms/10ms", "--", "true"]).output().unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    assert_eq!((ran.status.code(), said.lines().count()), (Some(2), 1), "{said}");
    assert!(said.contains("SCHED_DEADLINE"), "{said}");
}
