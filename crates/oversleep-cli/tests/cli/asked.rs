//! Figures that somebody states, without a recording: what people asked in public, and what must be refused.

use crate::support::{Ran, name, run, words};
use serde_json::Value;
use std::fs;

/// Questions of public threads whose cause was settled there: the line that a user would type, the causes that are right, and
/// those that would be wrong. The figures are the askers'.
const THREADS: &str = include_str!("threads.json");
/// How many of them are answered with a cause that is stated.
const STATED: usize = 250;

fn explain(line: &str, more: &[&str]) -> Ran {
    let words = words(line);
    let words: Vec<&str> =
        ["explain"].into_iter().chain(more.iter().copied()).chain(words.iter().map(String::as_str)).collect();
    run(&words)
}

fn answered(line: &str) -> Value {
    let ran = explain(line, &["--json"]);
    assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
    serde_json::from_str(&ran.out).expect("one JSON document")
}

fn causes(answer: &Value) -> Vec<String> {
    let candidates = answer["candidates"].as_array().expect("candidates");
    candidates.iter().map(|one| one["cause"].as_str().expect("a cause").to_owned()).collect()
}

#[test]
fn questions_of_public_threads_are_answered_rightly_or_left_open() {
    let threads: Vec<Value> = serde_json::from_str(THREADS).expect("threads");
    let (mut right, mut stated) = (0, 0);
    for thread in &threads {
        let line = thread["line"].as_str().expect("a line");
        let names = |key: &str| -> Vec<String> { serde_json::from_value(thread[key].clone()).expect("causes") };
        let answer = answered(line);
        let (found, verdict) = (causes(&answer), &answer["verdict"]);
        let first = found.first().unwrap_or_else(|| panic!("{line}: {verdict}"));
        assert!(!names("wrong").contains(first), "{line}: {verdict}");
        let accepted = names("accepted");
        if answer["decided"] == true {
            assert!(accepted.contains(first), "{line}: {verdict}");
            stated += 1;
        }
        right += usize::from(found.iter().any(|cause| accepted.contains(cause)));
        let shares: f64 = answer["candidates"].as_array().unwrap().iter().filter_map(|one| one["share"].as_f64()).sum();
        let none = answer["none_of_these"].as_f64().expect("a share");
        assert!(shares + none <= 1.0 + 1e-9 && none > 0.0, "{line}: {shares} {none}");
    }
    assert_eq!(right, threads.len());
    // What was answered is not to become open again.
    assert!(stated >= STATED, "{stated}");
}

