//! `clock_nanosleep` until a time on a chosen clock, without glibc's wrapper.

#[cfg(all(
    any(target_os = "linux", target_os = "android"),
    target_arch = "x86_64",
    target_pointer_width = "64",
    not(miri)
))]
use std::arch::asm;
use std::ptr;

/// Sleeps until `deadline` on `clock` with the system call itself; returns its error number, 0 for none.
///
/// glibc's function of this name is a cancellation point: in a process of several threads it executes about fifty more
/// instructions, before and after, and `pthread_cancel` would unwind through its callers, which the C interface cannot
/// allow and ends the process for.
#[cfg(all(
    any(target_os = "linux", target_os = "android"),
    target_arch = "x86_64",
    target_pointer_width = "64",
    not(miri)
))]
#[inline]
pub fn until(clock: libc::clockid_t, deadline: &libc::timespec) -> i32 {
    let answer: i64;
    // SAFETY: the kernel's calling convention (syscall(2): rcx and r11 are overwritten, the result is in rax). The
    // deadline outlives the call, which reads it; no remainder is written for an absolute wait.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") libc::SYS_clock_nanosleep => answer,
            in("rdi") i64::from(clock),
            in("rsi") i64::from(libc::TIMER_ABSTIME),
            in("rdx") ptr::from_ref(deadline),
            in("r10") ptr::null_mut::<libc::timespec>(),
            out("rcx") _,
            out("r11") _,
            options(nostack),
        );
    }
    #[allow(clippy::cast_possible_truncation)] // an error number
    let error = -answer as i32;
    error
}

/// Sleeps until `deadline` on `clock` with the system call, through libc; returns its error number, 0 for none.
#[cfg(all(
    any(target_os = "linux", target_os = "android"),
    not(target_arch = "x86_64"),
    target_pointer_width = "64",
    not(miri)
))]
#[inline]
pub fn until(clock: libc::clockid_t, deadline: &libc::timespec) -> i32 {
    let (flags, no_remainder) = (libc::TIMER_ABSTIME, ptr::null_mut::<libc::timespec>());
    // SAFETY: the arguments of `clock_nanosleep(2)`, whose structure has this layout where pointers have 64 bits; the
    // deadline outlives the call, and no remainder is written for an absolute wait.
    let answer =
        unsafe { libc::syscall(libc::SYS_clock_nanosleep, clock, flags, ptr::from_ref(deadline), no_remainder) };
    if answer == 0 { 0 } else { std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL) }
}

/// Sleeps until `deadline` on `clock`; returns the error number, 0 for none.
#[cfg(any(not(any(target_os = "linux", target_os = "android")), not(target_pointer_width = "64"), miri))]
#[inline]
pub fn until(clock: libc::clockid_t, deadline: &libc::timespec) -> i32 {
    // SAFETY: the deadline outlives the call; no remainder is written for an absolute wait.
    unsafe { libc::clock_nanosleep(clock, libc::TIMER_ABSTIME, deadline, ptr::null_mut()) }
}
