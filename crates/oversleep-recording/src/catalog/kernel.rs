//! What a method uses of its kernel: the kind of timer, its slack rule, and its sleep path in a simulated kernel.

/// The kind of kernel timer a method waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KernelTimer {
    /// One that the waiting call arms and removes itself.
    Call,
    /// An object created before the call that expires whether or not a thread waits for it.
    Object,
    /// The timer wheel, which counts kernel ticks (Linux `schedule_timeout` in net/core/sock.c).
    Wheel,
    /// None: the method never sleeps.
    None,
}

/// How much later than its time a method's timer may fire, where the kernel knows slack.
///
/// Rules of Linux 6.18: `kernel/time/{hrtimer,itimer,posix-timers,sleep_timeout}.c`, `fs/{select,eventpoll,timerfd}.c`,
/// `kernel/futex/`, `io_uring/timeout.c`, `ipc/mqueue.c`. A real-time thread has none with any method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlackRule {
    /// The thread's own timer slack. On other systems: the slack that the system gives every timer.
    Thread,
    /// 0.1 % of the time left (0.5 % at a niceness above 0), at most 100 ms and at least the thread's own slack.
    Share,
    /// None. `mq_timedreceive` is one of these: `wq_sleep` in `ipc/mqueue.c` passes a range of 0 to
    /// `schedule_hrtimeout_range_clock` (since 2.6.35; seen on 6.18.44, where a slack of 2 ms adds nothing).
    None,
    /// Depends on the kernel's version. `semtimedop` counts ticks before Linux 5.19 and has the thread's slack
    /// since.
    Varies,
}

/// The sleep path of a simulated kernel that represents a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SimulatedPath {
    /// `nanosleep` and what is built on it: reads the clock after waking and sleeps on if it is too early.
    Sleep,
    /// `select` and similar calls: a single timer shot, on Linux with slack in proportion to the request.
    Select,
    /// Waits for an event that never comes, with a timeout: a single timer shot.
    Wait,
    /// A single timer shot without slack on Linux: mostly timers that belong to the process.
    Timer,
    /// A single timer shot that asks for precision: `NOTE_CRITICAL`, `CLOCK_HIGHRES`.
    Precise,
    /// Waits in the kernel with a timeout in ticks: socket timeouts.
    Wheel,
    /// Yields the processor.
    Yield,
    /// Never waits in the kernel: reads the clock until the time is over.
    Spin,
}
