use oversleep_os::settings::{Policy, affinity, policy, realtime_watchdog, watchdog};
use oversleep_sys::units::Nanos;
use std::env;
use std::hint;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::time::{Duration, Instant};

#[test]
fn the_strictest_limit_counts_and_the_old_one_comes_back() {
    let before = watchdog::read().unwrap();
    let outer = realtime_watchdog(Nanos::from_secs(50)).unwrap();
    let inner = realtime_watchdog(Nanos::from_secs(500)).unwrap();
    assert_eq!(inner.obtained(), outer.obtained());
    drop(inner);
    assert_eq!(watchdog::read().unwrap(), outer.obtained());
    drop(outer);
    assert_eq!(watchdog::read().unwrap(), before);
    assert!(realtime_watchdog(Nanos::new(999)).is_err());
}

#[test]
fn a_real_time_thread_that_never_sleeps_is_ended() {
    let ended = Command::new(env::current_exe().unwrap())
        .args(["--exact", "watchdog::runaway", "--ignored", "--nocapture"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ended.stdout);
    match said.lines().find(|line| line.starts_with("skipped")) {
        Some(reason) => println!("{reason}"),
        None => assert_eq!(ended.status.signal(), Some(libc::SIGXCPU), "{said}"),
    }
}

#[test]
#[ignore = "the child of a_real_time_thread_that_never_sleeps_is_ended"]
fn runaway() {
    let _watchdog = realtime_watchdog(Nanos::from_millis(20)).unwrap();
    let cpus = affinity::read().unwrap();
    // One processor only, and one second at most should the watchdog sleep.
    let _affinity = affinity::apply(&cpus[..1]).unwrap();
    match policy::apply(Policy::Fifo { priority: 1 }) {
        Ok(_fifo) => {
            let start = Instant::now();
            while start.elapsed() < Duration::from_secs(1) {
                hint::spin_loop();
            }
        }
        Err(refusal) => println!("\nskipped: {refusal}"),
    }
}