#[test]
fn the_laws_of_systems_answer_for_their_figures() {
    for (line, cause) in [
        ("--asked 1ms --took 15.6ms --system windows -m Sleep", "windows-tick"),
        ("--asked 1ms --took 64/s --system windows -m Sleep", "windows-tick"),
        ("--asked 1ms --took 20ms --system openbsd -m usleep", "kernel-tick"),
        ("--asked 1ms --took 1.06ms --system linux -m nanosleep", "timer-slack"),
        ("--asked 50us --took mean=1000us,min=1000us,max=1030us --system linux -m time.Sleep", "runtime-rounding"),
        ("--asked 10ms --took 11.2ms --system 'macOS 15'", "coalescing"),
        ("--asked 0.5ms --took 9.34ms --system illumos -m nanosleep", "kernel-tick"),
        ("--asked 0 --took 0.3us --system windows -m 'Sleep(0)'", "no-wait"),
        ("--asked 0 --took p50=1us,max=31ms --system windows -m Sleep --condition load=8", "run-queue"),
        ("--asked 1ms --took 20ms,20.1ms --system 'Solaris 10' -m nanosleep", "kernel-tick"),
        ("--asked 10ms --took 25ms,50ms --system 'Windows CE 2.11' -m Sleep", "kernel-tick"),
        ("--asked 1ms --took 1.5ms --system 'windows 10, python 3.12' -m time.sleep", "high-resolution-timer"),
        ("--asked 60/s --took 144/s --system 'Windows 11, chrome' -m requestAnimationFrame", "display"),
        ("--asked 50ms --took 848us --system 'Arduino Uno' -m delayMicroseconds", "request-overflow"),
        ("--asked 25d --took 1ms -m setTimeout", "request-overflow"),
        ("--asked 50d --took 7h --system windows -m Sleep", "request-overflow"),
        ("--asked 1ms --took '1000 of 1000 > 10ms' --system windows -m Sleep", "windows-tick"),
        ("--asked 10s --took 10.01s --system linux -m 'Python 3.10 time.sleep'", "timer-slack"),
        (
            "--asked 1ms --took min=1.05ms,mean=1.06ms,p50=1.06ms,p99=1.08ms,max=1.2ms,n=1000 --system linux -m nanosleep",
            "timer-slack",
        ),
        ("--asked 1s --took 60s --system chrome -m setInterval", "browser-throttling"),
        ("--asked 1ms --took 51ms --system linux -m nanosleep --condition realtime", "real-time-throttling"),
        ("--asked 5min --took 4min42s --system esp8266 -m ESP.deepSleep", "clock-rate"),
        ("--asked 6.94ms --took mean=6.94ms,max=13.9ms --system windows -m requestAnimationFrame", "display"),
        (
            "--asked 10ms --took p50=10.1ms,p99=85ms,max=99ms --system linux -m nanosleep --condition quota=50ms/100ms",
            "quota",
        ),
        ("--asked 60s --took 9m --system 'Android 13' -m Handler.postDelayed --condition background", "suspended"),
        ("--asked 1ms --took min=+2us,mean=+3us,max=+8us --system 'linux 6.6 rt' -m cyclictest", "wake-up-cost"),
        ("--asked 1s --took 1736s --system macos -m mach_wait_until", "units-confused"),
        ("--asked 1.5ms --took 1.06ms --system linux -m poll", "request-cut"),
        ("--asked 1ms --took mean=4.77ms,min=1ms,max=15.6ms --system windows -m Sleep", "windows-tick"),
        ("--asked 5ms --took 0 --system esp-idf -m vTaskDelay", "kernel-tick"),
        ("--asked 0 --took 4.2ms --system chrome -m setTimeout", "browser-throttling"),
        ("--asked 0 --took 4.7ms --system 'chrome on windows' -m setTimeout", "browser-throttling"),
        ("--asked 5ms --took 15.6ms --system 'chrome on windows' -m setTimeout", "windows-tick"),
        ("--asked 1ms --took 10ms --system windows -m SetTimer --condition timeBeginPeriod=1ms", "runtime-rounding"),
        ("--asked 1ms --took 41ms --system 'android 14' -m usleep --condition background", "timer-slack"),
        ("--asked 10ms --took 50ms --system android -m SystemClock.sleep --condition background", "timer-slack"),
        ("--asked 1h --took wall=1h,uptime=2h --system linux -m nanosleep", "clock-step"),
        ("--asked 1ms --took 20ms --system 'linux 2.4' -m nanosleep --condition HZ=100", "kernel-tick"),
        ("--asked 5s --took 60s --system edge -m setTimeout --condition background", "browser-throttling"),
        ("--asked 30ms --took 31.2ms --system 'Chrome on Windows 10' -m setTimeout", "windows-tick"),
        // Before Windows 10 2004 the resolution is that of all processes, and may be another when it is read.
        ("--asked 1ms --took 15.6ms --system 'Windows 7' -m Sleep --condition resolution=1ms", "windows-tick"),
        ("--asked 1ms --took 1ms..2ms --system 'Windows 7' -m Sleep", "timer-resolution"),
        // That the interrupt was in time speaks for what comes after it.
        ("--asked 1ms --took max=+450us,irq=2us --system 'linux 5.15 rt' -m timerlat", "interference"),
        (
            "--asked 1s --took mean=+69ms --asked 2s --took 2117ms,2134ms --asked 4s --took 4254ms,4241ms --system 'FreeBSD 10.1' -m pthread_cond_timedwait",
            "allowed-deviation",
        ),
    ] {
        let answer = answered(line);
        assert_eq!((causes(&answer)[0].as_str(), &answer["decided"]), (cause, &Value::Bool(true)), "{line}");
    }
}

