//! Calls as people name them, of systems, libraries and runtimes: which kernel timer each stands on, and what it does to a
//! request first. To add one: a row in `ROWS`. Where a call does different things on different systems it has a row for each.

use super::MethodId;
use crate::asked::Platform::{
    self, DragonFly, FreeBsd, FreeRtos, Illumos, Ios, Linux, MacOs, NetBsd, OpenBsd, Windows, Zephyr,
};
use oversleep_sys::units::Nanos;

/// What a call asks the kernel for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KernelWait {
    /// A sleep or a wait with a timeout, as most calls.
    Sleep,
    /// `select`, `poll`, `epoll_wait`: on Linux the slack is a share of the request.
    Poll,
    /// A timeout of Linux' timer wheel, in ticks: of sockets.
    Wheel,
    /// Sleeps of the Linux kernel itself: whole ticks, one more than needed.
    Jiffies,
    /// A timer for which Windows' tick is raised.
    Raised,
    /// A timer object without slack: `timerfd`, `timer_create`.
    Timer,
    /// A high-resolution waitable timer (Windows), a kqueue timer with `NOTE_CRITICAL` (macOS), `CLOCK_HIGHRES` (illumos).
    Precise,
    /// None that is known: a scheduler of the runtime's own.
    Own,
}

/// What a library or runtime does to a request before the kernel sees it, or to the clock that it counts on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallRule {
    /// Rounds up to whole units.
    Up(Nanos),
    /// Cuts to whole units, at least this many.
    Down(Nanos, Nanos),
    /// Counts from a time that its event loop read before, in whole units.
    LoopTime(Nanos),
    /// Ends at ticks of its own, this many more than needed.
    Ticks(Nanos, u8),
    /// Waits this many of the kernel's ticks at least.
    KernelTicks(u8),
    /// May be late by a share (in thousandths) of the request.
    Leeway(u16, Nanos),
    /// May be early by a share (in thousandths) of the request.
    Early(u16),
    /// Counts on a clock with coarse steps.
    CoarseClock(Nanos),
    /// Adds a constant, or takes it off if it is negative.
    Constant(Nanos),
    /// Counts on an oscillator that may be off by a share (in thousandths) either way.
    Oscillator(u16),
}

/// A call by its names.
#[derive(Debug, Clone, Copy)]
pub struct CallRow {
    /// Its names, without the namespaces before them.
    pub names: &'static [&'static str],
    /// The library or runtime; empty for calls of systems.
    pub runtime: &'static str,
    /// Systems of this row; empty for all.
    pub platforms: &'static [Platform],
    /// What it stands on.
    pub wait: KernelWait,
    /// Alternatives, each with its weight and its rules in order; the weights add up to 1.
    pub rules: &'static [(f64, &'static [CallRule])],
    /// What to call instead; empty if nothing of the runtime is better.
    pub instead: &'static str,
    /// Where the rule is known from.
    pub source: &'static str,
}

impl CallRow {
    /// Returns whether the call exists on a system.
    pub fn is_on(&self, platform: Platform) -> bool {
        // What another system has is not known: any call of a standard, a language or a library. Microcontrollers' libraries have
        // the standard's.
        self.platforms.is_empty()
            || self.platforms.contains(&platform)
            || platform == Platform::Other
            || (self.platforms == UNIX && matches!(platform, FreeRtos | Zephyr))
    }

    /// Returns whether this is known of the one of its calls that is written so; a long name may be part of what is written.
    pub fn has(&self, what: CallTrait, written: &str) -> bool {
        let bare = written.split('(').next().unwrap_or(written).trim().to_lowercase();
        let named = self.names.iter().filter(|name| bare.ends_with(&name.to_lowercase())).max_by_key(|name| name.len());
        let known = TRAITS.iter().filter(|(own, _)| *own == what).flat_map(|(_, names)| *names);
        known.into_iter().any(|name| named == Some(name) || (name.len() > SHORT && written.contains(name)))
    }

    /// Returns what it does in the version of its runtime that a text names, if it has changed and that is told.
    pub fn in_version(&self, text: &str, on_windows: bool) -> Option<CallBehaviour> {
        let is_own = |changed: &&ChangedCall| {
            changed.runtime == self.runtime && changed.on_windows == on_windows && self.names.contains(&changed.name)
        };
        let changed = CHANGED.iter().find(is_own)?;
        let version = version_beside(text, changed.runtime)?;
        Some(if version >= changed.version { changed.from_then_on } else { changed.before })
    }
}

const UNIX: &[Platform] = &[Linux, MacOs, Ios, FreeBsd, NetBsd, OpenBsd, DragonFly, Illumos];
const APPLE: &[Platform] = &[MacOs, Ios];
const MS: Nanos = Nanos::MILLISECOND;
const DIRECT: &[(f64, &[CallRule])] = &[(1.0, &[])];
const MS_UP: &[(f64, &[CallRule])] = &[(1.0, &[CallRule::Up(MS)])];
const MS_DOWN: &[(f64, &[CallRule])] = &[(1.0, &[CallRule::Down(MS, Nanos::ZERO)])];
const MS_EITHER: &[(f64, &[CallRule])] =
    &[(0.7, &[]), (0.15, &[CallRule::Down(MS, Nanos::ZERO)]), (0.15, &[CallRule::Up(MS)])];
const FRAMES: &[(f64, &[CallRule])] = &[
    (0.4, &[CallRule::Ticks(FRAME, 0)]),
    (0.15, &[CallRule::Ticks(FRAME, 1)]),
    (0.15, &[CallRule::Ticks(TWO_FRAMES, 0)]),
    (0.06, &[CallRule::Ticks(Nanos::new(13_333_333), 0)]),
    (0.03, &[CallRule::Ticks(Nanos::new(11_111_111), 0)]),
    (0.1, &[CallRule::Ticks(Nanos::new(8_333_333), 0)]),
    (0.07, &[CallRule::Ticks(Nanos::new(6_944_444), 0)]),
    (0.02, &[CallRule::Ticks(Nanos::new(6_060_606), 0)]),
    (0.02, &[CallRule::Ticks(Nanos::new(4_166_667), 0)]),
];
/// A display's period at 60 Hz (the others are of 75, 90, 120, 144, 165 and 240), and twice that, as Safari draws in low power mode.
const FRAME: Nanos = Nanos::new(16_666_667);
const TWO_FRAMES: Nanos = Nanos::new(33_333_333);
const COARSE_QT: &[(f64, &[CallRule])] = &[
    (0.35, &[CallRule::Up(MS)]),
    (0.3, &[CallRule::Early(80), CallRule::Leeway(160, Nanos::from_secs(20))]),
    (0.35, &[CallRule::Early(80)]),
];
const LIBUV: &[(f64, &[CallRule])] = &[(1.0, &[CallRule::Down(MS, MS), CallRule::LoopTime(MS)])];

