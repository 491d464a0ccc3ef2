//! macOS alone: Mach, Grand Central Dispatch, and the notes of `kqueue` that say how exact a timer should be.

rows! { Apple
    MachWaitUntil "mach-wait-until" "mach_wait_until()" on APPLE;
        Absolute Nanosecond Monotonic early Never;
        timer Call slack Thread simulated Sleep;
        "Blocks until mach_absolute_time reaches the deadline, counted in ticks of mach_timebase_info (1 ns on Intel, 125/3 ns on Apple silicon); the clock stops in sleep."
        "https://developer.apple.com/library/archive/technotes/tn2169/_index.html"
    MachClockSleep "mach-clock-sleep" "clock_sleep() on SYSTEM_CLOCK, TIME_RELATIVE" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Call slack Thread simulated Sleep;
        "Sleeps on a Mach clock service, a kernel interface documented as old."
        "https://web.mit.edu/darwin/src/modules/xnu/osfmk/man/clock_sleep.html"
    MachSemaphoreTimedwait "mach-semaphore-timedwait" "semaphore_timedwait() that nobody signals" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Call slack Thread simulated Wait;
        "Ends once the time is over."
        "https://web.mit.edu/darwin/src/modules/xnu/osfmk/man/semaphore_timedwait.html"
    CondTimedwaitRelative "cond-timedwait-relative" "pthread_cond_timedwait_relative_np()" on APPLE;
        Relative Nanosecond Monotonic early Never;
        timer Call slack Thread simulated Wait;
        "As pthread_cond_timedwait with a duration, so that setting the wall clock has no effect."
        "https://github.com/apple-oss-distributions/libpthread/blob/main/include/pthread/pthread.h"
    DispatchTimer "dispatch-timer" "dispatch_source_set_timer() with DISPATCH_SOURCE_TYPE_TIMER, no leeway asked" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Object slack Thread simulated Timer;
        "The handler runs on a queue after the requested time; the system may shift it to save energy, even with a leeway of zero."
        "https://developer.apple.com/documentation/dispatch/1385606-dispatch_source_set_timer"
    DispatchTimerStrict "dispatch-timer-strict" "dispatch_source_set_timer() with DISPATCH_TIMER_STRICT" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Object slack Thread simulated Timer;
        "As dispatch-timer, with the leeway kept to what was asked even under App Nap."
        "https://developer.apple.com/documentation/dispatch/dispatch_timer_strict"
    DispatchSemaphoreWait "dispatch-semaphore-wait" "dispatch_semaphore_wait() with a timeout" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Call slack Thread simulated Wait;
        "Ends once the time is over."
        "https://developer.apple.com/documentation/dispatch/1453087-dispatch_semaphore_wait"
    KqueueTimerMachtime "kqueue-timer-machtime" "kevent64() with EVFILT_TIMER, NOTE_MACHTIME" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Object slack Thread simulated Timer;
        "As kqueue-timer, counted in ticks of mach_timebase_info (1 ns on Intel, 125/3 ns on Apple silicon)."
        "https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/event.h"
    KqueueTimerCritical "kqueue-timer-critical" "kevent64() with EVFILT_TIMER, NOTE_NSECONDS, NOTE_CRITICAL" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Object slack Thread simulated Timer;
        "Asks the system to keep the time even where it would coalesce other timers to save energy."
        "https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/event.h"
    KqueueTimerBackground "kqueue-timer-background" "kevent64() with EVFILT_TIMER, NOTE_NSECONDS, NOTE_BACKGROUND" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Object slack Thread simulated Timer;
        "Lets the system coalesce the timer as much as it ever does."
        "https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/event.h"
    KqueueTimerLeeway "kqueue-timer-leeway" "kevent64() with EVFILT_TIMER, NOTE_NSECONDS, NOTE_LEEWAY" on APPLE;
        Relative Nanosecond Monotonic early Possible;
        timer Object slack Thread simulated Timer;
        "May come later by the leeway given, here 1 ms, so that timers can be coalesced."
        "https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/event.h"
}
