//! Names of the system calls that wait.

macro_rules! calls {
    ($($(#[$condition:meta])* $number:ident)*) => {
        /// Returns the name of a system call that may wait, by the number it has for a program of this processor's own word
        /// size.
        pub fn call_name(number: i64) -> Option<&'static str> {
            const NAMES: &[(libc::c_long, &str)] = &[$($(#[$condition])* (libc::$number, stringify!($number))),*];
            let (_, name) = NAMES.iter().find(|(known, _)| i64::from(*known) == number)?;
            name.strip_prefix("SYS_")
        }
    };
}

calls! {
    SYS_nanosleep SYS_clock_nanosleep SYS_futex SYS_futex_waitv SYS_epoll_pwait SYS_epoll_pwait2 SYS_ppoll SYS_pselect6
    #[cfg(target_arch = "x86_64")] SYS_epoll_wait
    #[cfg(target_arch = "x86_64")] SYS_poll
    #[cfg(target_arch = "x86_64")] SYS_select
    #[cfg(target_arch = "x86_64")] SYS_pause
    SYS_read SYS_readv SYS_recvfrom SYS_recvmsg SYS_recvmmsg SYS_accept SYS_accept4 SYS_connect SYS_sendto SYS_sendmsg
    SYS_write SYS_writev SYS_io_uring_enter SYS_io_getevents
    SYS_rt_sigtimedwait SYS_rt_sigsuspend SYS_mq_timedreceive SYS_mq_timedsend SYS_semtimedop SYS_semop SYS_msgrcv
    SYS_wait4 SYS_waitid SYS_flock SYS_fcntl SYS_restart_syscall
    SYS_timerfd_settime SYS_timer_settime SYS_setitimer
    #[cfg(target_arch = "x86_64")] SYS_alarm
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_wait_have_names_and_others_none() {
        assert_eq!(call_name(libc::SYS_clock_nanosleep), Some("clock_nanosleep"));
        assert_eq!(call_name(libc::SYS_restart_syscall), Some("restart_syscall"));
        assert_eq!(call_name(libc::SYS_getpid), None);
        assert_eq!(call_name(-1), None);
    }
}
