use oversleep_os::settings::{Policy, affinity, limit_realtime, policy, realtime_limit};
use oversleep_sys::units::Nanos;
use std::env;
use std::hint;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::time::{Duration, Instant};

#[test]
fn the_strictest_limit_counts_and_the_old_one_comes_back() {
    let before = realtime_limit::read().unwrap();
    let outer = limit_realtime(Nanos::from_secs(50)).unwrap();
    let inner = limit_realtime(Nanos::from_secs(500)).unwrap();
    assert_eq!(inner.obtained(), outer.obtained());
    drop(inner);
    assert_eq!(realtime_limit::read().unwrap(), outer.obtained());
    drop(outer);
    assert_eq!(realtime_limit::read().unwrap(), before);
    assert!(limit_realtime(Nanos::new(999)).is_err());
}

#[test]
fn a_real_time_thread_that_never_sleeps_is_ended() {
    let ended = Command::new(env::current_exe().unwrap())
        .args(["--exact", "realtime_limit::runaway", "--ignored", "--nocapture"])
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
    let _limit = limit_realtime(Nanos::from_millis(20)).unwrap();
    let cpus = affinity::read().unwrap();
    // Only one processor, and one second at most if the limit has no effect.
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
