//! Linux's own calls; other systems have adopted some of them since.

rows! { Linux
    ClockNanosleepBoottime "clock-nanosleep-boottime" "clock_nanosleep(2) with CLOCK_BOOTTIME" on LINUX;
        Relative Nanosecond Boottime early Never;
        timer Call slack Thread simulated Sleep counterpart ClockNanosleepAbsBoottime;
        "As clock-nanosleep, on a clock that also counts suspended time. From Linux 2.6.39."
        "https://man7.org/linux/man-pages/man2/clock_nanosleep.2.html"
    ClockNanosleepAbsBoottime "clock-nanosleep-abs-boottime" "clock_nanosleep(2) with CLOCK_BOOTTIME, TIMER_ABSTIME" on LINUX;
        Absolute Nanosecond Boottime early Never;
        timer Call slack Thread simulated Sleep counterpart ClockNanosleepBoottime;
        "As clock-nanosleep-abs; a time that passed during suspend wakes on resume."
        "https://man7.org/linux/man-pages/man2/clock_nanosleep.2.html"
    ClockNanosleepTai "clock-nanosleep-tai" "clock_nanosleep(2) with CLOCK_TAI" on LINUX;
        Relative Nanosecond Tai early Never;
        timer Call slack Thread simulated Sleep counterpart ClockNanosleepAbsTai;
        "As clock-nanosleep, on the wall clock without leap seconds. From Linux 3.10."
        "https://man7.org/linux/man-pages/man2/clock_nanosleep.2.html"
    ClockNanosleepAbsTai "clock-nanosleep-abs-tai" "clock_nanosleep(2) with CLOCK_TAI, TIMER_ABSTIME" on LINUX;
        Absolute Nanosecond Tai early Never;
        timer Call slack Thread simulated Sleep counterpart ClockNanosleepTai;
        "As clock-nanosleep-abs."
        "https://man7.org/linux/man-pages/man2/clock_nanosleep.2.html"
    EpollWait "epoll-wait" "epoll_wait(2) on an empty instance" on EPOLL;
        Relative Millisecond Monotonic early Never;
        timer Call slack Share simulated Select;
        "As poll."
        "https://man7.org/linux/man-pages/man2/epoll_wait.2.html"
    EpollPwait2 "epoll-pwait2" "epoll_pwait2(2) on an empty instance" on LINUX;
        Relative Nanosecond Monotonic early Never;
        timer Call slack Share simulated Select;
        "As epoll-wait, in nanoseconds. From Linux 5.11."
        "https://man7.org/linux/man-pages/man2/epoll_wait.2.html"
    Timerfd "timerfd" "timerfd_settime(2), then read(2)" on TIMERFD;
        Relative Nanosecond Monotonic early Never;
        timer Object slack None simulated Timer counterpart TimerfdAbs substitute 1;
        "Readable once the time since it was set is over."
        "https://man7.org/linux/man-pages/man2/timerfd_create.2.html"
    TimerfdAbs "timerfd-abs" "timerfd_settime(2) with TFD_TIMER_ABSTIME, then read(2)" on TIMERFD;
        Absolute Nanosecond Monotonic early Never;
        timer Object slack None simulated Timer counterpart Timerfd also "timerfd_abs";
        "As timerfd, once the clock reads the requested time."
        "https://man7.org/linux/man-pages/man2/timerfd_create.2.html"
    TimerfdPeriodic "timerfd-periodic" "timerfd_settime(2) with an interval once, then read(2) for every period" on TIMERFD;
        Periodic Nanosecond Monotonic early Never;
        timer Object slack None simulated Timer;
        "As timerfd, every period from when it was set; a read returns the number of expiries since the last."
        "https://man7.org/linux/man-pages/man2/timerfd_create.2.html"
    FutexWait "futex-wait" "futex(2) with FUTEX_WAIT" on LINUX;
        Relative Nanosecond Monotonic early Never;
        timer Call slack Thread simulated Wait substitute 3;
        "Ends when the time is over, rounded up to the clock's granularity; may wake for no reason."
        "https://man7.org/linux/man-pages/man2/futex.2.html"
    IoUringTimeout "io-uring-timeout" "io_uring_enter(2) with IORING_OP_TIMEOUT" on LINUX;
        Relative Nanosecond Monotonic early Never;
        timer Object slack None simulated Timer;
        "Completes when the time is over. From Linux 5.4; forbidden where kernel.io_uring_disabled or a sandbox says so."
        "https://man7.org/linux/man-pages/man2/io_uring_enter.2.html"
}