macro_rules! calls {
    ($([$($name:literal)+] $runtime:literal on $platforms:expr, $wait:ident $rules:expr; instead $instead:literal source $source:literal;)*) => {
        &[$(CallRow {
            names: &[$($name),+],
            runtime: $runtime,
            platforms: $platforms,
            wait: KernelWait::$wait,
            rules: $rules,
            instead: $instead,
            source: $source,
        }),*]
    };
}

/// The calls of the sources that were read; the first row that fits a name and a system counts.
const ROWS: &[CallRow] = calls! {
    ["nanosleep" "usleep" "cyclictest" "pthread_cond_timedwait" "sem_timedwait" "thrd_sleep" "timerlat"] "" on UNIX, Sleep DIRECT;
        instead "" source "pubs.opengroup.org";
    ["clock_nanosleep"] "" on &[Linux, FreeBsd, NetBsd, DragonFly, Illumos], Sleep DIRECT; instead "" source "pubs.opengroup.org; macOS and OpenBSD have none";
    ["sleep"] "" on UNIX, Sleep &[(0.7, &[]), (0.3, &[CallRule::Down(Nanos::SECOND, Nanos::ZERO)])]; instead "nanosleep"
        source "pubs.opengroup.org: whole seconds; the shell's command takes parts";
    ["SO_RCVTIMEO" "SO_SNDTIMEO" "recv" "rcvtimeo"] "" on &[Linux], Wheel DIRECT; instead "poll with a timeout, then recv"
        source "net/core/sock.c, sock_set_timeout: whole ticks; kernel/time/timer.c";
    ["sigtimedwait" "mq_timedreceive" "aio_suspend" "semtimedop" "io_uring_enter"] "" on UNIX, Sleep DIRECT; instead ""
        source "pubs.opengroup.org; kernel/signal.c, ipc/mqueue.c, io_uring/timeout.c";
    ["epoll_pwait2"] "" on &[Linux], Poll DIRECT; instead "" source "fs/eventpoll.c";
    ["select" "pselect" "ppoll"] "" on UNIX, Poll DIRECT; instead "clock_nanosleep" source "fs/select.c";
    ["epoll_wait" "epoll_pwait"] "" on &[Linux, Illumos], Poll MS_UP; instead "epoll_pwait2, whose timeout has nanoseconds" source "epoll_wait(2)";
    ["poll"] "" on UNIX, Poll MS_UP; instead "ppoll, whose timeout has nanoseconds" source "poll(2)";
    ["nanosleep" "usleep" "sleep" "select" "poll" "clock_nanosleep" "pthread_cond_timedwait" "sem_timedwait"] "" on &[Windows], Sleep MS_EITHER;
        instead "" source "Winsock; MinGW's and Cygwin's libraries, which wait by Windows' own calls, of whole milliseconds";
    ["futex" "FUTEX_WAIT"] "" on &[Linux], Sleep DIRECT; instead "" source "futex(2)";
    ["timerfd" "timerfd_settime" "timerfd_create"] "" on &[Linux, FreeBsd, NetBsd, Illumos], Timer DIRECT; instead "" source "timerfd_create(2), of each of them";
    ["timer_create" "setitimer" "SIGALRM"] "" on UNIX, Timer DIRECT; instead "" source "pubs.opengroup.org";
    ["kevent" "kqueue"] "" on &[MacOs, Ios, FreeBsd, NetBsd, OpenBsd, DragonFly], Timer DIRECT; instead "" source "kqueue(2)";
    ["NOTE_CRITICAL"] "" on APPLE, Precise DIRECT; instead "" source "kqueue(2) of XNU";
    ["mach_wait_until" "clock_sleep" "semaphore_timedwait"] "" on APPLE, Sleep DIRECT; instead "a kqueue timer with NOTE_CRITICAL"
        source "osfmk/kern/timer_call.c";
    ["Sleep" "SleepEx" "WaitForSingleObject" "WaitForMultipleObjects" "MsgWaitForMultipleObjects" "SleepConditionVariableCS"
        "CreateTimerQueueTimer" "GetQueuedCompletionStatus"]
        "" on &[Windows], Sleep MS_EITHER; instead "a waitable timer with CREATE_WAITABLE_TIMER_HIGH_RESOLUTION"
        source "learn.microsoft.com, Sleep: whole milliseconds, of which the program makes its time";
    ["NtDelayExecution" "CreateWaitableTimer" "SetWaitableTimer"] "" on &[Windows], Sleep DIRECT; instead "a waitable timer with CREATE_WAITABLE_TIMER_HIGH_RESOLUTION" source "learn.microsoft.com, Sleep";
    ["SetTimer" "WM_TIMER"] "" on &[Windows], Timer &[(1.0, &[CallRule::Down(MS, Nanos::from_millis(10))])];
        instead "a waitable timer with CREATE_WAITABLE_TIMER_HIGH_RESOLUTION"
        source "learn.microsoft.com, SetTimer: at least USER_TIMER_MINIMUM, 10 ms; WM_TIMER: a message that others go before";
    ["timeSetEvent" "timeKillEvent" "multimedia timer"] "Windows' multimedia timer" on &[Windows], Raised MS_DOWN;
        instead "a waitable timer with CREATE_WAITABLE_TIMER_HIGH_RESOLUTION" source "learn.microsoft.com, timeSetEvent: whole milliseconds; it raises the tick to its resolution";
    ["SetWaitableTimerEx" "SetThreadpoolTimer" "SetCoalescableTimer"] "Windows' tolerable delay" on &[Windows],
        Sleep &[(0.6, &[]), (0.4, &[CallRule::Ticks(Nanos::from_millis(50), 0)])];
        instead "a tolerable delay of 0" source "learn.microsoft.com, SetWaitableTimerEx: timers with a tolerance end together, at multiples of 50 ms";
    ["CREATE_WAITABLE_TIMER_HIGH_RESOLUTION" "CreateWaitableTimerEx" "waitable-timer-high-resolution"] "" on &[Windows], Precise DIRECT;
        instead "" source "learn.microsoft.com, CreateWaitableTimerExW";
    ["dispatch_source" "dispatch_source_set_timer" "DispatchSourceTimer"] "Dispatch" on &[], Timer &[(0.85, &[]), (0.15, &[CallRule::Leeway(100, Nanos::from_secs(60))])];
        instead "DISPATCH_TIMER_STRICT and a leeway of 0" source "dispatch_source_set_timer(3): the leeway is the caller's";
    ["dispatch_after" "asyncAfter" "DispatchQueue"] "Dispatch" on &[],
        Timer &[(0.6, &[CallRule::Leeway(100, Nanos::from_secs(60))]), (0.4, &[])];
        instead "a timer source with DISPATCH_TIMER_STRICT and a leeway of 0" source "libdispatch, src/source.c, dispatch_after: leeway of a tenth";
    ["Task.sleep"] "Swift" on &[Windows], Sleep &[(0.5, &[CallRule::KernelTicks(2)]), (0.5, &[])];
        instead "Thread.sleep" source "libdispatch on Windows waits at the default tick, in several passes";
    ["Task.sleep"] "Swift" on &[], Timer &[(0.45, &[CallRule::Leeway(100, Nanos::from_secs(60))]), (0.2, &[CallRule::Leeway(67, Nanos::from_secs(60))]), (0.35, &[])];
        instead "Task.sleep(until:tolerance: .zero)" source "libdispatch: a leeway of a tenth where no tolerance is given; published of iOS: a fifteenth";
    ["Thread.sleep" "NSThread.sleep"] "Foundation" on APPLE, Sleep DIRECT; instead "" source "developer.apple.com, Thread";
    ["NSTimer" "Swift Timer" "scheduledTimer" "CFRunLoopTimer"] "Foundation" on APPLE, Timer DIRECT; instead "a dispatch timer with DISPATCH_TIMER_STRICT"
        source "developer.apple.com, NSTimer";
    ["CADisplayLink" "CVDisplayLink"] "Core Animation" on APPLE, Timer DIRECT; instead "" source "developer.apple.com, CADisplayLink";

    ["time.sleep"] "Python" on &[Windows], Sleep &[(0.7, &[CallRule::Down(MS, Nanos::ZERO)]), (0.3, &[])];
        instead "time.sleep of Python 3.11 or later, which uses a high-resolution timer" source "Modules/timemodule.c, pysleep, 3.10 and 3.11";
    ["time.sleep"] "Python" on &[], Sleep DIRECT; instead "oversleep.sleep (this project's Python package)" source "Modules/timemodule.c";
    ["asyncio.sleep" "loop.call_later" "call_later" "call_at" "asyncio.wait_for"] "Python's asyncio" on &[Windows],
        Sleep &[(0.5, &[CallRule::Up(MS), CallRule::CoarseClock(Nanos::from_micros(15_625))]), (0.5, &[CallRule::Up(MS)])];
        instead "oversleep.sleep in a thread" source "Lib/asyncio/windows_events.py; time.monotonic has steps of 15.6 ms before 3.13";
    ["asyncio.sleep" "loop.call_later" "call_later" "call_at" "asyncio.wait_for"] "Python's asyncio" on &[],
        Poll &[(0.8, &[CallRule::Up(MS)]), (0.2, &[CallRule::LoopTime(MS)])];
        instead "oversleep.sleep in a thread (asyncio.to_thread)" source "Lib/selectors.py, EpollSelector.select: whole milliseconds, up; uvloop: libuv's rules";
    ["uvloop" "uvloop.call_later"] "uvloop" on &[], Poll LIBUV; instead "loop.call_at with a time from loop.time() taken after the work"
        source "libuv, src/timer.c: timers count from the loop's cached time";
    ["Event.wait" "threading.Event.wait" "Condition.wait" "Queue.get"] "Python" on &[], Sleep DIRECT; instead "oversleep.Ticker for a schedule"
        source "Python/thread_pthread.h";

    ["setTimeout" "setInterval"] "React Native" on &[Ios], Timer &[(0.5, &[CallRule::Ticks(FRAME, 0)]), (0.5, &[CallRule::Down(MS, MS)])];
        instead "a time read in each frame" source "React Native, RCTTiming.mm: timers run when a CADisplayLink calls, once a frame";
    ["setTimeout" "setInterval" "timers/promises setTimeout" "uv_timer_start"] "Node.js" on &[], Poll LIBUV;
        instead "Atomics.wait in a worker thread" source "lib/internal/timers.js; libuv, src/timer.c: whole milliseconds, cut, from the loop's cached time";
    ["Atomics.wait"] "Node.js" on &[], Sleep DIRECT; instead "" source "tc39.es/ecma262";
    ["requestAnimationFrame"] "the browser" on &[], Own DIRECT; instead "a time read in each frame, in place of a count of frames"
        source "html.spec.whatwg.org; WebKit draws at 30 Hz in low power mode";
    ["QTimer" "QTest.qWait" "qSleep"] "Qt" on &[], Poll COARSE_QT;
        instead "a QTimer with Qt::PreciseTimer" source "doc.qt.io, QTimer: coarse timers end up to 5 % early or late, so that intervals differ by more (published: 93 to 100 of 100 ms)";
    ["QThread::usleep" "QThread::msleep" "QThread.usleep" "QThread.msleep"] "Qt" on &[Windows], Sleep &[(0.8, &[CallRule::Constant(MS)]), (0.2, &[CallRule::Up(MS)])];
        instead "a waitable timer with CREATE_WAITABLE_TIMER_HIGH_RESOLUTION" source "qthread_win.cpp: usec / 1000 + 1";
    ["g_timeout_add" "g_usleep"] "GLib" on &[], Poll &[(0.6, &[CallRule::Up(MS)]), (0.4, &[])]; instead "" source "glib/gmain.c: poll with milliseconds";

    ["time.Sleep" "time.After" "time.NewTimer" "time.Ticker" "time.NewTicker" "time.Tick" "context.WithTimeout"] "Go" on &[Windows], Sleep DIRECT;
        instead "Go 1.23 or later, whose time.Sleep uses a high-resolution timer" source "runtime/os_windows.go; golang/go#44343, #61042";
    ["time.Sleep" "time.After" "time.NewTimer" "time.Ticker" "time.NewTicker" "time.Tick" "context.WithTimeout"] "Go" on &[],
        Poll &[(0.7, &[CallRule::Up(MS)]), (0.3, &[])];
        instead "unix.ClockNanosleep on a locked thread (runtime.LockOSThread)" source "runtime/netpoll_epoll.go: whole milliseconds, up";

    ["Task.Delay" "System.Threading.Timer" "System.Timers.Timer" "DispatcherTimer" "CancelAfter" "CancellationTokenSource"] ".NET" on &[Windows],
        Sleep &[(0.6, &[CallRule::Down(MS, Nanos::ZERO), CallRule::CoarseClock(Nanos::from_micros(15_625))]), (0.4, &[CallRule::Down(MS, Nanos::ZERO)])];
        instead "a loop until Stopwatch says that the time is over" source "TimerQueue.Portable.cs counts Environment.TickCount64, of 15.6 ms steps";
    ["Task.Delay" "System.Threading.Timer" "System.Timers.Timer" "DispatcherTimer" "CancelAfter" "CancellationTokenSource"] ".NET" on &[],
        Sleep &[(0.5, &[CallRule::Down(MS, Nanos::ZERO)]), (0.35, &[CallRule::Down(MS, Nanos::ZERO), CallRule::CoarseClock(Nanos::from_millis(4))]),
            (0.15, &[CallRule::Down(MS, Nanos::ZERO), CallRule::Constant(MS)])];
        instead "a loop until Stopwatch says that the time is over"
        source "TimerQueue.Portable.cs: whole milliseconds of Environment.TickCount64, CLOCK_MONOTONIC_COARSE on Linux; published: 1 ms more";
    ["PeriodicTimer" "WaitForNextTickAsync"] ".NET" on &[Windows], Sleep &[(0.6, &[CallRule::KernelTicks(2)]), (0.4, &[])]; instead "a high-resolution waitable timer"
        source "published: two ticks for each wait";
    ["Thread.Sleep" "SpinWait" "Monitor.Wait" "ManualResetEvent.WaitOne" "WaitOne"] ".NET" on &[Windows], Sleep MS_DOWN;
        instead "a waitable timer with CREATE_WAITABLE_TIMER_HIGH_RESOLUTION" source "Thread.Windows.cs: SleepEx, milliseconds";
    ["PeriodicTimer" "WaitForNextTickAsync" "Thread.Sleep" "SpinWait" "Monitor.Wait" "ManualResetEvent.WaitOne" "WaitOne"] ".NET" on &[], Sleep MS_DOWN; instead ""
        source "pal/src/synchmgr/synchmanager.cpp";

    ["Thread.sleep" "TimeUnit.sleep" "Object.wait" "Thread.sleep(ms)"] "Java" on &[Windows], Sleep
        &[(0.5, &[CallRule::Up(MS)]), (0.5, &[CallRule::CoarseClock(MS)])];
        instead "a time that is no multiple of 10 ms, for which Java asks for a tick of 1 ms"
        source "os_windows.cpp, HighResolutionInterval: timeBeginPeriod(1) where ms % 10 is not 0; published: 1000 ms ends at 999";
    ["LockSupport.parkNanos" "parkNanos" "ScheduledExecutorService" "ScheduledThreadPoolExecutor" "schedule" "scheduleAtFixedRate"] "Java" on &[Windows], Sleep
        MS_EITHER; instead "a loop until System.nanoTime says that the time is over" source "os_windows.cpp, Parker::park: whole milliseconds, at the tick in force";
    ["Thread.sleep" "TimeUnit.sleep" "Object.wait"] "Java" on &[], Sleep &[(0.5, &[CallRule::Up(MS)]), (0.5, &[])];
        instead "LockSupport.parkNanos in a loop until the deadline" source "Thread.java, sleep(long, int): up to milliseconds before 21";
    ["LockSupport.parkNanos" "parkNanos" "ScheduledExecutorService" "ScheduledThreadPoolExecutor" "schedule" "scheduleAtFixedRate"] "Java" on &[], Sleep DIRECT;
        instead "a loop until System.nanoTime says that the time is over" source "os_posix.cpp, Parker::park";

    ["thread::sleep" "std::thread::sleep" "thread::sleep_ms" "std::thread::sleep_ms"] "Rust" on &[], Sleep DIRECT;
        instead "oversleep's Sleeper" source "library/std/src/sys; high-resolution timers on Windows since 1.75";
    ["park_timeout" "recv_timeout" "Condvar::wait_timeout"] "Rust" on &[], Sleep DIRECT; instead "oversleep's Sleeper" source "library/std/src/sys/sync";
    ["tokio::time::sleep" "tokio::time::sleep_until" "tokio::time::interval" "tokio::time::timeout" "tokio"] "tokio" on &[],
        Poll &[(0.5, &[CallRule::Ticks(MS, 0)]), (0.5, &[CallRule::Ticks(MS, 1)])];
        instead "a thread with oversleep's Sleeper, or async_io::Timer" source "tokio, runtime/time: a wheel of milliseconds, deadlines rounded up";
    ["async_io::Timer" "smol::Timer" "Timer::after"] "async-io" on &[], Timer DIRECT; instead "" source "polling: timerfd";
    ["mioco::sleep_ms" "mioco::sleep" "mio::Timer" "mio_extras::timer" "mioco"] "mio's timer wheel" on &[],
        Own &[(0.4, &[CallRule::Ticks(Nanos::from_millis(100), 1)]), (0.4, &[CallRule::Ticks(Nanos::from_millis(100), 0)]),
            (0.2, &[CallRule::Down(Nanos::from_millis(100), Nanos::ZERO)])];
        instead "std::thread::sleep, or a wheel with a shorter tick" source "mio 0.5, src/timer.rs: ticks of 100 ms, one late (mio#383)";

    ["SDL_DelayNS" "SDL_DelayPrecise"] "SDL" on &[Windows], Precise DIRECT; instead "SDL_DelayPrecise" source "SDL_systimer.c of SDL 3";
    ["SDL_AddTimer"] "SDL" on &[], Sleep &[(0.5, &[CallRule::Down(MS, Nanos::ZERO)]), (0.5, &[CallRule::Ticks(MS, 1)])];
        instead "SDL_AddTimerNS of SDL 3" source "SDL_timer.c: a thread that waits for whole milliseconds, from a time in them";
    ["SDL_Delay" "pygame.time.wait" "pygame.time.delay" "Clock.tick" "Clock.tick_busy_loop"] "SDL" on &[], Sleep MS_DOWN; instead "SDL_DelayPrecise"
        source "SDL_timer.h: whole milliseconds";
    ["SDL_DelayNS" "SDL_DelayPrecise"] "SDL" on &[], Sleep DIRECT; instead "SDL_DelayPrecise" source "SDL_systimer.c";
    ["sleep_for" "this_thread::sleep_for" "sleep_until" "this_thread::sleep_until" "sf::sleep"] "C++" on &[Windows], Sleep MS_EITHER;
        instead "a waitable timer with CREATE_WAITABLE_TIMER_HIGH_RESOLUTION" source "libstdc++ of MinGW: whole milliseconds, cut; MSVC: up";
    ["sleep_for" "this_thread::sleep_for" "sleep_until" "this_thread::sleep_until" "wait_for" "wait_until" "boost::this_thread::sleep" "boost::asio" "asio::steady_timer" "steady_timer"]
        "C++" on &[], Sleep DIRECT; instead "oversleep's C library" source "libstdc++-v3/src/c++11/thread.cc";
    ["Future.delayed" "Timer.periodic"] "Dart" on &[], Poll MS_UP; instead "" source "sdk/lib/_internal/vm/lib/timer_impl.dart: milliseconds";
    ["Task#sleep_ms" "sleep_ms"] "mruby's task scheduler" on UNIX, Own &[(1.0, &[CallRule::Ticks(Nanos::from_millis(4), 0)])];
        instead "whole multiples of MRB_TICK_UNIT" source "mruby-task: a tick of 4 ms by SIGALRM";
    ["Kernel#sleep" "ruby sleep" "ConditionVariable#wait" "Timeout.timeout"] "Ruby" on &[], Sleep &[(0.8, &[]), (0.2, &[CallRule::Down(MS, Nanos::ZERO)])];
        instead "" source "thread_pthread.c; JRuby's and TruffleRuby's sleep cut to milliseconds (truffleruby#2716)";
    ["gevent.sleep" "gevent.Timeout" "eventlet.sleep" "gevent.spawn_later"] "gevent" on &[], Poll &[(0.5, &[CallRule::LoopTime(MS)]), (0.5, &[])];
        instead "gevent.get_hub().loop.update_now() before the timer is set" source "libev, ev.pod: timers count from the loop's cached time";
    ["Time::HiRes::sleep" "Time::HiRes::usleep"] "Perl" on &[Windows], Sleep MS_DOWN; instead "" source "HiRes.xs, usleep: Sleep of whole milliseconds";
    ["Time::HiRes::sleep" "Time::HiRes::usleep"] "Perl" on &[], Sleep DIRECT; instead "" source "HiRes.xs";
    ["julia sleep" "Base.sleep" "Julia.sleep" "Timer (Julia)"] "Julia" on &[], Poll
        &[(0.7, &[CallRule::Up(MS), CallRule::LoopTime(MS), CallRule::Constant(MS)]), (0.3, &[CallRule::Up(MS), CallRule::LoopTime(MS)])];
        instead "Libc.systemsleep" source "base/asyncevent.jl, Timer: ceil of milliseconds, and one more for the loop's time";
    ["AlarmManager" "setExactAndAllowWhileIdle" "setAndAllowWhileIdle" "WorkManager" "JobScheduler"] "Android" on &[Linux], Timer
        &[(0.35, &[]), (0.2, &[CallRule::Leeway(750, Nanos::from_secs(3600))]), (0.15, &[CallRule::Ticks(Nanos::from_secs(540), 0)]),
            (0.15, &[CallRule::Ticks(Nanos::from_secs(3600), 0)]), (0.15, &[CallRule::Down(MS, Nanos::from_secs(5))])];
        instead "setExactAndAllowWhileIdle with USE_EXACT_ALARM, or a foreground service" source "developer.android.com: inexact alarms may be late by three quarters of the interval, in Doze one each 9 minutes, or each window of hours; none is nearer than 5 s";
    ["setRepeating" "AlarmManager.setRepeating" "setInexactRepeating"] "Android" on &[Linux], Timer
        &[(0.5, &[CallRule::Down(MS, Nanos::from_secs(60))]), (0.2, &[CallRule::Leeway(750, Nanos::from_secs(3600))]), (0.15, &[]), (0.15, &[CallRule::Ticks(Nanos::from_secs(540), 0)])];
        instead "a Handler while the application is in front, or a foreground service" source "developer.android.com, AlarmManager: from 5.1 on a minute apart at least";
    ["systemd timer" "systemd-run" "systemd.timer" "OnCalendar" "OnUnitActiveSec" "OnActiveSec" "OnBootSec" "IdleActionSec"] "systemd" on &[Linux],
        Timer &[(1.0, &[CallRule::Leeway(u16::MAX, Nanos::from_secs(60))])]; instead "AccuracySec=1us (its default is a minute)" source "systemd.timer(5), AccuracySec";
    ["time.sleep_ms" "time.sleep_us" "utime.sleep_ms" "utime.sleep_us"] "MicroPython" on &[Platform::Other, FreeRtos], Precise DIRECT; instead ""
        source "docs.micropython.org, time.sleep_ms: at least as long, and as much longer as events take";
    ["time.sleep"] "CircuitPython" on &[Platform::Other], Own
        &[(0.5, &[CallRule::Down(Nanos::new(1_000_001), Nanos::ZERO)]), (0.5, &[CallRule::Down(MS, Nanos::ZERO)])];
        instead "a time a little longer than whole milliseconds" source "circuitpython#2508: 0.005 is 4.99999 ms in its numbers, which is cut";
    ["Roblox wait" "task.wait"] "Roblox" on &[], Own FRAMES; instead "a time read in each frame" source "create.roblox.com: a wait ends with a frame";
    ["Godot Timer" "create_timer"] "Godot" on &[], Own FRAMES; instead "a time read in each frame" source "docs.godotengine.org, Timer: once a frame at most";
    ["WaitForSeconds" "WaitForSecondsRealtime"] "Unity" on &[], Own FRAMES; instead "a time read in each frame" source "docs.unity3d.com: a wait ends with a frame";
    ["Start-Sleep"] "PowerShell" on &[], Sleep &[(0.7, &[CallRule::Down(MS, Nanos::ZERO)]), (0.3, &[CallRule::Down(Nanos::SECOND, Nanos::ZERO)])];
        instead "Start-Sleep -Milliseconds" source "StartSleepCommand.cs: whole seconds before PowerShell 6.2";
    [":timer.sleep" "timer:sleep" "Process.sleep" "erlang:send_after" "send_after" "receive after" "Process.send_after"] "Erlang" on &[],
        Poll &[(0.5, &[CallRule::Ticks(MS, 0)]), (0.5, &[CallRule::Ticks(MS, 1)])]; instead "" source "erl_hl_timer.c: milliseconds, rounded up";
    ["window.setTimeout" "window.setInterval" "emscripten_set_main_loop"] "the browser" on &[],
        Poll &[(0.7, &[CallRule::Down(MS, Nanos::ZERO)]), (0.15, &[CallRule::Down(MS, MS)]), (0.15, &[CallRule::LoopTime(MS)])];
        instead "requestAnimationFrame for what is drawn, or MessageChannel for a step without a delay"
        source "html.spec.whatwg.org, timers: whole milliseconds; events of the page may come between; at least 1 ms in Chrome before 101 and WebKit before 2022";
    ["epicsThreadSleep"] "EPICS" on &[], Sleep &[(0.5, &[CallRule::Constant(Nanos::from_millis(-5))]), (0.5, &[])]; instead "clock_nanosleep"
        source "osdThread.c: half a quantum is taken off; published: 4.86 ms early at every length";
    ["srt_epoll_wait" "srt_recvmsg" "CTimer::sleepto"] "SRT" on &[], Own &[(1.0, &[CallRule::Ticks(Nanos::from_millis(10), 0)])]; instead ""
        source "srtcore: waits of 10 ms";
    ["mgos_set_timer" "mgos_msleep"] "mongoose-os" on &[], Own &[(1.0, &[CallRule::Down(MS, Nanos::SECOND)])]; instead "a hardware timer (mgos_set_hw_timer)"
        source "published: no timer fires before 1 s";

    ["vTaskDelay" "vTaskDelayUntil" "xTaskDelayUntil" "osDelay" "pdMS_TO_TICKS" "xQueueReceive" "xSemaphoreTake" "ulTaskNotifyTake"] "FreeRTOS" on &[FreeRtos],
        Sleep DIRECT; instead "a hardware timer (ESP-IDF: esp_timer), or one tick more" source "FreeRTOS tasks.c, vTaskDelay; projdefs.h: pdMS_TO_TICKS rounds down";
    ["esp_timer_start_once" "ets_delay_us" "esp_timer" "esp_rom_delay_us" "delayMicroseconds" "delay_us"] "ESP-IDF" on &[FreeRtos], Precise DIRECT; instead ""
        source "docs.espressif.com, ESP Timer";
    ["k_sleep" "k_msleep" "k_usleep" "k_sem_take" "k_msgq_get" "k_poll" "k_timer_start"] "Zephyr" on &[Zephyr], Sleep DIRECT;
        instead "a hardware counter (counter_set_channel_alarm) or k_busy_wait for short times" source "kernel/timeout.c, z_add_timeout";
    ["k_busy_wait"] "Zephyr" on &[Zephyr], Precise DIRECT; instead "" source "kernel/busy_wait.c";
    ["HAL_Delay"] "STM32's HAL" on &[FreeRtos, Platform::Other], Own &[(1.0, &[CallRule::Ticks(MS, 0)])];
        instead "a hardware timer" source "stm32xxxx_hal.c, HAL_Delay: one tick more than asked for, as the first is in progress; never shorter";
    ["sleep_ms" "sleep_us" "busy_wait_us" "busy_wait_ms"] "the Pico's SDK" on &[Platform::Other, FreeRtos], Precise DIRECT; instead ""
        source "pico-sdk, pico_time: a hardware timer of microseconds";
    ["wait_ms" "wait_us" "ThisThread::sleep_for"] "Mbed OS" on &[Platform::Other], Sleep DIRECT; instead "" source "mbed-os, rtos/ThisThread.h: ticks of a millisecond";
    ["taskDelay" "OSTimeDly" "tx_thread_sleep" "rt_thread_mdelay" "rtems_task_wake_after"] "" on &[Platform::Other], Sleep DIRECT; instead "" source "VxWorks taskLib, uC/OS, ThreadX, RT-Thread, RTEMS: ticks";
    ["delay"] "" on &[Platform::Other], Sleep MS_UP; instead "" source "QNX, delay(): milliseconds";
    ["udelay" "ndelay"] "the Linux kernel" on &[Linux], Own DIRECT; instead "usleep_range" source "Documentation/timers/delay_sleep_functions.rst";
    ["esp_deep_sleep" "esp_light_sleep_start" "esp_sleep_enable_timer_wakeup" "deepSleep" "ESP.deepSleep" "light_sleep" "deep_sleep" "deepsleep"] "ESP's sleep"
        on &[FreeRtos, Platform::Other], Own &[(1.0, &[CallRule::Oscillator(80)])];
        instead "a crystal of 32.768 kHz as the RTC's clock (CONFIG_RTC_CLK_SRC_EXT_CRYS), a calibration before each sleep, or the time of a server after it"
        source "docs.espressif.com, Sleep Modes and System Time: the RTC counts on an RC oscillator of 150 kHz, 5 % off and more with the temperature";
    ["_delay_ms" "_delay_us"] "avr-libc" on &[Platform::Other], Precise DIRECT; instead "a timer's interrupt"
        source "avr-libc, util/delay.h: loops that are counted for F_CPU";
    ["delayMicroseconds"] "Arduino" on &[Platform::Other], Precise DIRECT; instead "delay for more than a few milliseconds"
        source "ArduinoCore-avr, wiring.c, delayMicroseconds: quarters of a microsecond in 16 bits at 16 MHz";
    ["delay"] "Arduino" on &[Platform::Other], Precise DIRECT; instead "" source "ArduinoCore-avr, wiring.c, delay: counts micros()";
    ["delay"] "Arduino" on &[FreeRtos], Sleep DIRECT; instead "delayMicroseconds for short times" source "esp32-hal-misc.c: vTaskDelay";
    ["kotlinx.coroutines.delay" "delay"] "Kotlin" on &[Linux, MacOs, Ios], Sleep MS_UP; instead "" source "DefaultExecutor.kt: milliseconds";
    ["Handler.postDelayed" "postDelayed" "sendMessageDelayed" "CountDownTimer"] "Android" on &[Linux], Poll MS_UP;
        instead "AlarmManager.setExactAndAllowWhileIdle" source "Handler.java: SystemClock.uptimeMillis, which stands still in deep sleep; Looper.cpp: epoll_wait";
    ["msleep" "schedule_timeout" "msleep_interruptible" "ssleep"] "" on &[Linux], Jiffies DIRECT; instead "usleep_range"
        source "kernel/time/timer.c, msleep: whole ticks, and one more; Documentation/timers/delay_sleep_functions.rst";
    ["usleep_range" "fsleep" "hrtimer"] "the Linux kernel" on &[Linux], Timer DIRECT; instead "" source "Documentation/timers/delay_sleep_functions.rst";
};

