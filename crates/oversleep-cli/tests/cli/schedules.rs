//! Schedules of simulated kernels: the time that periods leave, in every form, and checks of it.
//!
//! OpenBSD wakes every fourth period of 5 ms, 16.4 ms late: 100 of 400 periods are late, and of each four one leaves 3.56 ms.

use crate::support::{Ran, name, recording, run};
use serde_json::{Value, json};
use std::path::Path;

/// Period and number of periods.
const SCHEDULE: [&str; 4] = ["-i", "5ms", "-n", "400"];

/// Simulates a kernel with a schedule; returns the recording's path.
fn schedule(folder: &Path, kernel: &str) -> String {
    let path = name(folder, &format!("{kernel}.arrows"));
    let made = run(&[&["simulate", kernel, "-q", "-o", &path], &SCHEDULE[..]].concat());
    assert_eq!(made.code, Some(0), "{}", made.err);
    path
}

/// Runs the program, requires that it succeeds, and returns what it prints.
fn shown(arguments: &[&str]) -> String {
    let ran = run(arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
    ran.out
}

#[test]
fn the_time_left_is_in_every_form_of_the_figures() {
    let folder = tempfile::tempdir().unwrap();
    let file = schedule(folder.path(), "openbsd");
    let document = |more: &[&str]| -> Value {
        let out = shown(&[&["report", &file, "--json"], more].concat());
        serde_json::from_str::<Value>(&out).unwrap()["cells"][0]["time_left"].clone()
    };
    let left = json!({"period_ns": 5_000_000, "least_ns": 0, "p50_ns": 0, "p90_ns": 0, "p99_ns": 0, "p999_ns": null});
    assert_eq!(document(&[]), left);
    let counted = json!({"time_ns": 3_000_000, "enough": 100, "missed": 300});
    assert_eq!(document(&["--work", "3ms"])["work"], counted);
    let live = shown(&[&["simulate", "openbsd", "--json", "--work", "3ms"], &SCHEDULE[..]].concat());
    assert_eq!(serde_json::from_str::<Value>(&live).unwrap()["cells"][0]["time_left"]["work"], counted);

    let plain = "time left after waking: at least 0 ns of 5.00 ms in 99 % of periods, least 0 ns.";
    let judged = "left 3.00 ms or more for work in 25.0 % of periods (100 of 400); least 0 ns of 5.00 ms.";
    let page = name(folder.path(), "page.html");
    for (work, sentence) in [(&[][..], plain), (&["--work", "3ms"], judged)] {
        let markdown = shown(&[&["report", &file, "--markdown"], work].concat());
        assert!(markdown.contains(&format!(": {sentence}\n")), "{markdown}");
        shown(&[&["report", &file, "--force", "-o", &page], work].concat());
        let html = std::fs::read_to_string(&page).unwrap();
        let bare = sentence.trim_end_matches('.');
        assert!(html.contains(&format!("\"time_left\":\"{bare}\"")), "{sentence}");
    }
}

#[test]
fn shares_of_periods_are_checked() {
    let code = |more: &[&str]| {
        let Ran { code, err, .. } = run(&[&["simulate", "openbsd", "-q"], &SCHEDULE[..], more].concat());
        (code, err)
    };
    let work = ["--work", "3ms"];
    for (check, limit, row) in [
        ("late>25%", "late>24.9%", "late 100 of 400 periods, 25% (21% to 30%) > 24.9%"),
        ("skipped>75%", "skipped>0.1%", "skipped 300 of 400 periods, 75% (70% to 79%) > 0.1%"),
        ("missed>75%", "missed>1%", "missed 300 of 400 periods, 75% (70% to 79%) > 1%"),
        ("missed>300", "missed>0", "missed 300 > 0"),
    ] {
        assert_eq!(code(&[&work[..], &["--fail-if", check]].concat()).0, Some(0), "{check}");
        let (code, err) = code(&[&work[..], &["--fail-if", limit]].concat());
        assert_eq!((code, &*err), (Some(1), &*format!("check failed: clock-nanosleep-abs: {row}\n")));
    }
    let folder = tempfile::tempdir().unwrap();
    let file = schedule(folder.path(), "openbsd");
    let ran = run(&["report", &file, "--work", "4ms", "--fail-if", "missed>99%"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let ran = run(&["report", &file, "--fail-if", "missed>1%"]);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{}", ran.err);
    assert!(ran.err.contains("'missed>1%' counts the periods that leave less time than --work says"), "{}", ran.err);
}

/// What no result could decide is refused at once, rather than after a run.
#[test]
fn checks_of_schedules_are_refused_without_one_before_anything_is_measured() {
    let of_schedule = "counts periods of a schedule, and there is none here; `measure` and `simulate` keep one with --interval, as in -i 60Hz";
    for (arguments, check, why) in [
        (&["measure", "-d", "1h"][..], "late>0", of_schedule),
        (&["measure", "-e", "load"], "p99 left<8ms", of_schedule),
        (&["simulate", "openbsd"], "corrected p99>1ms", of_schedule),
        (&[], "skipped>1%", of_schedule),
        (&["diagnose", "-d", "1h"], "late>1%", of_schedule),
        (&["stalls", "-d", "1h"], "late>1%", of_schedule),
        (&["measure", "-i", "1ms", "-d", "1h"], "missed>1%", "less time than --work says"),
        (&["measure", "-e", "periodic", "-d", "1h"], "missed>1%", "less time than --work says"),
    ] {
        let ran = run(&[arguments, &["--fail-if", check]].concat());
        assert_eq!((ran.code, &*ran.out, ran.err.lines().count()), (Some(2), "", 1), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(why), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn the_file_without_a_schedule_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (kept, sleeps) = (schedule(folder.path(), "openbsd"), recording(folder.path()).display().to_string());
    for more in [&[][..], &["--markdown"]] {
        let ran = run(&[&["report", &kept, &sleeps, "--work", "3ms"], more].concat());
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        let said = format!("oversleep: --work: {sleeps}: it counts periods of a schedule");
        assert!(ran.err.starts_with(&said), "{}", ran.err);
    }
}

#[test]
fn rates_that_round_alike_have_different_periods() {
    let of = |rate: &str| shown(&["simulate", "linux-2.6-hrtimer", "-i", rate, "-n", "20"]);
    for (rate, period) in [("60Hz", "16.666667 ms"), ("59.94Hz", "16.68335 ms"), ("50Hz", "20.0 ms")] {
        let text = of(rate);
        let lines = [format!("clock-nanosleep-abs, every {period}: 20 periods"), format!("least 16.6 ms of {period}")];
        assert!(text.contains(&lines[0]), "{rate}: {text}");
        assert!(rate == "50Hz" || text.contains(&lines[1]), "{rate}: {text}");
    }
}

#[test]
fn compared_schedules_show_their_periods_and_the_time_left() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["linux-2.6-hrtimer", "openbsd"].map(|kernel| schedule(folder.path(), kernel));
    let text = shown(&["compare", &a, &b]);
    for line in [
        "periods: A 400 asked, 400 fresh (100 %), 0 late (0 %), 0 skipped (0 %); B 400 asked, 0 fresh (0 %), 100 late",
        "time left after waking, not tested: A at least 4.",
        "B at least 0 ns in 99 % of",
    ] {
        assert!(text.replace("\n  ", " ").contains(line), "{line}: {text}");
    }
    let document: Value = serde_json::from_str(&shown(&["compare", &a, &b, "--json"])).unwrap();
    let b = &document["cells"][0]["periods"]["b"];
    assert_eq!((&b["late"], &b["left_p99_ns"], &b["left_least_ns"]), (&json!(100), &json!(0), &json!(0)));
}

/// Too few sleeps for a 99th percentile are said, not only left out.
#[test]
fn a_comparison_without_a_tail_says_how_many_sleeps_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = [1, 2].map(|seed: u32| {
        let path = name(folder.path(), &format!("{seed}.arrows"));
        let (seed, kernel) = (seed.to_string(), "linux-2.6-hrtimer");
        shown(&["simulate", kernel, "-i", "5ms", "-n", "100", "--seed", &seed, "-q", "-o", &path]);
        path
    });
    let text = shown(&["compare", &a, &b]);
    assert!(text.contains("p99 is not compared: it needs 299 sleeps in each recording."), "{text}");
    assert!(text.replace("\n  ", " ").contains("(that of 99 % needs 299 periods in each recording)"), "{text}");
    let ran = run(&["compare", "--fail-if", "p99>+10%", &a, &b]);
    assert!(ran.code == Some(3) && ran.err.contains("p99 needs 299 sleeps in each recording"), "{}", ran.err);
}

/// Several methods share the run's duration, and each fits as many periods into its part of it.
#[test]
fn several_methods_keep_a_schedule_each() {
    let of = ["simulate", "openbsd", "-m", "clock-nanosleep-abs,nanosleep", "-i", "5ms", "--json", "-d", "10s"];
    let document: Value = serde_json::from_str(&shown(&of)).unwrap();
    let cells = document["cells"].as_array().unwrap();
    let kept: Vec<_> = cells.iter().map(|cell| (cell["method"].as_str().unwrap(), &cell["periods"]["asked"])).collect();
    assert_eq!(kept, [("clock-nanosleep-abs", &json!(1_000)), ("nanosleep", &json!(1_000))]);
    for (arguments, why) in [
        (&["simulate", "openbsd", "-m", "nanosleep,sched-yield"][..], "takes no time, so it can keep no schedule"),
        (&["watch", "-m", "nanosleep,select"], "watch keeps one schedule; name one method"),
        (&["simulate", "openbsd", "-m", "nanosleep,select", "--slack", "1ns,2ns"], "takes one --slack"),
    ] {
        let ran = run(&[arguments, &["-i", "5ms"]].concat());
        assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(why), "{arguments:?}: {}", ran.err);
    }
}
