//! What is available to an ordinary user.

use oversleep_os::method::{self, Request};
use oversleep_os::trace::{OwnSwitches, Readings, Setup, Tracer, thread_id};
use oversleep_recording::catalog::MethodId;
use oversleep_recording::trace::Direction;
use oversleep_sys::units::Nanos;
use oversleep_sys::{Refusal, clock};
use std::fs;
use std::thread;

const NOBODY: libc::c_long = 65_534;

/// Runs on a thread that has given up its rights; the bare system call does not change the other threads.
fn as_nobody(test: impl FnOnce() + Send + 'static) {
    let thread = thread::spawn(|| {
        // SAFETY: takes numbers; Rust keeps nothing that depends on a thread's user.
        unsafe { libc::syscall(libc::SYS_setresuid, NOBODY, NOBODY, NOBODY) };
        // SAFETY: takes nothing.
        assert_ne!(unsafe { libc::geteuid() }, 0, "still root");
        test();
    });
    thread.join().unwrap();
}

/// Returns what the reason must name on this machine: the location of the first tracefs, or what there is instead.
fn in_the_way() -> String {
    let namespace = fs::read_link("/proc/self/ns/pid").map(|link| link.to_string_lossy().into_owned());
    // The kernel's number of the first process namespace (PROC_PID_INIT_INO).
    if namespace.is_ok_and(|link| link != "pid:[4026531836]") {
        return "process numbers".to_owned();
    }
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap();
    let mut mounts = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let place = mounts.find(|words| words.get(2) == Some(&"tracefs")).map(|words| format!("{}/instances", words[1]));
    place.unwrap_or_else(|| "tracefs is not mounted".to_owned())
}

#[test]
fn no_events_and_the_reason_why() {
    let in_the_way = in_the_way();
    as_nobody(move || match Tracer::open(thread_id(), Setup::default()) {
        Err(refusal @ (Refusal::Forbidden(_) | Refusal::Unavailable(_))) => {
            assert!(refusal.reason().contains(&in_the_way), "{refusal}; in the way is {in_the_way}");
            assert!(!refusal.reason().contains('\n'));
        }
        Ok(_) => println!("skipped: this machine lets everybody trace"),
        Err(failed) => panic!("{failed}"),
    });
}

#[test]
fn own_switches_show_every_sleep() {
    as_nobody(|| {
        let mut switches = match OwnSwitches::open() {
            Ok(switches) => switches,
            Err(refusal) => return println!("skipped: {refusal}"),
        };
        let mut waiter = method::open(MethodId::Nanosleep).unwrap();
        switches.start().unwrap();
        let mut sleeps = Vec::new();
        for _ in 0..200 {
            waiter.prepare(Request::For(Nanos::from_micros(200)));
            let start = clock::monotonic();
            waiter.wait();
            sleeps.push((start, clock::monotonic()));
        }
        switches.stop().unwrap();
        let (seen, lost) = switches.drain();
        assert_eq!(lost, 0);
        assert!(seen.windows(2).all(|two| two[0].at <= two[1].at));
        let slept = |(start, end): &&(Nanos, Nanos)| {
            let within = || seen.iter().filter(|switch| (*start..=*end).contains(&switch.at));
            let out = within().find(|switch| switch.to == Direction::OutWaiting);
            out.is_some_and(|out| within().any(|on| on.to == Direction::In && on.at > out.at))
        };
        let shown = sleeps.iter().filter(slept).count();
        assert!(shown >= 198, "{shown} of 200: a promise of the kernel, not of its speed");
        assert_eq!(switches.drain(), (Vec::new(), 0), "taken once");
    });
}

#[test]
fn counters_only_grow() {
    as_nobody(|| {
        let mut readings = Readings::open().unwrap();
        let before = readings.now();
        method::open(MethodId::SchedYield).unwrap().wait();
        let after = readings.now();
        assert!(after.run_delay >= before.run_delay);
        assert!(after.preempted.is_some() && after.preempted >= before.preempted);
    });
}
