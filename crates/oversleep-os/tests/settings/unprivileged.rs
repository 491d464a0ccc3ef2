//! The same settings for an ordinary user.

use crate::support::{alone, machine_wide};
use oversleep_os::settings::{Policy, affinity, latency_hold, memory_lock, nice, policy, timer_slack};
use oversleep_sys::Refusal;
use oversleep_sys::units::Nanos;

const NOBODY: libc::c_long = 65_534;

/// Gives up the rights of the calling thread alone: the bare system call, unlike the C library's function,
/// does not change the other threads.
fn become_nobody() {
    // SAFETY: takes numbers; Rust keeps nothing that depends on a thread's user.
    unsafe { libc::syscall(libc::SYS_setresuid, NOBODY, NOBODY, NOBODY) };
    // SAFETY: takes nothing.
    assert_ne!(unsafe { libc::geteuid() }, 0, "still root");
}

fn denied<T: std::fmt::Debug>(answer: Result<T, Refusal>, remedy: &str) {
    match answer {
        Err(Refusal::Forbidden(reason)) => {
            assert!(reason.contains(remedy), "{reason}");
            assert!(!reason.contains('\n'));
        }
        Ok(granted) => println!("not tested: this user may do what needs {remedy}: {granted:?}"),
        Err(Refusal::Unavailable(reason)) => println!("not tested: {reason}"),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn what_would_help_is_named() {
    let _turn = machine_wide();
    alone(|| {
        // The tests may have been started with a negative niceness: then requesting -5 needs no privilege.
        // It is not restored, because the thread ends here.
        let raised = (nice::read().unwrap() < 0).then(|| nice::apply(0).unwrap());
        std::mem::forget(raised);
        become_nobody();
        denied(policy::apply(Policy::Fifo { priority: 50 }), "RLIMIT_RTPRIO of at least 50");
        denied(policy::apply(Policy::Rr { priority: 1 }), "CAP_SYS_NICE");
        let ms = Nanos::from_millis;
        denied(policy::apply(Policy::Deadline { runtime: ms(1), deadline: ms(5), period: ms(5) }), "CAP_SYS_NICE");
        denied(policy::apply(Policy::Idle), "RLIMIT_NICE");
        denied(nice::apply(-5), "RLIMIT_NICE of at least 25");
        // Relative to where the tests were started, perhaps with `nice -n 10`: lowering it would be refused for another
        // reason.
        match nice::read().unwrap() {
            19 => println!("not tested: started with the highest niceness there is"),
            own => denied(nice::apply(own + 1), "could not be taken back"),
        }
        denied(latency_hold::apply(Nanos::ZERO), "/dev/cpu_dma_latency needs root");
        denied(memory_lock::apply(true), "RLIMIT_MEMLOCK");
    });
}

#[test]
fn what_needs_no_right_works() {
    // A thread without rights could allocate nothing while another test holds all future memory locked.
    let _turn = machine_wide();
    alone(|| {
        become_nobody();
        let slack = timer_slack::read().unwrap();
        assert_eq!(timer_slack::apply(Nanos::new(1)).unwrap().obtained(), Nanos::new(1));
        assert_eq!(timer_slack::read().unwrap(), slack);
        let cpus = affinity::read().unwrap();
        assert_eq!(affinity::apply(&cpus[..1]).unwrap().obtained(), cpus[..1]);
        assert_eq!(affinity::read().unwrap(), cpus);
        assert_eq!(policy::apply(Policy::Batch).unwrap().obtained(), Policy::Batch);
        assert_eq!(policy::read().unwrap(), Policy::Other);
    });
}
