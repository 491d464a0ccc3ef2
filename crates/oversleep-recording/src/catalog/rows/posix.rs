//! POSIX calls and similar ones.

rows! { Posix
    Nanosleep "nanosleep" "nanosleep(2)" on UNIX;
        Relative Nanosecond Monotonic early Never;
        timer Call slack Thread simulated Sleep counterpart ClockNanosleepAbs also "sleep(3)" "sleep()";
        "At least the requested time, rounded up to the timer's resolution. POSIX names the realtime clock, but setting it has no effect."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/nanosleep.html"
    Usleep "usleep" "usleep(3)" on UNIX;
        Relative Microsecond Monotonic early Never;
        timer Call slack Thread simulated Sleep;
        "As nanosleep. Dropped from POSIX in 2008; systems may refuse 1 000 000 and more; at most 71 minutes."
        "https://man7.org/linux/man-pages/man3/usleep.3.html"
    ClockNanosleep "clock-nanosleep" "clock_nanosleep(2) with CLOCK_MONOTONIC" on CLOCK_NANOSLEEP;
        Relative Nanosecond Monotonic early Never;
        timer Call slack Thread simulated Sleep counterpart ClockNanosleepAbs;
        "As nanosleep, on the monotonic clock."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/clock_nanosleep.html"
    ClockNanosleepAbs "clock-nanosleep-abs" "clock_nanosleep(2) with CLOCK_MONOTONIC, TIMER_ABSTIME" on CLOCK_NANOSLEEP;
        Absolute Nanosecond Monotonic early Never;
        timer Call slack Thread simulated Sleep counterpart ClockNanosleep also "time.sleep";
        "Until the clock reads the requested time."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/clock_nanosleep.html"
    ClockNanosleepRealtime "clock-nanosleep-realtime" "clock_nanosleep(2) with CLOCK_REALTIME" on CLOCK_NANOSLEEP;
        Relative Nanosecond Monotonic early Never;
        timer Call slack Thread simulated Sleep;
        "As nanosleep: setting the wall clock has no effect on a relative wait."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/clock_nanosleep.html"
    ClockNanosleepAbsRealtime "clock-nanosleep-abs-realtime" "clock_nanosleep(2) with CLOCK_REALTIME, TIMER_ABSTIME" on CLOCK_NANOSLEEP;
        Absolute Nanosecond Realtime early Never;
        timer Call slack Thread simulated Sleep;
        "As clock-nanosleep-abs, on the wall clock; setting it past the time wakes the thread at once."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/clock_nanosleep.html"
    Select "select" "select(2) on no descriptors" on UNIX;
        Relative Microsecond Monotonic early Never;
        timer Call slack Share simulated Select substitute 2;
        "Rounded up to the system's resolution. On Linux late by timer slack, from 50 ms by 0.1 % of the time."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/pselect.html"
    Pselect "pselect" "pselect(2) on no descriptors" on UNIX;
        Relative Nanosecond Monotonic early Never;
        timer Call slack Share simulated Select;
        "As select, in nanoseconds."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/pselect.html"
    Poll "poll" "poll(2) on no descriptors" on UNIX;
        Relative Millisecond Monotonic early Never;
        timer Call slack Share simulated Select substitute 5;
        "As select; at most 24.8 days."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/poll.html"
    Ppoll "ppoll" "ppoll(2) on no descriptors" on PPOLL;
        Relative Nanosecond Monotonic early Never;
        timer Call slack Share simulated Select;
        "As poll, in nanoseconds."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/ppoll.html"
    CondTimedwait "cond-timedwait" "pthread_cond_timedwait(3) that nobody signals" on UNIX;
        Absolute Nanosecond Realtime early Never;
        timer Call slack Thread simulated Wait;
        "Until the condition's clock, by default the wall clock, has passed the requested time; may wake for no reason, never for a signal."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/pthread_cond_timedwait.html"
    CondClockwait "cond-clockwait" "pthread_cond_clockwait(3) with CLOCK_MONOTONIC" on LINUX;
        Absolute Nanosecond Monotonic early Never;
        timer Call slack Thread simulated Wait;
        "As cond-timedwait, on a clock that the caller names. From glibc 2.30, POSIX 2024."
        "https://sourceware.org/glibc/manual/latest/html_node/Waiting-with-Explicit-Clocks.html"
    SemTimedwait "sem-timedwait" "sem_timedwait(3) that nobody posts" on SEMAPHORE;
        Absolute Nanosecond Realtime early Never;
        timer Call slack Thread simulated Wait;
        "Until the wall clock has passed the requested time."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/sem_timedwait.html"
    SemClockwait "sem-clockwait" "sem_clockwait(3) with CLOCK_MONOTONIC" on LINUX;
        Absolute Nanosecond Monotonic early Never;
        timer Call slack Thread simulated Wait;
        "As sem-timedwait, on a clock that the caller names. From glibc 2.30, POSIX 2024."
        "https://sourceware.org/glibc/manual/latest/html_node/Waiting-with-Explicit-Clocks.html"
    MqTimedreceive "mq-timedreceive" "mq_timedreceive(3) from an empty queue" on REALTIME_SIGNALS;
        Absolute Nanosecond Realtime early Never;
        timer Call slack None simulated Timer also "mq";
        "Until the wall clock has passed the requested time."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/mq_timedreceive.html"
    AioSuspend "aio-suspend" "aio_suspend(3) for a read that never ends, with a timeout" on AIO;
        Relative Nanosecond Monotonic early Never;
        timer Call slack Thread simulated Wait;
        "Ends when the time is over. On Linux part of the C library, whose thread waits for the read meanwhile."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/aio_suspend.html"
    Sigtimedwait "sigtimedwait" "sigtimedwait(2) for no signal" on REALTIME_SIGNALS;
        Relative Nanosecond Monotonic early Never;
        timer Call slack Thread simulated Wait;
        "Ends when the time is over, on the monotonic clock where the system has one."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/sigtimedwait.html"
    TimerCreate "timer-create" "timer_settime(2), then sigwaitinfo(2) for its signal" on TIMERS;
        Relative Nanosecond Monotonic early Never;
        timer Object slack None simulated Timer also "timer_create";
        "The signal is sent when the time is over, never earlier by rounding."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/timer_settime.html"
    Setitimer "setitimer" "setitimer(2) with ITIMER_REAL, then sigwaitinfo(2) or sigwait(3) for SIGALRM" on UNIX;
        Relative Microsecond Monotonic early Never;
        timer Object slack None simulated Timer;
        "One timer for the process; on Linux never early. Removed from POSIX in 2024. macOS and OpenBSD wait with sigwait, which other signals do not end."
        "https://man7.org/linux/man-pages/man2/setitimer.2.html"
    Rcvtimeo "rcvtimeo" "recv(2) with SO_RCVTIMEO on a silent socket pair" on UNIX;
        Relative Microsecond Tick early Possible;
        timer Wheel slack None simulated Wheel also "so-rcvtimeo" "sndtimeo" "so-sndtimeo";
        "At most the requested time. Linux counts it in ticks on the timer wheel, which from 4.8 rounds up, more coarsely the longer the time."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/V2_chap02.html"
    Semtimedop "semtimedop" "semtimedop(2) on a System V semaphore" on SYSTEM_V;
        Relative Nanosecond Monotonic early Possible;
        timer Call slack Varies simulated Wait;
        "At most the requested time. In ticks on Linux before 5.19."
        "https://man7.org/linux/man-pages/man2/semop.2.html"
    SchedYield "sched-yield" "sched_yield(2)" on UNIX;
        Yield Nothing None early Never;
        timer None slack None simulated Yield;
        "Lets another runnable thread of equal priority run, if there is one."
        "https://pubs.opengroup.org/onlinepubs/9799919799/functions/sched_yield.html"
}
