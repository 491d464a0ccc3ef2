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
    /// Cuts to whole units, at least so long.
    Down(Nanos, Nanos),
    /// Counts from a time that its event loop read before, in whole units.
    LoopTime(Nanos),
    /// Ends at ticks of its own, this many more than needed.
    Ticks(Nanos, u8),
    /// Waits this many of the kernel's ticks at least.
    KernelTicks(u8),
    /// May be late by a share (in thousandths) of the request.
    Leeway(u16, Nanos),
    /// Counts on a clock with coarse steps.
    CoarseClock(Nanos),
    /// Adds a constant, or takes it off if it is negative.
    Constant(Nanos),
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
        // What another system has is not known: any call of a standard, a language or a library.
        self.platforms.is_empty() || self.platforms.contains(&platform) || platform == Platform::Other
    }
}

const UNIX: &[Platform] = &[Linux, MacOs, Ios, FreeBsd, NetBsd, OpenBsd, DragonFly, Illumos];
const APPLE: &[Platform] = &[MacOs, Ios];
const MS: Nanos = Nanos::MILLISECOND;
const DIRECT: &[(f64, &[CallRule])] = &[(1.0, &[])];
const MS_UP: &[(f64, &[CallRule])] = &[(1.0, &[CallRule::Up(MS)])];
const MS_DOWN: &[(f64, &[CallRule])] = &[(1.0, &[CallRule::Down(MS, Nanos::ZERO)])];
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
    ["nanosleep" "usleep" "clock_nanosleep" "cyclictest" "pthread_cond_timedwait" "sem_timedwait" "thrd_sleep" "timerlat"] "" on UNIX, Sleep DIRECT;
        instead "" source "pubs.opengroup.org";
    ["sleep"] "" on UNIX, Sleep &[(0.7, &[]), (0.3, &[CallRule::Down(Nanos::SECOND, Nanos::ZERO)])]; instead "nanosleep"
        source "pubs.opengroup.org: whole seconds; the shell's command takes parts";
    ["SO_RCVTIMEO" "SO_SNDTIMEO" "recv" "rcvtimeo"] "" on &[Linux], Wheel DIRECT; instead "poll with a timeout, then recv"
        source "net/core/sock.c, sock_set_timeout: whole ticks; kernel/time/timer.c";
    ["sigtimedwait" "mq_timedreceive" "aio_suspend" "semtimedop" "io_uring_enter"] "" on UNIX, Sleep DIRECT; instead ""
        source "pubs.opengroup.org; kernel/signal.c, ipc/mqueue.c, io_uring/timeout.c";
    ["epoll_pwait2"] "" on &[Linux], Poll DIRECT; instead "" source "fs/eventpoll.c";
    ["select" "pselect" "ppoll"] "" on UNIX, Poll DIRECT; instead "clock_nanosleep" source "fs/select.c";
    ["poll" "epoll_wait"] "" on UNIX, Poll MS_UP; instead "ppoll or epoll_pwait2, whose timeouts have nanoseconds" source "poll(2)";
    ["nanosleep" "usleep" "sleep" "select" "poll" "clock_nanosleep" "pthread_cond_timedwait" "sem_timedwait"] "" on &[Windows], Sleep DIRECT;
        instead "" source "Winsock; MinGW's and Cygwin's libraries, which wait by Windows' own calls";
    ["futex" "FUTEX_WAIT"] "" on &[Linux], Sleep DIRECT; instead "" source "futex(2)";
    ["timerfd" "timer_create" "timerfd_settime" "setitimer" "SIGALRM"] "" on UNIX, Timer DIRECT; instead "" source "timerfd_create(2)";
    ["kevent" "kqueue"] "" on &[MacOs, Ios, FreeBsd, NetBsd, OpenBsd, DragonFly], Timer DIRECT; instead "" source "kqueue(2)";
    ["NOTE_CRITICAL"] "" on APPLE, Precise DIRECT; instead "" source "kqueue(2) of XNU";
    ["mach_wait_until" "clock_sleep" "semaphore_timedwait"] "" on APPLE, Sleep DIRECT; instead "a kqueue timer with NOTE_CRITICAL"
        source "osfmk/kern/timer_call.c";
    ["Sleep" "SleepEx" "WaitForSingleObject" "WaitForMultipleObjects" "MsgWaitForMultipleObjects" "SleepConditionVariableCS" "NtDelayExecution"
        "CreateWaitableTimer" "SetWaitableTimer" "SetTimer" "WM_TIMER" "timeSetEvent" "CreateTimerQueueTimer" "GetQueuedCompletionStatus"]
        "" on &[Windows], Sleep DIRECT; instead "a waitable timer with CREATE_WAITABLE_TIMER_HIGH_RESOLUTION" source "learn.microsoft.com, Sleep";
    ["CREATE_WAITABLE_TIMER_HIGH_RESOLUTION" "CreateWaitableTimerEx" "waitable-timer-high-resolution"] "" on &[Windows], Precise DIRECT;
        instead "" source "learn.microsoft.com, CreateWaitableTimerExW";
    ["dispatch_after" "dispatch_source" "dispatch_source_set_timer" "asyncAfter" "DispatchQueue" "DispatchSourceTimer"] "Dispatch" on &[],
        Timer &[(0.6, &[CallRule::Leeway(100, Nanos::from_secs(60))]), (0.4, &[])];
        instead "a timer source with DISPATCH_TIMER_STRICT and a leeway of 0" source "libdispatch, src/source.c, dispatch_after: leeway of a tenth";
    ["Task.sleep"] "Swift" on &[Windows], Sleep &[(0.5, &[CallRule::KernelTicks(2)]), (0.5, &[])];
        instead "Thread.sleep" source "libdispatch on Windows waits at the default tick, in several passes";
    ["Task.sleep"] "Swift" on &[], Timer &[(0.6, &[CallRule::Leeway(100, Nanos::from_secs(60))]), (0.4, &[])];
        instead "Task.sleep(until:tolerance: .zero)" source "libdispatch: a leeway of a tenth where no tolerance is given";
    ["Thread.sleep" "NSThread.sleep"] "Foundation" on APPLE, Sleep DIRECT; instead "" source "developer.apple.com, Thread";
    ["NSTimer" "scheduledTimer" "CFRunLoopTimer"] "Foundation" on APPLE, Timer DIRECT; instead "a dispatch timer with DISPATCH_TIMER_STRICT"
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

    ["setTimeout" "setInterval" "timers/promises setTimeout" "uv_timer_start"] "Node.js" on &[], Poll LIBUV;
        instead "Atomics.wait in a worker thread" source "lib/internal/timers.js; libuv, src/timer.c: whole milliseconds, cut, from the loop's cached time";
    ["Atomics.wait"] "Node.js" on &[], Sleep DIRECT; instead "" source "tc39.es/ecma262";
    ["requestAnimationFrame"] "browser" on &[], Timer DIRECT; instead "" source "html.spec.whatwg.org";
    ["QTimer" "QThread.msleep" "QTest.qWait" "qSleep"] "Qt" on &[], Poll &[(0.5, &[CallRule::Up(MS)]), (0.5, &[CallRule::Leeway(50, Nanos::from_secs(20))])];
        instead "a QTimer with Qt::PreciseTimer" source "doc.qt.io, QTimer: coarse timers stay within 5 %";
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
        instead "LockSupport.parkNanos in a loop until the deadline" source "os_windows.cpp; published: 1000 ms ends at 999";
    ["Thread.sleep" "TimeUnit.sleep" "Object.wait"] "Java" on &[], Sleep &[(0.5, &[CallRule::Up(MS)]), (0.5, &[])];
        instead "LockSupport.parkNanos in a loop until the deadline" source "Thread.java, sleep(long, int): up to milliseconds before 21";
    ["LockSupport.parkNanos" "parkNanos" "ScheduledExecutorService" "ScheduledThreadPoolExecutor" "schedule" "scheduleAtFixedRate"] "Java" on &[], Sleep DIRECT;
        instead "a loop until System.nanoTime says that the time is over" source "os_posix.cpp, Parker::park";
    ["kotlinx.coroutines.delay" "delay"] "Kotlin" on UNIX, Sleep MS_UP; instead "" source "DefaultExecutor.kt: milliseconds";

    ["thread::sleep" "std::thread::sleep" "thread::sleep_ms" "std::thread::sleep_ms" "park_timeout" "recv_timeout" "Condvar::wait_timeout"] "Rust" on &[], Sleep DIRECT;
        instead "oversleep's Sleeper" source "library/std/src/sys; high-resolution timers on Windows since 1.75";
    ["tokio::time::sleep" "tokio::time::sleep_until" "tokio::time::interval" "tokio::time::timeout" "tokio"] "tokio" on &[],
        Poll &[(0.5, &[CallRule::Ticks(MS, 0)]), (0.5, &[CallRule::Ticks(MS, 1)])];
        instead "a thread with oversleep's Sleeper, or async_io::Timer" source "tokio, runtime/time: a wheel of milliseconds, deadlines rounded up";
    ["async_io::Timer" "smol::Timer" "Timer::after"] "async-io" on &[], Timer DIRECT; instead "" source "polling: timerfd";
    ["mioco::sleep_ms" "mioco::sleep" "mio::Timer" "mio_extras::timer" "mioco"] "mio's timer wheel" on &[],
        Own &[(0.4, &[CallRule::Ticks(Nanos::from_millis(100), 1)]), (0.4, &[CallRule::Ticks(Nanos::from_millis(100), 0)]),
            (0.2, &[CallRule::Down(Nanos::from_millis(100), Nanos::ZERO)])];
        instead "std::thread::sleep, or a wheel with a shorter tick" source "mio 0.5, src/timer.rs: ticks of 100 ms, one late (mio#383)";

    ["SDL_Delay"] "SDL" on &[Windows], Sleep DIRECT; instead "SDL_DelayPrecise" source "SDL_systimer.c";
    ["SDL_DelayNS" "SDL_DelayPrecise"] "SDL" on &[Windows], Precise DIRECT; instead "SDL_DelayPrecise" source "SDL_systimer.c of SDL 3";
    ["SDL_Delay" "SDL_DelayNS" "SDL_DelayPrecise"] "SDL" on &[], Sleep DIRECT; instead "SDL_DelayPrecise" source "SDL_systimer.c";
    ["sleep_for" "this_thread::sleep_for" "sleep_until" "this_thread::sleep_until" "wait_for" "wait_until" "boost::asio" "asio::steady_timer" "steady_timer"]
        "C++" on &[], Sleep DIRECT; instead "oversleep's C library" source "libstdc++-v3/src/c++11/thread.cc";
    ["Future.delayed" "Timer.periodic"] "Dart" on &[], Poll MS_UP; instead "" source "sdk/lib/_internal/vm/lib/timer_impl.dart: milliseconds";
    ["Task#sleep_ms" "sleep_ms"] "mruby's task scheduler" on UNIX, Own &[(1.0, &[CallRule::Ticks(Nanos::from_millis(4), 0)])];
        instead "whole multiples of MRB_TICK_UNIT" source "mruby-task: a tick of 4 ms by SIGALRM";
    ["Kernel#sleep" "ConditionVariable#wait" "Timeout.timeout"] "Ruby" on &[], Sleep DIRECT; instead "" source "thread_pthread.c";
    ["Time::HiRes::sleep" "Time::HiRes::usleep"] "Perl" on &[Windows], Sleep MS_DOWN; instead "" source "HiRes.xs, usleep: Sleep of whole milliseconds";
    ["Time::HiRes::sleep" "Time::HiRes::usleep"] "Perl" on &[], Sleep DIRECT; instead "" source "HiRes.xs";
    ["julia sleep" "Base.sleep" "Julia.sleep" "Timer (Julia)"] "Julia" on &[], Poll
        &[(0.7, &[CallRule::Up(MS), CallRule::LoopTime(MS), CallRule::Constant(MS)]), (0.3, &[CallRule::Up(MS), CallRule::LoopTime(MS)])];
        instead "Libc.systemsleep" source "base/asyncevent.jl, Timer: ceil of milliseconds, and one more for the loop's time";
    ["AlarmManager" "setExactAndAllowWhileIdle" "setAndAllowWhileIdle" "WorkManager" "JobScheduler"] "Android" on &[Linux], Timer
        &[(0.5, &[]), (0.3, &[CallRule::Leeway(750, Nanos::from_secs(3600))]), (0.2, &[CallRule::Ticks(Nanos::from_secs(540), 0)])];
        instead "setExactAndAllowWhileIdle with USE_EXACT_ALARM, or a foreground service" source "developer.android.com: inexact alarms may be late by three quarters of the interval, in Doze one each 9 minutes";
    [":timer.sleep" "timer:sleep" "Process.sleep" "erlang:send_after" "send_after" "receive after" "Process.send_after"] "Erlang" on &[],
        Poll &[(0.5, &[CallRule::Ticks(MS, 0)]), (0.5, &[CallRule::Ticks(MS, 1)])]; instead "" source "erl_hl_timer.c: milliseconds, rounded up";
    ["emscripten_set_main_loop" "setTimeout (browser)"] "browser" on &[], Own &[(1.0, &[CallRule::Down(MS, Nanos::from_millis(4))])];
        instead "requestAnimationFrame" source "html.spec.whatwg.org: at least 4 ms from the fifth nested timer on";
    ["epicsThreadSleep"] "EPICS" on &[], Sleep &[(0.5, &[CallRule::Constant(Nanos::from_millis(-5))]), (0.5, &[])]; instead "clock_nanosleep"
        source "osdThread.c: half a quantum is taken off; published: 4.86 ms early at every length";
    ["srt_epoll_wait" "srt_recvmsg" "CTimer::sleepto"] "SRT" on &[], Own &[(1.0, &[CallRule::Ticks(Nanos::from_millis(10), 0)])]; instead ""
        source "srtcore: waits of 10 ms";
    ["mgos_set_timer" "mgos_msleep"] "mongoose-os" on &[], Own &[(1.0, &[CallRule::Down(MS, Nanos::SECOND)])]; instead "a hardware timer (mgos_set_hw_timer)"
        source "published: no timer fires before 1 s";

    ["vTaskDelay" "vTaskDelayUntil" "xTaskDelayUntil" "osDelay" "pdMS_TO_TICKS" "xQueueReceive" "xSemaphoreTake" "ulTaskNotifyTake"] "FreeRTOS" on &[FreeRtos],
        Sleep DIRECT; instead "a hardware timer (ESP-IDF: esp_timer), or one tick more" source "FreeRTOS tasks.c, vTaskDelay; projdefs.h: pdMS_TO_TICKS rounds down";
    ["esp_timer_start_once" "ets_delay_us" "esp_timer" "esp_rom_delay_us" "delayMicroseconds"] "ESP-IDF" on &[FreeRtos], Precise DIRECT; instead ""
        source "docs.espressif.com, ESP Timer";
    ["k_sleep" "k_msleep" "k_usleep" "k_sem_take" "k_msgq_get" "k_poll" "k_timer_start"] "Zephyr" on &[Zephyr], Sleep DIRECT;
        instead "a hardware counter (counter_set_channel_alarm) or k_busy_wait for short times" source "kernel/timeout.c, z_add_timeout";
    ["k_busy_wait"] "Zephyr" on &[Zephyr], Precise DIRECT; instead "" source "kernel/busy_wait.c";
    ["delay"] "Arduino" on &[FreeRtos], Sleep DIRECT; instead "delayMicroseconds for short times" source "esp32-hal-misc.c: vTaskDelay";
    ["usleep_range" "msleep" "udelay" "schedule_timeout" "hrtimer"] "the Linux kernel" on &[Linux],
        Own &[(1.0, &[])]; instead "usleep_range" source "Documentation/timers/delay_sleep_functions.rst";
};