/// What else is known of some calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallTrait {
    /// It sleeps on until its time is over, whatever interrupts it: by its library's sources, or where there are no signals.
    GoesOn,
    /// It waits for a time on the wall clock unless it is told otherwise (pubs.opengroup.org).
    OnWallClock,
    /// It keeps a schedule of its own: what makes one of its waits late makes none of its periods longer.
    KeepsSchedule,
    /// Its time is an unsigned number (learn.microsoft.com, Sleep: DWORD; wiring.c, delay: unsigned long).
    Unsigned,
    /// Its time is a signed number (Node.js, lib/internal/timers.js: `TIMEOUT_MAX`).
    Signed,
    /// Its time is a number of microseconds.
    Microseconds,
    /// POSIX lets it refuse a second or more.
    RefusesSeconds,
    /// It is called once a frame of the display.
    Frame,
}

/// Calls by the names in [`ROWS`], or by what people add to these.
const TRAITS: [(CallTrait, &[&str]); 8] = [
    (
        CallTrait::GoesOn,
        &[
            "Sleep",
            "time.Sleep",
            "thread::sleep",
            "sleep_for",
            "setTimeout",
            "Thread.Sleep",
            "SDL_Delay",
            "vTaskDelay",
            "delay",
            "HAL_Delay",
            "asyncio.sleep",
            "Task.Delay",
        ],
    ),
    (
        CallTrait::OnWallClock,
        &["pthread_cond_timedwait", "sem_timedwait", "mq_timedreceive", "boost::condition_variable"],
    ),
    (
        CallTrait::KeepsSchedule,
        &["interval", "Ticker", "time.Tick", "scheduleAtFixedRate", "PeriodicTimer", "timerfd", "setitimer"],
    ),
    (CallTrait::Unsigned, &["Sleep", "delay", "usleep"]),
    (CallTrait::Signed, &["setTimeout", "window.setTimeout"]),
    (
        CallTrait::Microseconds,
        &["usleep", "delayMicroseconds", "sleep_us", "esp_timer", "esp_sleep_enable_timer_wakeup", "nanosleep"],
    ),
    (CallTrait::RefusesSeconds, &["usleep"]),
    (CallTrait::Frame, &["requestAnimationFrame", "CADisplayLink", "CVDisplayLink"]),
];