#[test]
fn what_no_law_explains_is_not_explained() {
    for line in
        ["--asked 1ms --took 3.7s --system windows -m Sleep", "--asked 1ms --took 42ms --system linux -m frob_wait"]
    {
        let answer = answered(line);
        assert_eq!(answer["decided"], false, "{line}: {}", answer["verdict"]);
    }
    // None is stated of a system of which nothing is known, or of what may be late by anything.
    for line in [
        "--asked 5ms --took 23ms --system TempleOS -m Sleep",
        // A cause that the stated call or version cannot have is not stated.
        "--asked 10s --took 3s --condition interrupted --system linux -m 'Go 1.22 time.Sleep'",
        "--asked 30d --took 0s --system windows -m Sleep",
        "--asked 2000s --took 0s --system linux -m usleep",
        "--asked 100us --took 160us --system linux -m 'Java 17 Thread.sleep'",
        "--asked 1s --took 60s --system 'Chrome 60' -m setTimeout --condition background",
        "--asked 3s --took p50=2.97s,p90=3.00s,max=9.00s -m System.Threading.Timer --condition periodic",
        "--asked 1s --took 1001ms --system arduino -m delay",
        "--asked 250us --took 900us --system qnx -m nanosleep",
        "--asked 10ms --took 12ms --system freertos -m vTaskDelay",
        "--asked 1ms --took min=+2us,mean=+5us,max=+180us,n=1000000 --system 'linux 6.6 rt' -m cyclictest",
        // What explains the usual length is not said of the longest.
        "--asked 1ms --took min=+11us,mean=+51us,p50=+26us,p99=+48us,max=+7.5ms --system 'linux 5.15 rt' --condition fifo",
        // A law of later versions, and one of other browsers.
        "--asked 10ms --took 11.2ms --system 'macOS 10.6' -m nanosleep",
        "--asked 5s --took 60s --system safari -m setTimeout --condition background",
        // A rate that the figure misses.
        "--asked 1000x1ms --took 3s --system 'QNX 6.4' -m delay",
    ] {
        assert_eq!(answered(line)["decided"], false, "{line}");
    }
    // What cannot be late by as much is not listed, however few sleeps were.
    for line in [
        "--asked 1ms --took '1 of 1000 > 40ms' --system linux -m clock_nanosleep --condition fifo",
        "--asked 1ms --took '12 of 100000 > 10ms' --system 'linux kvm' -m nanosleep",
    ] {
        let found = causes(&answered(line));
        let small = ["idle-exit", "wake-up-cost", "timer-slack"];
        assert!(!found.is_empty() && !found.iter().any(|cause| small.contains(&cause.as_str())), "{line}: {found:?}");
    }
    let answer = answered("--asked 1ms --took 3.7s --system windows -m Sleep");
    assert!(answer["none_of_these"].as_f64().unwrap() > 0.5, "{answer}");
    // What a system cannot have is never among the candidates.
    let answer = answered("--asked 1ms --took 7ms --system linux -m nanosleep --condition load=4");
    assert!(
        !causes(&answer).iter().any(|cause| cause.starts_with("windows") || cause == "app-nap" || cause == "idle-exit")
    );
}

#[test]
fn a_short_sleep_is_explained_where_an_event_or_a_law_may_end_it() {
    for line in [
        "--asked 2s --took 117ms --system linux -m nanosleep --condition interrupted",
        "--asked 2s --took -1.883s --system linux -m nanosleep",
        "--asked 1ms --took 0.2ms --system windows -m Sleep",
    ] {
        assert!(!causes(&answered(line)).is_empty(), "{line}");
    }
    // Neither suspension nor slack makes a sleep shorter.
    for line in ["--asked 24h --took 23h -m frob_wait", "--asked 100ms --took 99.98ms --system linux -m select"] {
        let found = causes(&answered(line));
        assert!(!found.iter().any(|cause| cause == "suspended" || cause == "timer-slack"), "{line}: {found:?}");
    }
}

#[test]
fn a_remedy_that_is_in_force_is_not_advised() {
    for (line, advised, known) in [
        ("--asked 10s --took 10.01s --system linux -m poll", "timerfd", "PR_SET_TIMERSLACK, 1"),
        (
            "--asked 1ms --took 15.6ms --system windows -m Sleep --condition timeBeginPeriod=1ms",
            "check what timeBeginPeriod returns",
            "timeBeginPeriod(1)",
        ),
        // Nor is one of later versions.
        ("--asked 1ms --took 15.6ms --system 'Windows 7' -m Sleep", "timeBeginPeriod(1)", "HIGH_RESOLUTION"),
        ("--asked 1ms --took 10ms --system 'linux 2.4' -m nanosleep", "2.6.21", "/proc/timer_list"),
        ("--asked 1us --took 1000us --system 'Windows 7' -m time.Sleep", "a spin for the rest", "Go 1.23"),
        // Nor what is there already, by the runtime's version or by the change that was tried.
        (
            "--asked 1ms --took 15.6ms --system 'windows 10' -m 'Python 3.12 time.sleep'",
            "which version runs",
            "Python 3.11",
        ),
        (
            "--asked 1ms --took 15.6ms --system 'windows 10' -m Sleep -- --took 15.6ms --condition timeBeginPeriod=1ms",
            "check what timeBeginPeriod returns",
            "timeBeginPeriod(1)",
        ),
        ("--asked 10s --took 15m --system 'windows 7' -m Sleep --condition suspended=15m", "powercfg", "caffeinate"),
        // Nor one of another system, or what a page cannot call.
        (
            "--asked 1ms --took p50=+26us,max=+60us --system 'FreeBSD 15' -m nanosleep --condition realtime",
            "C-states",
            "cpu_dma_latency",
        ),
        ("--asked 5ms --took 15.6ms --system 'chrome on windows' -m setTimeout", "MessageChannel", "timeBeginPeriod"),
    ] {
        let remedy = answered(line)["remedy"].to_string();
        assert!(remedy.contains(advised) && !remedy.contains(known), "{line}: {remedy}");
    }
}