/// Returns what is known of a call, by its name as people write it: with or without its namespaces, arguments, and in
/// either case; of the rows with this name, the one for this system. Methods of the catalogue are known by their names too.
pub fn call(name: &str, platform: Option<Platform>) -> Option<&'static CallRow> {
    let bare = name.split('(').next().unwrap_or(name).trim().trim_end_matches([';', '!']);
    let with_name = |sought: &str, exact: bool| -> Vec<&'static CallRow> {
        let same = |known: &&str| if exact { **known == *sought } else { known.eq_ignore_ascii_case(sought) };
        ROWS.iter().filter(|row| row.names.iter().any(same)).collect()
    };
    // The whole name, then without what stands before its last and second but last separator; then the same in any case.
    let tails = [Some(bare), tail(bare, 2), tail(bare, 1)];
    for exact in [true, false] {
        for tail in tails.iter().flatten() {
            let rows = with_name(tail, exact);
            // `sleep` in another case than Windows' is not Windows'.
            let fitting = rows.iter().find(|row| platform.is_none_or(|platform| row.is_on(platform)));
            if let Some(row) = fitting.or_else(|| if exact { rows.first() } else { None }) {
                return Some(row);
            }
        }
    }
    let method = MethodId::recognise(bare).or_else(|| MethodId::recognise(&bare.replace('_', "-")))?;
    let row = method.row();
    let call = row.call.split(['(', ' ', ',']).next()?;
    ROWS.iter().find(|known| known.names.contains(&call) && platform.is_none_or(|platform| known.is_on(platform)))
}

