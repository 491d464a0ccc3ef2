//! Methods that only Linux has.

mod clock_nanosleep;
mod epoll;
mod futex_wait;
mod io_uring;
mod io_uring_timeout;
mod timerfd;
mod timerfd_periodic;

use super::MethodEntry;

pub(super) static ENTRIES: &[MethodEntry] = &[
    clock_nanosleep::BOOTTIME,
    clock_nanosleep::ABS_BOOTTIME,
    clock_nanosleep::TAI,
    clock_nanosleep::ABS_TAI,
    epoll::WAIT,
    epoll::PWAIT2,
    timerfd::ENTRY,
    timerfd::ABS,
    timerfd_periodic::ENTRY,
    futex_wait::ENTRY,
    io_uring_timeout::ENTRY,
];