/// Letters of a name that may be part of other calls' names.
const SHORT: usize = 5;

/// What a call does before a version of its runtime, and from it on.
#[derive(Debug)]
struct ChangedCall {
    runtime: &'static str,
    name: &'static str,
    /// Whether this is so on Windows, or elsewhere.
    on_windows: bool,
    version: (u32, u32),
    before: CallBehaviour,
    from_then_on: CallBehaviour,
}

/// What a call stands on, and what it does to a request first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CallBehaviour {
    /// What it stands on.
    pub wait: KernelWait,
    /// Alternatives, each with its weight and its rules in order.
    pub rules: &'static [(f64, &'static [CallRule])],
}

const fn behaves(wait: KernelWait, rules: &'static [(f64, &'static [CallRule])]) -> CallBehaviour {
    CallBehaviour { wait, rules }
}

/// Calls that changed with their runtime: What's New in Python 3.11, Modules/timemodule.c (`select` before), the release notes of Go 1.23,
/// rust-lang/rust#116461, JDK-8305092.
const CHANGED: [ChangedCall; 5] = [
    ChangedCall {
        runtime: "Python",
        name: "time.sleep",
        on_windows: true,
        version: (3, 11),
        before: behaves(KernelWait::Sleep, MS_DOWN),
        from_then_on: behaves(KernelWait::Precise, DIRECT),
    },
    ChangedCall {
        runtime: "Python",
        name: "time.sleep",
        on_windows: false,
        version: (3, 11),
        before: behaves(KernelWait::Poll, DIRECT),
        from_then_on: behaves(KernelWait::Sleep, DIRECT),
    },
    ChangedCall {
        runtime: "Go",
        name: "time.Sleep",
        on_windows: true,
        version: (1, 23),
        before: behaves(KernelWait::Sleep, DIRECT),
        from_then_on: behaves(KernelWait::Precise, DIRECT),
    },
    ChangedCall {
        runtime: "Rust",
        name: "thread::sleep",
        on_windows: true,
        version: (1, 75),
        before: behaves(KernelWait::Sleep, MS_EITHER),
        from_then_on: behaves(KernelWait::Precise, DIRECT),
    },
    ChangedCall {
        runtime: "Java",
        name: "Thread.sleep",
        on_windows: false,
        version: (21, 0),
        before: behaves(KernelWait::Sleep, MS_UP),
        from_then_on: behaves(KernelWait::Sleep, DIRECT),
    },
];

