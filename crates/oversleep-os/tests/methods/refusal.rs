//! A kernel that lacks a call, and one that forbids it, simulated by a sandbox: opening a method tells them apart.

use crate::turn;
use oversleep_os::method::open;
use oversleep_recording::catalog::{MethodId, TimerClock};
use oversleep_sys::units::Nanos;
use oversleep_sys::{clock, wait};
use std::thread;

#[test]
fn a_missing_call_is_unavailable_and_a_denied_one_forbidden() {
    let _turn = turn();
    // Every method that probes or sets something up, with the call that a sandbox may deny.
    let calls = [
        (MethodId::IoUringTimeout, libc::SYS_io_uring_setup),
        (MethodId::IoUringTimeout, libc::SYS_io_uring_enter),
        (MethodId::EpollPwait2, libc::SYS_epoll_pwait2),
        (MethodId::MqTimedreceive, libc::SYS_mq_open),
        (MethodId::MqTimedreceive, libc::SYS_mq_timedreceive),
        (MethodId::Timerfd, libc::SYS_timerfd_create),
        (MethodId::TimerCreate, libc::SYS_timer_create),
        (MethodId::ClockNanosleepTai, libc::SYS_clock_nanosleep),
        (MethodId::Ppoll, libc::SYS_ppoll),
    ];
    for (id, call) in calls {
        assert_eq!(answer_when(call, libc::ENOSYS, id), "unavailable", "{}", id.name());
        assert_eq!(answer_when(call, libc::EPERM, id), "forbidden", "{}", id.name());
    }
}

/// Unlike the sleeps of glibc and of the standard library: the one returns an error, the other panics.
#[test]
fn a_wait_that_a_sandbox_refuses_is_waited_all_the_same() {
    let _turn = turn();
    for errno in [libc::EPERM, libc::ENOSYS] {
        let refused = move || {
            refuse(libc::SYS_clock_nanosleep, errno);
            let deadline = clock::monotonic() + Nanos::from_millis(3);
            wait::until(deadline);
            assert!(clock::monotonic() >= deadline);
            for timer in [TimerClock::Realtime, TimerClock::Boottime, TimerClock::Tai] {
                let reader = clock::Reader::for_timer(timer).expect("Linux has it");
                let deadline = reader.now() + Nanos::from_millis(3);
                assert!(wait::until_on(timer, deadline));
                assert!(reader.now() >= deadline);
            }
        };
        thread::spawn(refused).join().expect("no panic");
    }
}

/// Returns the result of opening a method in a thread where one system call returns an error.
fn answer_when(call: libc::c_long, errno: libc::c_int, id: MethodId) -> &'static str {
    let sandboxed = move || {
        refuse(call, errno);
        match open(id) {
            Ok(_) => "open",
            Err(refusal) => refusal.kind(),
        }
    };
    thread::spawn(sandboxed).join().expect("no panic")
}

/// Installs a seccomp filter on this thread: load the call's number; if it is `call`, return `errno`; else allow.
fn refuse(call: libc::c_long, errno: libc::c_int) {
    let call = u32::try_from(call).expect("a system call number");
    let errno = u32::try_from(errno).expect("an error number");
    let load = code(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS);
    let compare = code(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K);
    let answer = code(libc::BPF_RET | libc::BPF_K);
    let mut steps = [
        libc::sock_filter { code: load, jt: 0, jf: 0, k: 0 },
        libc::sock_filter { code: compare, jt: 0, jf: 1, k: call },
        libc::sock_filter { code: answer, jt: 0, jf: 0, k: libc::SECCOMP_RET_ERRNO | errno },
        libc::sock_filter { code: answer, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW },
    ];
    let program = libc::sock_fprog { len: 4, filter: steps.as_mut_ptr() };
    // SAFETY: takes numbers.
    let answer = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
    assert_eq!(answer, 0, "no_new_privs");
    // SAFETY: the program and its steps outlive the call, which copies them.
    let answer = unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) };
    assert_eq!(answer, 0, "seccomp: {}", std::io::Error::last_os_error());
}

fn code(parts: u32) -> u16 {
    u16::try_from(parts).expect("filter codes have 16 bits")
}
