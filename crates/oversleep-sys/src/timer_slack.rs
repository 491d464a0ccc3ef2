//! The calling thread's timer slack: `prctl(PR_SET_TIMERSLACK)` (Linux 2.6.28).

use crate::refusal::Refusal;
use crate::units::Nanos;

/// Returns how much later than requested the kernel may fire the calling thread's timers.
///
/// # Errors
/// The refusal of the system, in a sandbox.
pub fn read() -> Result<Nanos, Refusal> {
    // The C library's `prctl` returns an `int`, into which a slack above 2.1 s would not fit; the system call a `long`.
    // SAFETY: takes no pointers.
    let slack = unsafe { libc::syscall(libc::SYS_prctl, libc::PR_GET_TIMERSLACK, 0, 0, 0, 0) };
    if slack < 0 { Err(Refusal::last_os("prctl(PR_GET_TIMERSLACK)")) } else { Ok(Nanos::new(i64::from(slack))) }
}

/// Sets it. The kernel takes 0 as "back to the thread's default".
///
/// # Errors
/// The refusal of the system; [`Refusal::Unavailable`] for a slack beyond its `long`.
pub fn set(slack: Nanos) -> Result<(), Refusal> {
    let ns = libc::c_long::try_from(slack.get())
        .map_err(|_| Refusal::Unavailable(format!("a timer slack of {slack} is more than this system can hold")))?;
    // SAFETY: takes no pointers.
    let answer = unsafe { libc::syscall(libc::SYS_prctl, libc::PR_SET_TIMERSLACK, ns, 0, 0, 0) };
    if answer == 0 { Ok(()) } else { Err(Refusal::last_os("prctl(PR_SET_TIMERSLACK)")) }
}