/// The first number of a version from which it stands without a second one: Java 17, Node 22.
const WHOLE: u32 = 6;

/// Returns the version of a runtime that stands beside its name in a text: `Python 3.12`, `python3.12`, `Go v1.23`.
pub(crate) fn version_beside(text: &str, runtime: &str) -> Option<(u32, u32)> {
    let words: Vec<&str> = text.split([' ', ',', '(', ')', '/', '_', '-']).filter(|word| !word.is_empty()).collect();
    let after = |(index, word): (usize, &&str)| {
        let rest = word.to_lowercase().strip_prefix(&runtime.to_lowercase())?.to_owned();
        Some(if rest.is_empty() { words.get(index + 1)?.to_lowercase() } else { rest })
    };
    let numbers = |text: String| {
        let mut parts = text.strip_prefix('v').unwrap_or(&text).split('.').map(str::parse::<u32>);
        let first = parts.next()?.ok()?;
        match parts.next() {
            Some(second) => Some((first, second.ok()?)),
            // Of small numbers the second one tells.
            None => (first >= WHOLE).then_some((first, 0)),
        }
    };
    words.iter().enumerate().filter_map(after).find_map(numbers)
}

/// Returns where the first name of a runtime begins in a text in lower case.
pub(crate) fn runtime_in(text: &str) -> Option<usize> {
    let is_word = |at: usize, end: usize| {
        !text[..at].ends_with(char::is_alphanumeric) && !text[end..].starts_with(char::is_alphabetic)
    };
    let named = ROWS.iter().map(|row| row.runtime.to_lowercase()).filter(|runtime| runtime.len() > 1);
    named.filter_map(|runtime| text.find(&runtime).filter(|at| is_word(*at, at + runtime.len()))).min()
}

