//! What a method asks of its kernel: which timer, under which rule of slack, and what stands for it on a simulated one.

/// The kind of kernel timer a method waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KernelTimer {
    /// One that the waiting call arms and removes itself.
    Call,
    /// An object that was made before the call and expires whether anybody waits or not.
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
    /// The thread's own. On other systems: what the system grants every timer.
    Thread,
    /// 0.1 % of the time left (0.5 % with a nice above 0), at most 100 ms and at least the thread's own.
    Share,
    /// None. `mq_timedreceive` is one of these: `wq_sleep` in `ipc/mqueue.c` passes a range of 0 to
    /// `schedule_hrtimeout_range_clock` (since 2.6.35; seen on 6.18.44, where a slack of 2 ms adds nothing).
    None,
    /// That depends on the kernel's version. `semtimedop` counts ticks before Linux 5.19 and has the thread's slack
    /// since.
    Varies,
}

/// Which of a simulated kernel's sleep paths stands for a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SimulatedPath {
    /// `nanosleep` and what is built on it: looks at the clock again.
    Sleep,
    /// `select` and its kin: a single shot, on Linux with slack in proportion.
    Select,
    /// Waits for something that never comes, with a timeout: a single shot.
    Wait,
    /// A single shot that has no slack on Linux: a timer of the process's own, for the most part.
    Timer,
    /// Waits in the kernel with a timeout in ticks: socket timeouts.
    Wheel,
    /// Gives the processor up.
    Yield,
    /// Does not ask the kernel at all: reads the clock until the time is over.
    Spin,
}
