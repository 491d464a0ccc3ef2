//! `kqueue`, on the BSDs and macOS.

rows! { Kqueue
    Kevent "kevent" "kevent(2) on an empty queue, with a timeout" on KQUEUE;
        Relative Nanosecond Monotonic early Possible;
        timer Call slack Thread simulated Wait;
        "At most the requested time."
        "https://man.freebsd.org/cgi/man.cgi?query=kevent&sektion=2"
    KqueueTimer "kqueue-timer" "kevent(2) with EVFILT_TIMER, EV_ONESHOT" on KQUEUE;
        Relative Millisecond Monotonic early Possible;
        timer Object slack Thread simulated Timer substitute 4;
        "The event comes after the requested time; how exactly is not documented."
        "https://man.freebsd.org/cgi/man.cgi?query=kevent&sektion=2"
    KqueueTimerS "kqueue-timer-s" "kevent(2) with EVFILT_TIMER, NOTE_SECONDS, EV_ONESHOT" on KQUEUE_FINE;
        Relative Second Monotonic early Possible;
        timer Object slack Thread simulated Timer;
        "As kqueue-timer."
        "https://man.freebsd.org/cgi/man.cgi?query=kevent&sektion=2"
    KqueueTimerUs "kqueue-timer-us" "kevent(2) with EVFILT_TIMER, NOTE_USECONDS, EV_ONESHOT" on KQUEUE_FINE;
        Relative Microsecond Monotonic early Possible;
        timer Object slack Thread simulated Timer;
        "As kqueue-timer; rounded to ticks where timers fire at ticks."
        "https://man.freebsd.org/cgi/man.cgi?query=kevent&sektion=2"
    KqueueTimerNs "kqueue-timer-ns" "kevent(2) with EVFILT_TIMER, NOTE_NSECONDS, EV_ONESHOT" on KQUEUE_FINE;
        Relative Nanosecond Monotonic early Possible;
        timer Object slack Thread simulated Timer;
        "As kqueue-timer-us. FreeBSD sets it without the deviation that kern.timecounter.alloweddeviation allows a nanosleep."
        "https://man.freebsd.org/cgi/man.cgi?query=kevent&sektion=2"
    KqueueTimerAbs "kqueue-timer-abs" "kevent(2) with EVFILT_TIMER, NOTE_ABSTIME (macOS: NOTE_ABSOLUTE)" on KQUEUE_FINE;
        Absolute Nanosecond Realtime early Possible;
        timer Object slack Thread simulated Timer;
        "The event comes when the wall clock reads the requested time. From FreeBSD 12. OpenBSD converts it to ticks when it is set, so setting the clock has no effect there."
        "https://man.freebsd.org/cgi/man.cgi?query=kevent&sektion=2"
    KqueueTimerPeriodic "kqueue-timer-periodic" "kevent(2) with EVFILT_TIMER, then kevent(2) for every period" on KQUEUE;
        Periodic Millisecond Monotonic early Possible;
        timer Object slack Thread simulated Timer;
        "Expires every period; an event has the number of expiries since the last."
        "https://man.freebsd.org/cgi/man.cgi?query=kevent&sektion=2"
}
