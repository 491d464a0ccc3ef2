//! Only illumos. Its `nanosleep` and `clock_nanosleep` are in the POSIX rows.

rows! { Illumos
    PortGet "port-get" "port_get(3C) on an empty port, with a timeout" on ILLUMOS;
        Relative Nanosecond Monotonic early Possible;
        timer Call slack Thread simulated Wait;
        "At most the requested time; then it returns ETIME."
        "https://illumos.org/man/3C/port_get"
    TimerPort "timer-port" "timer_create(3C) on CLOCK_REALTIME with SIGEV_PORT, then port_get(3C)" on ILLUMOS;
        Relative Nanosecond Realtime early Never;
        timer Object slack Thread simulated Timer;
        "The port gets an event when the time is over, rounded to the system's tick."
        "https://illumos.org/man/3C/timer_create"
    TimerPortHighres "timer-port-highres" "timer_create(3C) on CLOCK_HIGHRES with SIGEV_PORT, then port_get(3C)" on ILLUMOS;
        Relative Nanosecond Monotonic early Never;
        timer Object slack Thread simulated Precise;
        "As timer-port, on a high-resolution cyclic; needs the privilege proc_clock_highres."
        "https://illumos.org/man/3C/timer_create"
    CondReltimedwait "cond-reltimedwait" "pthread_cond_reltimedwait_np(3C)" on ILLUMOS;
        Relative Nanosecond Monotonic early Never;
        timer Call slack Thread simulated Wait;
        "As cond-timedwait, with a duration, so setting the wall clock has no effect."
        "https://illumos.org/man/3C/pthread_cond_timedwait"
}