/// Returns the facts known of a call, by its name as people write it: with or without its namespaces, arguments, and in
/// either case; of the rows with this name, the one for this system. A runtime may be named beside the call, or in the stated system.
/// Methods of the catalogue are known by their names too.
pub fn call(name: &str, system: &str, platform: Option<Platform>) -> Option<&'static CallRow> {
    let bare = name.split('(').next().unwrap_or(name).trim().trim_end_matches([';', '!']);
    let with_name = |sought: &str, exact: bool| -> Vec<&'static CallRow> {
        let same = |known: &&str| if exact { **known == *sought } else { known.eq_ignore_ascii_case(sought) };
        ROWS.iter().filter(|row| row.names.iter().any(same)).collect()
    };
    // `sleep (Julia)`, `sleep in Julia`: the runtime's own call of that name.
    let (call, beside) = name.split_once([' ', '(']).unwrap_or((name, ""));
    let named = format!("{beside} {system}").to_lowercase();
    let last = |name| tail(name, 1).unwrap_or(name).to_lowercase();
    let is_own = |row: &&CallRow| {
        let runtime = row.runtime.to_lowercase();
        let is_it = |word: &str| word == runtime || runtime == "the browser" && is_browser(word);
        let is_named = !runtime.is_empty() && named.split(|c: char| !c.is_alphanumeric()).any(is_it);
        let is_there = platform.is_none_or(|platform| row.is_on(platform));
        is_named && is_there && row.names.iter().any(|known| last(known) == last(call))
    };
    if let Some(row) = ROWS.iter().find(is_own) {
        return Some(row);
    }
    // The whole name, then without what stands before its last and second but last separator, then that (a method of a class); then
    // the same in any case.
    let tails = [Some(bare), tail(bare, 2), tail(bare, 1), bare.rsplit_once(SEPARATORS).map(|(class, _)| class)];
    for tail in tails.iter().flatten() {
        for exact in [true, false] {
            let rows = with_name(tail, exact);
            // `sleep` in another case than Windows' is not Windows'; another library's is none of the system's. Of no stated system
            // is the row of all.
            let fitting = match platform {
                // Another system may have any call: rather a library's own than one of a system that it is not.
                Some(Platform::Other) => {
                    let own = |row: &&&CallRow| row.platforms.is_empty() || row.platforms == [Platform::Other];
                    rows.iter().find(own).or(rows.first())
                }
                Some(platform) => rows.iter().find(|row| row.is_on(platform)),
                None => rows.iter().find(|row| row.platforms.is_empty()).or(rows.first()),
            };
            if let Some(row) = fitting.or_else(|| if exact && *tail == bare { rows.first() } else { None }) {
                return Some(row);
            }
        }
    }
    let method = MethodId::recognise(bare).or_else(|| MethodId::recognise(&bare.replace('_', "-")))?;
    let row = method.row();
    let call = row.call.split(['(', ' ', ',']).next()?;
    ROWS.iter().find(|known| known.names.contains(&call) && platform.is_none_or(|platform| known.is_on(platform)))
}