#[test]
fn ticks_that_fit_as_well_are_named() {
    for (line, parts) in [
        ("--asked 1ms --took 0.4ms --system freertos -m vTaskDelay", ["at 100 Hz", "at 1000 Hz"]),
        ("--asked 1ms --took 1.9ms --system 'Windows 7' -m Sleep", ["at 1024 Hz", "at 512 Hz"]),
    ] {
        let verdict = answered(line)["verdict"].to_string();
        assert!(parts.iter().all(|part| verdict.contains(part)), "{line}: {verdict}");
    }
}

#[test]
fn a_call_of_later_versions_is_refused() {
    for (line, said) in [
        (
            "--asked 1ms --took 55ms --system 'Windows 3.1' -m Sleep",
            "Windows 3.1 has no Sleep: that call is of Windows NT 3.1,",
        ),
        (
            "--asked 1ms --took 2ms --system 'linux 2.4' -m timerfd",
            "linux 2.4 has no timerfd: that call is of Linux 2.6.25 and later",
        ),
        (
            "--asked 1ms --took 2ms --system 'Windows 8' -m CREATE_WAITABLE_TIMER_HIGH_RESOLUTION",
            "that call is of Windows 10 1803 and later",
        ),
        // Nor may a change be one to such a call.
        (
            "--asked 1ms --took 15.6ms --system 'windows xp' -m Sleep -- --took 1ms -m CREATE_WAITABLE_TIMER_HIGH_RESOLUTION",
            "that call is of Windows 10 1803 and later",
        ),
    ] {
        let ran = explain(line, &[]);
        assert!(ran.code == Some(2) && ran.out.is_empty() && ran.err.contains(said), "{line}: {}", ran.err);
    }
}

#[test]
fn the_work_of_a_loop_is_part_of_a_stated_rate() {
    let found = causes(&answered("--asked 200Hz --took 176.5/s --system linux -m time.sleep"));
    assert_eq!(found[0], "own-work", "{found:?}");
    let found = causes(&answered("--asked 5ms --took 5.67ms --system linux -m time.sleep"));
    assert!(!found.iter().any(|cause| cause == "own-work"), "{found:?}");
}

#[test]
fn a_sleep_in_time_needs_no_cause() {
    for line in [
        "--asked 1s --took 1s --system linux",
        "--asked 1ms --took 1ms --asked 2ms --took 2.0ms",
        "--asked 1ms --took '0 of 1000 > 10ms' --system linux -m nanosleep",
    ] {
        let answer = answered(line);
        let verdict = answer["verdict"].as_str().unwrap_or_default();
        assert!(verdict.starts_with("Nothing to explain") && causes(&answer).is_empty(), "{line}: {answer}");
    }
}

#[test]
fn one_round_figure_shows_no_tick_of_a_library() {
    for line in ["--asked 1ms --took 500ms --system windows", "--asked 1ms --took 9ms -m k_sleep"] {
        assert_eq!(answered(line)["decided"], false, "{line}");
    }
}

#[test]
fn a_cause_of_any_size_is_not_stated_without_a_reason() {
    let of = |more: &str| {
        answered(&format!("--asked 100ms --took mean=162ms,min=100.5ms,max=248ms --system macos -m kqueue{more}"))
    };
    let (alone, loaded) = (of(""), of(" --condition load=8"));
    assert_eq!((causes(&alone)[0].as_str(), &alone["decided"]), ("run-queue", &Value::Bool(false)), "{alone}");
    assert_eq!((causes(&loaded)[0].as_str(), &loaded["decided"]), ("run-queue", &Value::Bool(true)), "{loaded}");
    // One lateness of a microcontroller shows no clock that is set wrong.
    assert_eq!(answered("--asked 10ms --took 37ms --system freertos -m vTaskDelay")["decided"], false);
}

