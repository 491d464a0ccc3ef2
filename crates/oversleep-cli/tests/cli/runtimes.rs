//! `runtimes`: counts, messages and documented promises of the installed runtimes. Benchmarks test how late they are.

use crate::support::{holds_samples, name, oversleep, run};
use oversleep_recording::catalog::Early;
use oversleep_recording::catalog::System;
use oversleep_recording::runtimes::{APIS, RUNTIMES};
use serde_json::Value;
use std::process::{Command, Stdio};

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// Returns whether a program is installed; prints a line if not.
fn installed(program: &str) -> bool {
    let there = is_installed(program);
    if !there {
        println!("skipped: {program} is not installed");
    }
    there
}

#[test]
fn installed_runtimes_keep_order_and_their_documented_promises() {
    for runtime in RUNTIMES {
        if !is_installed(runtime.program) {
            println!("not tested: {} is not installed", runtime.program);
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let file = name(folder.path(), "run.arrows");
        let ran = run(&["runtimes", "-q", "--only", runtime.name, "-r", "1.5ms", "-n", "12", "--out", &file, "--json"]);
        assert_eq!(ran.code, Some(0), "{}: {}", runtime.name, ran.err);
        let document: Value = serde_json::from_str(&ran.out).unwrap();
        for api in APIS.iter().filter(|api| api.is_of(runtime)) {
            let apis = document["apis"].as_array().unwrap();
            let Some(found) = apis.iter().find(|found| found["api"] == api.name) else {
                let unavailable = document["unavailable"].to_string();
                assert!(api.since.is_some() && unavailable.contains(api.name), "{}: {unavailable}", api.name);
                eprintln!("{} needs version {} or later", api.name, api.since.unwrap_or_default());
                continue;
            };
            let cell = &found["cells"][0];
            assert_eq!(cell["n"], 12, "{}", api.name);
            if api.early == Early::Never {
                assert_eq!(cell["early"], 0, "{} woke early", api.name);
            }
            assert!(found["runtime"].as_str().is_some_and(|said| said.contains('.')), "{}", api.name);
        }
        let again = run(&["explain", &file, "--json"]);
        assert_eq!((again.code, again.out), (Some(0), ran.out), "{}: {}", runtime.name, again.err);
    }
}

#[test]
fn what_is_not_installed_is_said_with_how_to_get_it_and_the_rest_goes_on() {
    let mut command = crate::support::oversleep();
    command.env("PATH", "/nowhere").args(["runtimes", "--no-save", "-q", "--only", "perl,shell", "-n", "6"]);
    let ran = crate::support::finish(&mut command);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    assert!(ran.out.contains("not installed here (Debian: apt install perl"), "{}", ran.out);
    assert!(ran.out.contains("not installed here (Debian: apt install bash"), "{}", ran.out);
    // Standard output may be somewhere else.
    let why = "no runtime could be measured: unavailable ";
    assert!(ran.err.contains(why) && ran.err.contains("not installed here (Debian: apt"), "{}", ran.err);
}

#[test]
fn names_are_taken_as_tables_write_them_and_a_folder_that_is_not_there_is_named() {
    let mut command = oversleep();
    let ran = crate::support::finish(command.env("PATH", "/nowhere").env("TMPDIR", "/nonexistent").args([
        "runtimes",
        "--no-save",
        "-q",
        "--only",
        "Bash,nodejs,node.js,PERL,Python asyncio.sleep,Go-Ticker",
        "-n",
        "6",
    ]));
    if System::HERE == Some(System::Linux) {
        let why = "oversleep: cannot make a temporary folder in /nonexistent: No such file or directory (os error 2)\n";
        assert_eq!((ran.code, &*ran.err), (Some(3), why));
    }
}

/// One runtime fails, in each way in turn, beside one that does not.
#[test]
fn a_runtime_that_fails_takes_nothing_from_the_others() {
    if !installed("bash") {
        return;
    }
    // It answers for its clock until it is asked for a block.
    let hello = "echo '# oversleep-probe 1 clock=own runtime=Perl 5.0'; while read -r r n && [ $r = anchor ]; do echo \
                 '# anchor 0'; done";
    let row = "echo 1000000,1,1000501";
    for (broken, said) in [
        ("echo nonsense".to_owned(), "the program's first line has to be"),
        ("exit 3".to_owned(), "ended before its first line"),
        (format!("{hello}; {row}; exit 3"), "ended after 1 of"),
        (format!("{hello}; echo x"), "'x' is not a row"),
        (format!("{hello}; yes 1000000,1,1"), "prints without end"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("perl");
        std::fs::write(&program, format!("#!/bin/sh\n{broken}\n")).unwrap();
        assert!(Command::new("chmod").arg("755").arg(&program).status().unwrap().success());
        let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap_or_default());
        let mut command = crate::support::oversleep();
        command.env("PATH", path).args(["runtimes", "--no-save", "-q", "--json", "-r", "1ms", "-n", "6"]);
        let ran = crate::support::finish(command.args(["--only", "perl-usleep,shell-read"]));
        assert_eq!(ran.code, Some(0), "{broken}: {}", ran.err);
        let document: Value = serde_json::from_str(&ran.out).unwrap();
        let found = |api: &str| document["apis"].as_array().unwrap().iter().find(|found| found["api"] == api);
        assert_eq!(found("shell-read").unwrap()["cells"][0]["n"], 6, "{broken}");
        let unavailable = document["unavailable"].as_array().unwrap();
        assert_eq!(unavailable.len(), 1, "{broken}: {unavailable:?}");
        assert!(unavailable[0]["why"].as_str().unwrap().contains(said), "{broken}: {unavailable:?}");
    }
}

/// Tests the counts of a user's own probe and of its native primitive. Benchmarks test what is found about a probe.
#[test]
fn a_command_is_held_against_a_primitive() {
    if !installed("bash") {
        return;
    }
    let probe = "echo '# oversleep-probe 1 clock=own'; t=0; while read -r r n; do if [ $r = anchor ]; then echo '# anchor 0'; \
                 continue; fi; i=0; while [ $i -lt $n ]; do echo $r,$t,$((t+=r+i)); i=$((i+1)); done; echo; done";
    let ran = run(&["runtimes", "-q", "--no-save", "--json", "-r", "1ms", "-n", "12", "--command", probe]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let api = &document["apis"][0];
    // There are six blocks of two sleeps of the probe and one of the primitive.
    assert_eq!((&api["cells"][0]["n"], &api["cells"][0]["native_n"]), (&Value::from(12), &Value::from(6)), "{api}");
    assert_eq!((&api["call"], &api["cells"][0]["early"]), (&Value::Null, &Value::from(0)), "{api}");
    assert!(api["native"].is_string() && api["cells"][0]["share"]["blocks"] == 6, "{api}");
    let ran = run(&["runtimes", "--command", probe, "--native", "nanosleeep"]);
    assert!(ran.code == Some(2) && ran.err.contains("nanosleep"), "{}", ran.err);
    let ran = run(&["runtimes", "--native", "nanosleep"]);
    assert_eq!(ran.code, Some(2), "--native is for --command: {}", ran.err);
    let ran = run(&["runtimes", "--native", "nanosleep", "--only", "shell-read"]);
    assert_eq!(ran.code, Some(2), "--native is for --command, also beside --only: {}", ran.err);
    // Load is asked for, and the header does not confirm it.
    let options = ["-r", "1ms", "-n", "12", "--load", "2", "--load-kind", "runtime", "--command", probe];
    let ran = run(&[&["runtimes", "-q", "--no-save"][..], &options].concat());
    assert!(ran.out.contains("does not say that it is busy inside (load=2)"), "{}", ran.out);
    let ran = run(&[&["measure", "-q", "--no-save"][..], &options].concat());
    assert!((ran.out + &ran.err).contains("does not say that it is busy inside (load=2)"));
}

/// A ticker that loses its timetable: a tick of 1 ms comes every 2 ms.
#[test]
fn markdown_has_the_figures_of_runtimes_and_others_say_from_when_they_count() {
    if !installed("bash") {
        return;
    }
    let probe = "echo '# oversleep-probe 1 clock=own mode=schedule runtime=Mine 1.0'; t=0; while read -r r n; do if [ $r = \
                 anchor ]; then echo \"# anchor $t\"; continue; fi; while [ $n -gt 0 ]; do n=$((n-1)); echo \
                 $r,$t,$((t+2*r)); t=$((t+2*r)); done; echo; done";
    let folder = tempfile::tempdir().unwrap();
    let file = name(folder.path(), "ticks.arrows");
    let ran = run(&["runtimes", "-q", "-r", "1ms", "-n", "30", "--command", probe, "--out", &file, "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(document["apis"][0]["cells"][0]["p50_ns"], 1_000_000, "{document}");
    let shown = run(&["report", &file, "--markdown"]).out;
    assert!(shown.contains("| API | request | n | p50 | p99 | early | share | found |"), "{shown}");
    assert!(
        shown.contains("| 1.00 ms | 30 | 1.00 ms | – | 0 of 30 |") && shown.contains(" a sleep of 1.00 ms "),
        "{shown}"
    );
    for options in [["--plot", "ranking"], ["--fail-if", "p50>1s"]] {
        let ran = run(&[&["report", &file], &options[..]].concat());
        assert!(ran.err.lines().filter(|line| line.ends_with("is lost")).count() == 1, "{options:?}: {}", ran.err);
    }
}

/// What was slept before the end is shown, though the program's own end was never noted.
#[test]
fn a_recording_that_is_cut_off_shows_the_apis_that_slept() {
    if !installed("bash") {
        return;
    }
    // It sleeps one block.
    let probe = "echo '# oversleep-probe 1 clock=own runtime=Mine 1.0'; while read -r r n && [ $r = anchor ]; do echo \
                 '# anchor 0'; done; i=0; while [ $i -lt $n ]; do i=$((i+1)); echo $r,$((2*i*r)),$((2*i*r+r+5)); done; echo; \
                 exec sleep 1000";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cut.arrows");
    let mut command = oversleep();
    command.args(["runtimes", "-q", "-r", "1ms", "-n", "12", "--command", probe, "--out"]).arg(&file);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let has_samples = holds_samples(&file, &mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(has_samples);
    for command in ["report", "explain"] {
        let ran = run(&[command, &file.display().to_string(), "--json"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let document: Value = serde_json::from_str(&ran.out).unwrap();
        let api = &document["apis"][0];
        assert_eq!((&api["runtime"], &api["cells"][0]["n"]), (&Value::from("Mine 1.0"), &Value::from(2)), "{document}");
    }
}

/// Where a call takes a duration, the trace shows exactly the time that the kernel got, without reading a clock.
#[test]
fn a_trace_names_the_call_and_what_it_was_told() {
    if !installed("python3") {
        return;
    }
    let ran = run(&[
        "runtimes",
        "-q",
        "--no-save",
        "--json",
        "--only",
        "python-asyncio-sleep",
        "-r",
        "4900us",
        "-n",
        "6",
        "--trace",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let unavailable = document["unavailable"].as_array().unwrap();
    if let Some(refused) = unavailable.iter().find(|refused| refused["what"] == "trace of system calls") {
        assert!(document["apis"][0].get("told").is_none());
        return println!("skipped: {refused}");
    }
    let told = &document["apis"][0]["told"][0];
    assert_eq!((&told["requested_ns"], &told["exact"]), (&Value::from(4_900_000), &Value::from(true)), "{document}");
    assert_eq!((told["told_ns"][0].as_i64(), told["rule"].as_str()), (Some(5_000_000), Some("rounded-up")), "{told}");
    assert_eq!(told["sleeps"], 20, "{told}");
}

/// Load inside the runtime is a condition: each probe says whether it obtained it.
#[test]
fn load_inside_a_runtime_is_kept_as_obtained_where_the_runtime_says_so() {
    if !installed("python3") || !installed("bash") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = name(folder.path(), "run.arrows");
    let ran = run(&[
        "runtimes",
        "-q",
        "--only",
        "python-time-sleep,shell-read",
        "-r",
        "1ms",
        "-n",
        "6",
        "--load",
        "2",
        "--load-kind",
        "runtime",
        "--out",
        &file,
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let refused: Vec<_> = document["unavailable"].as_array().unwrap().iter().map(|refused| &refused["what"]).collect();
    assert_eq!(refused, ["load in shell-read"], "bash has no threads");
    let exported = run(&["export", &file]);
    assert_eq!(exported.code, Some(0), "{}", exported.err);
    let header: Vec<&str> = exported.out.lines().next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|field| *field == name).unwrap_or_else(|| panic!("{header:?}"));
    let (method, kind) = (column("method"), column("load_kind"));
    let rows = exported.out.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let kinds: std::collections::BTreeSet<_> = rows.map(|row| (row[method].to_owned(), row[kind].to_owned())).collect();
    let has = |name: &str, wanted: &str| kinds.contains(&(name.to_owned(), wanted.to_owned()));
    assert!(has("python-time-sleep", "runtime"), "{kinds:?}");
    // It sleeps without load, too, and the figures are those with load.
    let of_python = kinds.iter().filter(|(method, _)| method == "python-time-sleep").count();
    assert_eq!((of_python, &document["apis"][0]["cells"][0]["n"]), (2, &Value::from(6)), "{kinds:?}");
    let ran = run(&["measure", "--load", "1", "--load-kind", "runtime"]);
    assert!(ran.code == Some(2) && ran.err.contains("it needs --command"), "{}", ran.err);
}
