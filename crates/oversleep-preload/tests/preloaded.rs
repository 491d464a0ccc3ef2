//! The waits of a C program, as the library notes them.
#![cfg(target_os = "linux")]

use oversleep_os::program::{PreloadedEnd, PreloadedWait, Waits};
use oversleep_sys::units::Nanos;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ASKED: Nanos = Nanos::from_millis(2);

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

/// Builds the library, because `cargo test` does not.
fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let built = test.ancestors().nth(2).unwrap().to_owned();
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    run(Command::new(cargo)
        .args(["build", "--quiet", "--package", "oversleep-preload", "--profile", profile, "--target-dir"])
        .arg(built.parent().unwrap())
        .current_dir(here));
    built.join("liboversleep_preload.so")
}

#[test]
fn each_call_is_noted_once_with_its_request_and_what_ended_it() {
    if !Command::new("cc").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success()) {
        return println!("not tested: this machine has no C compiler");
    }
    let program = std::env::temp_dir().join(format!("preload-test-{}", std::process::id()));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/waits.c");
    run(Command::new("cc").args(["-Wall", "-Werror", "-pthread", "-o"]).arg(&program).arg(source).arg("-lrt"));
    let mut command = Command::new(&program);
    let mut waits = Waits::create_with(library(), &mut command).unwrap();
    run(&mut command);
    std::fs::remove_file(program).unwrap();
    let noted = waits.read().unwrap();
    let ended = |wanted: PreloadedEnd| noted.iter().filter(move |wait| wait.ended == wanted);

    let mut over: Vec<&str> = ended(PreloadedEnd::Time).map(|wait| wait.call).collect();
    let mut expected =
        vec!["nanosleep", "clock_nanosleep", "clock_nanosleep", "usleep", "usleep", "thrd_sleep", "poll", "ppoll"];
    expected.extend(["select", "pselect", "epoll_wait", "epoll_pwait", "sem_timedwait", "pthread_cond_timedwait"]);
    expected.extend(["sigtimedwait", "futex", "futex"]);
    expected.sort_unstable();
    over.sort_unstable();
    assert_eq!(over, expected);
    // A time on a clock was read before the call: what is left of it is less.
    let exact = |wait: &&PreloadedWait| wait.requested == ASKED && wait.deadline == wait.start + ASKED;
    assert_eq!(ended(PreloadedEnd::Time).filter(exact).count(), expected.len() - 4);
    assert!(ended(PreloadedEnd::Time).filter(exact).all(|wait| wait.deadline <= wait.end), "{noted:?}");
    assert!(ended(PreloadedEnd::Time).all(|wait| wait.requested <= ASKED), "{noted:?}");

    let events: Vec<_> = ended(PreloadedEnd::Event).map(|wait| (wait.call, wait.requested)).collect();
    assert_eq!(events, [("poll", Nanos::from_secs(60))]);
    assert_eq!((waits.untimed(), waits.programs(), waits.lost()), (1, 1, 0));
    let child: Vec<_> = noted.iter().filter(|wait| wait.name == "child").collect();
    assert_eq!(child.iter().map(|wait| wait.call).collect::<Vec<_>>(), ["usleep"]);
    assert!(child[0].pid != noted[0].pid && child[0].tid == child[0].pid, "{noted:?}");
}

#[test]
fn a_program_without_the_file_waits_as_ever() {
    let mut command = Command::new("sleep");
    run(command.arg("0.01").env("LD_PRELOAD", library()).env("OVERSLEEP_WAIT_FILE", "/nonexistent"));
}