#[test]
fn the_verdict_comes_first() {
    let ran = explain("--asked 1ms --took 15.6ms --system windows -m Sleep", &[]);
    let mut lines = ran.out.lines();
    let first = lines.next().unwrap_or_default();
    assert!(
        first.starts_with("Windows' default tick (") && first.contains("1 ms lasts 15.6 ms in a loop"),
        "{}",
        ran.out
    );
    for part in ["  law: ", "  why: ", "  remedy: ", "  to decide: "] {
        assert!(ran.out.lines().any(|line| line.starts_with(part)), "{part}: {}", ran.out);
    }
}

/// Returns the answer to a table without starts.
fn of_table(text: &str, more: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = name(folder.path(), "table.csv");
    fs::write(&path, text).unwrap();
    let ran = run(&[&["explain", &path, "--json"], more].concat());
    assert_eq!(ran.code, Some(0), "{text}: {}", ran.err);
    serde_json::from_str(&ran.out).expect("one JSON document")
}

#[test]
fn a_table_without_starts_is_answered_as_its_figures_are() {
    let windows = ["--system", "windows", "-m", "Sleep"];
    let stated = answered("--asked 1ms --took 15.6ms,15.5ms,15.7ms,8.1ms --system windows -m Sleep");
    let table = of_table("requested_ms,took_ms\n1,15.6\n1,15.5\n1,15.7\n1,8.1\n", &windows);
    let share = |answer: &Value| answer["candidates"][0]["share"].as_f64().unwrap();
    assert_eq!((causes(&table)[0].as_str(), &table["decided"]), ("windows-tick", &Value::Bool(true)), "{table}");
    assert!((share(&stated) - share(&table)).abs() < 0.05, "{stated} {table}");
    // Names and units of its own, durations alone, a summary per request.
    let told = of_table("a;t\n1;20000\n5;20000\n", &["--columns", "requested=a:ms,took=t:us", "--system", "openbsd"]);
    assert_eq!(causes(&told)[0], "kernel-tick", "{told}");
    let alone = of_table("took_ms\n15.6\n15.6\n15.5\n", &[&windows[..], &["--asked", "1ms"]].concat());
    assert_eq!(causes(&alone)[0], "windows-tick", "{alone}");
    let summary =
        "requested_ms,n,min_ms,mean_ms,max_ms\n1,200,1.02,1.25,1.27\n10,200,10.1,12.4,12.6\n33.3,200,33.4,38.1,38.4\n";
    let summary = of_table(summary, &["--system", "macOS 15", "-m", "nanosleep"]);
    assert_eq!(causes(&summary)[0], "coalescing", "{summary}");
    // Ten thousand rows are no other question.
    let mut many = "requested_us,late_us\n".to_owned();
    (0..10_000).for_each(|k| many += &format!("1000,{}\n", 56 + k % 7));
    let many = of_table(&many, &["--system", "linux", "-m", "nanosleep"]);
    assert_eq!(causes(&many)[0], "timer-slack", "{many}");
}

