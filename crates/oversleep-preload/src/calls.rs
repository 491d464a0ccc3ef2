//! The calls that stand in for the C library's.

// A C function with this very name and these arguments stands behind each; the program keeps its promises to that one.

use crate::notes::{Ended, Limit, call, nanos, same, timed};
use libc::{
    c_char, c_int, c_long, c_uint, c_void, clockid_t, epoll_event, fd_set, mqd_t, nfds_t, pollfd, pthread_cond_t,
    pthread_mutex_t, sem_t, siginfo_t, sigset_t, size_t, ssize_t, timespec, timeval, useconds_t,
};
use std::ffi::CStr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Returns the next library's function of this name, which is looked up once.
fn next(known: &AtomicPtr<c_void>, name: &CStr) -> *mut c_void {
    let mut found = known.load(Ordering::Relaxed);
    if found.is_null() {
        // glibc before 2.36 gives the oldest of several versions; that of condition variables is another function
        // (https://sourceware.org/bugzilla/show_bug.cgi?id=14932).
        #[cfg(target_env = "gnu")]
        if name.to_bytes().starts_with(b"pthread_cond_") {
            // SAFETY: both names end in NUL.
            found = unsafe { libc::dlvsym(libc::RTLD_NEXT, name.as_ptr(), c"GLIBC_2.3.2".as_ptr()) };
        }
        if found.is_null() {
            // SAFETY: the name ends in NUL.
            found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
        }
        if found.is_null() {
            // No program can call what its C library lacks, except through this library.
            std::process::abort();
        }
        known.store(found, Ordering::Relaxed);
    }
    found
}