/// Returns the last parts of a name, separated by `::`, `.` or `#`.
fn tail(name: &str, parts: usize) -> Option<&str> {
    let mut from = name.len();
    for _ in 0..parts {
        from = name[..from].rfind(['.', ':', '#', '/'])?;
    }
    let from = name[from..].find(|c: char| !matches!(c, '.' | ':' | '#' | '/')).map(|skip| from + skip)?;
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
            ("asyncio.sleep(0.01)", None, "Python's asyncio", KernelWait::Sleep),
            ("settimeout", Some(MacOs), "Node.js", KernelWait::Poll),
            ("Task.Delay(250)", Some(MacOs), ".NET", KernelWait::Sleep),
            ("vTaskDelay", None, "FreeRTOS", KernelWait::Sleep),
            ("usleep", Some(OpenBsd), "", KernelWait::Sleep),
            ("select", Some(Windows), "", KernelWait::Sleep),
            ("select", Some(Linux), "", KernelWait::Poll),
            ("select", None, "", KernelWait::Poll),
            ("clock-nanosleep-abs", Some(Linux), "", KernelWait::Sleep),
        ] {
            let row = call(name, platform).unwrap_or_else(|| panic!("{name}"));
            assert_eq!((row.runtime, row.wait), (runtime, wait), "{name}");
        }
        assert!(call("frobnicate", None).is_none());
        // A system that never had the call: the row is found, and is not on that system.
        assert!(!call("Sleep", Some(FreeBsd)).unwrap().is_on(FreeBsd));
    }

    #[test]
    fn the_weights_of_every_row_add_up_to_one() {
        for row in ROWS {
            let sum: f64 = row.rules.iter().map(|(weight, _)| weight).sum();
            assert!((sum - 1.0).abs() < 1e-9 && !row.source.is_empty(), "{:?}", row.names);
        }
    }
}