#[test]
fn files_of_other_programs_are_answered_with_what_is_stated_of_their_sleeps() {
    let linux = ["--system", "Linux 5.15 rt", "-m", "clock_nanosleep"];
    let imports = concat!(env!("CARGO_MANIFEST_DIR"), "/../oversleep-lab/tests/data/imports");
    for (file, more, expected) in [
        ("rtla-timerlat-hist-made-up.txt", &linux[..], "interference"),
        // Of the latest thread the interrupt was in time.
        ("rtla-timerlat-top-made-up.txt", &linux, "interference"),
        ("cyclictest-2.10-nohist.json", &linux, "idle-exit"),
        ("cyclictest-2.4-h100.txt", &linux, "run-queue"),
        ("stress-ng-cyclic-clock_ns.txt", &["--system", "linux", "--asked", "100us"], "timer-slack"),
        ("stress-ng-cyclic-clock_ns.txt", &linux, "it does not say what was asked for; say it with --asked 1ms"),
        ("cyclictest-2.4-h100-display.txt", &["--system", "linux", "--asked", "7ms"], "leave out --asked"),
        ("oslat.txt", &linux, "it does not say how late sleeps were, but gap in a busy loop"),
    ] {
        let ran = run(&[&["explain", &format!("{imports}/{file}"), "--json"], more].concat());
        if ran.code == Some(0) {
            let answer: Value = serde_json::from_str(&ran.out).expect("one JSON document");
            assert_eq!(causes(&answer).first().map(String::as_str), Some(expected), "{file}: {answer}");
        } else {
            assert!(ran.code == Some(2) && ran.err.contains(expected) && ran.out.is_empty(), "{file}: {}", ran.err);
        }
    }
    // After a change, such a file stands for its figures too.
    let (before, after) = (format!("{imports}/cyclictest-2.4-h100.txt"), format!("{imports}/cyclictest-2.10-h60.txt"));
    let ran = run(&["explain", &before, "--system", "linux", "--json", "--", &after, "--condition", "idle-off"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn a_table_without_starts_says_what_it_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let path = name(folder.path(), "table.csv");
    for (text, more, said) in [
        ("requested_ms,took\n1,15\n", &[][..], "nothing says in which unit column `took` is: call it took_ms"),
        ("took_ms\n15\n", &[], "no column says what was asked for"),
        ("requested_ms,took_ms\n1,15600\n1,15600\n", &["--system", "windows", "-m", "Sleep"], "15.6 ms would"),
        ("requested_ms,took_ms\n1,x\n", &[], "line 2: "),
        ("requested_ms,took_ms\n1,15\n", &["--asked", "1ms"], "leave out --asked"),
    ] {
        fs::write(&path, text).unwrap();
        let ran = run(&[&["explain", &path], more].concat());
        assert!(matches!(ran.code, Some(2 | 3)) && ran.out.is_empty(), "{text}: {}", ran.out);
        assert!(ran.err.contains(said) && ran.err.lines().count() <= 2, "{text}: {}", ran.err);
    }
}

#[test]
fn what_a_change_removes_is_named() {
    for (line, cause) in [
        (
            "--asked 1ms --took 1.06ms --system linux -m nanosleep -- --took 1.005ms --condition slack=1ns",
            "timer-slack",
        ),
        (
            "--asked 1ms --took 15.6ms --system windows -m Sleep -- --took 1.9ms --condition timeBeginPeriod=1ms",
            "windows-tick",
        ),
        (
            "--asked 1ms --took mean=1.12ms,max=1.25ms,n=1000 --system linux --condition realtime -- --took mean=1.005ms,max=1.02ms,n=1000 --condition idle-off",
            "idle-exit",
        ),
        (
            "--asked 10ms --took 10ms..34ms --system linux --condition load=4 -- --took 10.01ms --condition realtime",
            "run-queue",
        ),
        (
            "--asked 50ms --took 51ms..128ms --system linux --condition quota=20ms/100ms -- --took 50.06ms --condition quota=100ms/100ms",
            "quota",
        ),
    ] {
        let answer = answered(line);
        assert_eq!(causes(&answer).first().map(String::as_str), Some(cause), "{line}: {}", answer["verdict"]);
        let shares: f64 = answer["candidates"].as_array().unwrap().iter().filter_map(|one| one["share"].as_f64()).sum();
        assert!(shares + answer["none_of_these"].as_f64().unwrap() <= 1.0 + 1e-9, "{line}");
    }
}

#[test]
fn a_change_that_changes_nothing_speaks_against_what_it_should_remove() {
    let share = |line: &str| {
        let answer = answered(line);
        let of_slack =
            answer["candidates"].as_array().unwrap().iter().find(|one| one["cause"] == "timer-slack").cloned();
        (answer["decided"] == true, of_slack.and_then(|one| one["share"].as_f64()).unwrap_or(0.0))
    };
    let (decided, alone) = share("--asked 1ms --took 1.06ms --system linux -m nanosleep");
    assert!(decided && alone > 0.8, "{alone}");
    // Without slack the sleeps are as late.
    let (decided, with) =
        share("--asked 1ms --took 1.06ms --system linux -m nanosleep -- --took 1.06ms --condition slack=1ns");
    assert!(!decided && with < alone - 0.2, "{with}");
}

/// What a program warned of is part of what its file states.
#[test]
fn a_warning_in_a_file_is_the_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cyclictest.txt");
    let lines = "T: 0 ( 1234) P:80 I:1000 C:  10000 Min:     50 Act: 1031 Avg: 1905 Max:    4012\n";
    std::fs::write(&file, format!("WARN: High resolution timers not available\n{lines}")).expect("written");
    let ran = run(&["explain", &file.display().to_string(), "--system", "linux"]);
    assert!(ran.out.starts_with("A kernel without high-resolution timers"), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("there are no high-resolution timers"), "{}", ran.err);
}