/// Browsers, by the names that people state in place of a system.
pub(crate) const BROWSERS: &str = "browser,electron,chrome,chromium,firefox,safari,edge,brave,opera,webkit,webview";

fn is_browser(word: &str) -> bool {
    BROWSERS.split(',').any(|browser| browser == word)
}

/// What stands between the parts of a name.
const SEPARATORS: [char; 5] = ['.', ':', '#', '/', ' '];

/// Returns the last parts of a name.
fn tail(name: &str, parts: usize) -> Option<&str> {
    let mut from = name.len();
    for _ in 0..parts {
        from = name[..from].rfind(SEPARATORS)?;
    }
    let from = name[from..].find(|c: char| !SEPARATORS.contains(&c)).map(|skip| from + skip)?;
    Some(&name[from..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found_as_people_write_them() {
        for (name, platform, runtime, wait) in [
            ("Sleep", Some(Windows), "", KernelWait::Sleep),
            ("Sleep(1)", None, "", KernelWait::Sleep),
            ("std::this_thread::sleep_for", Some(Linux), "C++", KernelWait::Sleep),
            ("tokio::time::sleep", Some(Linux), "tokio", KernelWait::Poll),
            ("time.Sleep", Some(Windows), "Go", KernelWait::Sleep),
            ("time.Sleep", Some(Linux), "Go", KernelWait::Poll),
            ("time.sleep", Some(Windows), "Python", KernelWait::Sleep),
            ("asyncio.sleep(0.01)", None, "Python's asyncio", KernelWait::Poll),
            ("settimeout", Some(MacOs), "Node.js", KernelWait::Poll),
            ("Task.Delay(250)", Some(MacOs), ".NET", KernelWait::Sleep),
            ("vTaskDelay", None, "FreeRTOS", KernelWait::Sleep),
            ("usleep", Some(OpenBsd), "", KernelWait::Sleep),
            ("select", Some(Windows), "", KernelWait::Sleep),
            ("select", Some(Linux), "", KernelWait::Poll),
            ("select", None, "", KernelWait::Poll),
            ("Julia sleep", Some(Linux), "Julia", KernelWait::Poll),
            ("Task.Delay", Some(Platform::Other), ".NET", KernelWait::Sleep),
            ("sleep (Julia)", None, "Julia", KernelWait::Poll),
            ("sleep(0.01) in Python", Some(Windows), "Python", KernelWait::Sleep),
            ("deno setTimeout", None, "Node.js", KernelWait::Poll),
            ("setTimeout in Firefox", Some(Linux), "the browser", KernelWait::Poll),
            ("AlarmManager.setExact", Some(Linux), "Android", KernelWait::Timer),
            ("usleep", Some(FreeRtos), "", KernelWait::Sleep),
            ("delay", Some(FreeRtos), "Arduino", KernelWait::Sleep),
            ("delay", Some(Platform::Other), "", KernelWait::Sleep),
            ("clock-nanosleep-abs", Some(Linux), "", KernelWait::Sleep),
        ] {
            let row = call(name, "", platform).unwrap_or_else(|| panic!("{name}"));
            assert_eq!((row.runtime, row.wait), (runtime, wait), "{name}");
        }
        assert!(call("frobnicate", "", None).is_none() && call("uasyncio.sleep_ms", "", Some(Windows)).is_none());
        // A system that never had the call: the row is found, and is not on that system.
        assert!(!call("Sleep", "", Some(FreeBsd)).unwrap().is_on(FreeBsd));
    }

    #[test]
    fn the_weights_of_every_row_add_up_to_one() {
        for row in ROWS {
            let sum: f64 = row.rules.iter().map(|(weight, _)| weight).sum();
            assert!((sum - 1.0).abs() < 1e-9 && !row.source.is_empty(), "{:?}", row.names);
        }
    }
}