/// Defines functions: name, arguments, result, the limit, and what ended the wait by the result and `errno`.
macro_rules! stand_in {
    ($($(#[$about:meta])* fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty; $limit:expr; $ended:expr;)*) => {$(
        $(#[$about])*
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name($($argument: $type),*) -> $result {
            static NEXT: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
            const NAME: &CStr = match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => panic!(),
            };
            const CALL: usize = call(noted(stringify!($name)));
            type Function = unsafe extern "C-unwind" fn($($type),*) -> $result;
            // SAFETY: the C library's function of this name has this type.
            let real: Function = unsafe { std::mem::transmute(next(&NEXT, NAME)) };
            // SAFETY: the program's arguments, as it would give them to that function.
            unsafe { timed(CALL, $limit, || real($($argument),*), $ended) }
        }
    )*};
}

/// Returns the name by which a function's waits are noted.
const fn noted(name: &'static str) -> &'static str {
    // `syscall` waits by one call that has no function of its own.
    if same(name.as_bytes(), b"syscall") { "futex" } else { name }
}

stand_in! {
    fn nanosleep(asked: *const timespec, rest: *mut timespec) -> c_int;
        Limit::duration(asked); by_errno;
    fn clock_nanosleep(clock: clockid_t, flags: c_int, asked: *const timespec, rest: *mut timespec) -> c_int;
        if flags & libc::TIMER_ABSTIME == 0 { Limit::duration(asked) } else { Limit::until(Some(clock), asked) };
        |result, _| if result == 0 { Ended::Time } else { by_result(result, 0) };
    fn usleep(asked: useconds_t) -> c_int;
        Limit::nanos(i64::from(asked) * 1_000); by_errno;
    fn sleep(asked: c_uint) -> c_uint;
        Limit::nanos(i64::from(asked) * 1_000_000_000); |rest, _| if rest == 0 { Ended::Time } else { Ended::Signal };
    fn thrd_sleep(asked: *const timespec, rest: *mut timespec) -> c_int;
        Limit::duration(asked); |result, _| if result == 0 { Ended::Time } else { Ended::Signal };
    fn poll(all: *mut pollfd, count: nfds_t, limit: c_int) -> c_int;
        Limit::millis(limit); by_errno;
    fn ppoll(all: *mut pollfd, count: nfds_t, limit: *const timespec, signals: *const sigset_t) -> c_int;
        Limit::duration(limit); by_errno;
    fn select(count: c_int, read: *mut fd_set, write: *mut fd_set, other: *mut fd_set, limit: *mut timeval) -> c_int;
        limit.as_ref().map_or(Limit::Forever, |limit| Limit::nanos(nanos(&timespec {
            tv_sec: limit.tv_sec,
            tv_nsec: limit.tv_usec * 1_000,
        })));
        by_errno;
    fn pselect(
        count: c_int, read: *mut fd_set, write: *mut fd_set, other: *mut fd_set, limit: *const timespec,
        signals: *const sigset_t
    ) -> c_int;
        Limit::duration(limit); by_errno;
    fn epoll_wait(epoll: c_int, events: *mut epoll_event, most: c_int, limit: c_int) -> c_int;
        Limit::millis(limit); by_errno;
    fn epoll_pwait(epoll: c_int, events: *mut epoll_event, most: c_int, limit: c_int, signals: *const sigset_t) -> c_int;
        Limit::millis(limit); by_errno;
    fn epoll_pwait2(
        epoll: c_int, events: *mut epoll_event, most: c_int, limit: *const timespec, signals: *const sigset_t
    ) -> c_int;
        Limit::duration(limit); by_errno;
    fn sem_timedwait(semaphore: *mut sem_t, until: *const timespec) -> c_int;
        Limit::until(Some(libc::CLOCK_REALTIME), until); by_errno_or_event;
    fn sem_clockwait(semaphore: *mut sem_t, clock: clockid_t, until: *const timespec) -> c_int;
        Limit::until(Some(clock), until); by_errno_or_event;
    fn pthread_cond_timedwait(
        condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t, until: *const timespec
    ) -> c_int;
        Limit::until(None, until); by_result;
    fn pthread_cond_clockwait(
        condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t, clock: clockid_t, until: *const timespec
    ) -> c_int;
        Limit::until(Some(clock), until); by_result;
    fn cnd_timedwait(condition: *mut c_void, mutex: *mut c_void, until: *const timespec) -> c_int;
        Limit::until(Some(libc::CLOCK_REALTIME), until);
        // `thrd_timedout` of both C libraries (threads.h); success is 0.
        |result, _| if result == 4 { Ended::Time } else { Ended::Event };
    fn sigtimedwait(signals: *const sigset_t, about: *mut siginfo_t, limit: *const timespec) -> c_int;
        Limit::duration(limit);
        |signal, errno| if signal < 0 && errno == libc::EAGAIN { Ended::Time } else { by_errno_or_event(signal, errno) };
    fn mq_timedreceive(
        queue: mqd_t, message: *mut c_char, size: size_t, priority: *mut c_uint, until: *const timespec
    ) -> ssize_t;
        Limit::until(Some(libc::CLOCK_REALTIME), until);
        |count, errno| by_errno_or_event(if count < 0 { -1 } else { 0 }, errno);
    /// The runtimes of Rust and others wait by `FUTEX_WAIT` (a duration) or `FUTEX_WAIT_BITSET` (a time). Its arguments are
    /// six words at most, which are passed alike whether there are more or fewer.
    fn syscall(number: c_long, a: c_long, b: c_long, c: c_long, d: c_long, e: c_long, f: c_long) -> c_long;
        match b & 127 {
            _ if number != libc::SYS_futex => Limit::None,
            0 if d != 0 => Limit::duration(address(d)),
            9 if d != 0 => {
                let clock = if b & 256 == 0 { libc::CLOCK_MONOTONIC } else { libc::CLOCK_REALTIME };
                Limit::until(Some(clock), address(d))
            }
            0 | 9 => Limit::Forever,
            _ => Limit::None,
        };
        |result, errno| by_errno_or_event(if result < 0 { -1 } else { 0 }, errno);
}

/// Returns the pointer that a word is.
fn address(word: c_long) -> *const timespec {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a long is as wide as a pointer
    std::ptr::with_exposed_provenance(word as usize)
}

/// Of a call whose result is 0 where its time is over, and which says in `errno` why it failed.
fn by_errno(result: c_int, errno: c_int) -> Ended {
    match result {
        0 => Ended::Time,
        _ if result < 0 && errno == libc::EINTR => Ended::Signal,
        _ => Ended::Event,
    }
}

/// Of a wait that fails with `ETIMEDOUT` in `errno` where its time is over.
fn by_errno_or_event(result: c_int, errno: c_int) -> Ended {
    match errno {
        libc::ETIMEDOUT if result < 0 => Ended::Time,
        libc::EINTR if result < 0 => Ended::Signal,
        _ => Ended::Event,
    }
}

/// Of calls whose result is the error itself.
fn by_result(result: c_int, _: c_int) -> Ended {
    match result {
        libc::ETIMEDOUT => Ended::Time,
        libc::EINTR => Ended::Signal,
        _ => Ended::Event,
    }
}
