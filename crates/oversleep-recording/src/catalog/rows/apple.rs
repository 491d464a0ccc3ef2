//! Only macOS: Mach, Grand Central Dispatch, and the notes of `kqueue` that say how exact a timer should be.

rows! { Apple
    MachWaitUntil "mach-wait-until" "mach_wait_until()" on APPLE;
        Absolute Nanosecond Monotonic early Never;
        timer Call slack Thread simulated Sleep;
        "Until mach_absolute_time reaches the deadline, in ticks of mach_timebase_info (1 ns on Intel, 125/3 ns on Apple silicon); the clock stops while the machine sleeps."
        "https://developer.apple.com/library/archive/technotes/tn2169/_index.html"
    MachClockSleep "mach-clock-sleep" "clock_sleep() on SYSTEM_CLOCK, TIME_RELATIVE" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Call slack Thread simulated Sleep;
        "On a Mach clock service, documented as an old kernel interface."
        "https://web.mit.edu/darwin/src/modules/xnu/osfmk/man/clock_sleep.html"
    MachSemaphoreTimedwait "mach-semaphore-timedwait" "semaphore_timedwait() that nobody signals" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Call slack Thread simulated Wait;
        "Ends once the time is over."
        "https://web.mit.edu/darwin/src/modules/xnu/osfmk/man/semaphore_timedwait.html"
    CondTimedwaitRelative "cond-timedwait-relative" "pthread_cond_timedwait_relative_np()" on APPLE;
        Relative Nanosecond Monotonic early Never;
        timer Call slack Thread simulated Wait;
        "As cond-timedwait, with a duration, so setting the wall clock has no effect."
        "https://github.com/apple-oss-distributions/libpthread/blob/main/include/pthread/pthread.h"
    DispatchTimer "dispatch-timer" "dispatch_source_set_timer() with DISPATCH_SOURCE_TYPE_TIMER, no leeway asked" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Object slack Thread simulated Timer;
        "The handler runs on a queue after the requested time; the system may delay it to save energy, even with a leeway of zero."
        "https://developer.apple.com/documentation/dispatch/1385606-dispatch_source_set_timer"
    DispatchTimerStrict "dispatch-timer-strict" "dispatch_source_set_timer() with DISPATCH_TIMER_STRICT" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Object slack Thread simulated Precise;
        "As dispatch-timer, with the requested leeway even under App Nap."
        "https://developer.apple.com/documentation/dispatch/dispatch_timer_strict"
    DispatchSemaphoreWait "dispatch-semaphore-wait" "dispatch_semaphore_wait() with a timeout" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Call slack Thread simulated Wait;
        "Ends once the time is over."
        "https://developer.apple.com/documentation/dispatch/1453087-dispatch_semaphore_wait"
    KqueueTimerMachtime "kqueue-timer-machtime" "kevent64() with EVFILT_TIMER, NOTE_MACHTIME" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Object slack Thread simulated Timer;
        "As kqueue-timer, in ticks as mach-wait-until."
        "https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/event.h"
    KqueueTimerCritical "kqueue-timer-critical" "kevent64() with EVFILT_TIMER, NOTE_NSECONDS, NOTE_CRITICAL" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Object slack Thread simulated Precise;
        "As kqueue-timer-ns; asks the system not to coalesce it to save energy."
        "https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/event.h"
    KqueueTimerBackground "kqueue-timer-background" "kevent64() with EVFILT_TIMER, NOTE_NSECONDS, NOTE_BACKGROUND" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Object slack Thread simulated Timer;
        "As kqueue-timer-ns, coalesced as much as the system ever does."
        "https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/event.h"
    KqueueTimerLeeway "kqueue-timer-leeway" "kevent64() with EVFILT_TIMER, NOTE_NSECONDS, NOTE_LEEWAY" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Object slack Thread simulated Timer;
        "As kqueue-timer-ns, with a leeway of 1 ms, so that timers can be coalesced."
        "https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/event.h"
}
