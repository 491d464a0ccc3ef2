//! `runtimes`: order, accounting and the promises of the runtimes that are installed. How late they are is a benchmark's.

use crate::support::{name, run};
use oversleep_recording::catalog::Early;
use oversleep_recording::runtimes::{APIS, RUNTIMES};
use serde_json::Value;
use std::process::Command;

/// Whether a runtime can be had; a test that cannot run says so.
fn installed(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok();
    if !there {
        eprintln!("{program} is not installed: its timers are not tested");
    }
    there
}

#[test]
fn installed_runtimes_keep_order_and_their_documented_promises() {
    for runtime in RUNTIMES.iter().filter(|runtime| installed(runtime.program)) {
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
}

#[test]
fn names_that_are_no_runtime_are_refused_with_those_there_are() {
    let ran = run(&["runtimes", "--only", "cobol"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("no runtime or API is called 'cobol'; use python, node, go, java, perl, shell"),
        "{}",
        ran.err
    );
    let ran = run(&["runtimes", "--only", "go-sleep"]);
    assert!(ran.err.contains("use go-time-sleep, go-new-timer, go-select-after, go-ticker"), "{}", ran.err);
}
