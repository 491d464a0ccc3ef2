//! The rows of the catalogue of runtimes. To add an API: a script next to those of its runtime and a row here; to add a
//! runtime: a row of [`RUNTIMES`] and the common part of its scripts.

use super::{Api, ProbePackaging, Runtime, SourceBehaviour};
use crate::catalog::{ArgumentUnit, Early, MethodId};

/// Every runtime.
pub const RUNTIMES: &[Runtime] = &[
    Runtime {
        name: "python",
        title: "Python",
        program: "python3",
        packaging: ProbePackaging::ApiFirst("py"),
        common: include_str!("scripts/python/probe.py"),
        get: "Debian: apt install python3; elsewhere python.org",
    },
    Runtime {
        name: "node",
        title: "Node.js",
        program: "node",
        packaging: ProbePackaging::ApiFirst("js"),
        common: include_str!("scripts/node/probe.js"),
        get: "Debian: apt install nodejs; elsewhere nodejs.org",
    },
    Runtime {
        name: "go",
        title: "Go",
        program: "go",
        packaging: ProbePackaging::Built("go"),
        common: include_str!("scripts/go/probe.go"),
        get: "Debian: apt install golang; elsewhere go.dev",
    },
    Runtime {
        name: "java",
        title: "Java",
        program: "java",
        packaging: ProbePackaging::Classes,
        common: include_str!("scripts/java/Probe.java"),
        get: "Debian: apt install default-jdk-headless; elsewhere adoptium.net",
    },
    Runtime {
        name: "perl",
        title: "Perl",
        program: "perl",
        packaging: ProbePackaging::ApiFirst("pl"),
        common: include_str!("scripts/perl/probe.pl"),
        get: "Debian: apt install perl; elsewhere perl.org",
    },
    Runtime {
        name: "ruby",
        title: "Ruby",
        program: "ruby",
        packaging: ProbePackaging::ApiFirst("rb"),
        common: include_str!("scripts/ruby/probe.rb"),
        get: "Debian: apt install ruby; elsewhere ruby-lang.org",
    },
    Runtime {
        name: "shell",
        title: "Bash",
        program: "bash",
        packaging: ProbePackaging::ApiFirst("sh"),
        common: include_str!("scripts/shell/probe.sh"),
        get: "Debian: apt install bash (5.0 or later)",
    },
    Runtime {
        name: "rust",
        title: "Rust",
        program: "oversleep-probe-rust",
        packaging: ProbePackaging::Program,
        common: "",
        get: "in a copy of oversleep's repository: cargo install --path probes/rust",
    },
];

/// Declares APIs: name, call, unit, whether it may wake early, native primitive; promise; source; what to call instead;
/// script.
macro_rules! apis {
    ($($name:literal $call:literal $unit:ident early $early:ident on $native:ident $(since $since:literal)?;
        $promise:literal $source:literal $(does $does:literal in $code:literal)? instead $instead:literal $(script $script:literal)?)*) => {
        &[$(Api {
            name: $name,
            call: $call,
            unit: ArgumentUnit::$unit,
            early: Early::$early,
            native: MethodId::$native,
            promise: $promise,
            source: $source,
            does: [$(Some(SourceBehaviour { what: $does, source: $code }),)? None][0],
            instead: $instead,
            since: [$(Some($since),)? None][0],
            script: concat!($(include_str!(concat!("scripts/", $script)))?),
        }),*]
    };
}

/// Every API.
pub const APIS: &[Api] = apis! {
    "python-time-sleep" "time.sleep" Nanosecond early Never on ClockNanosleepAbs;
        "Suspends for at least the given seconds; on Unix by clock_nanosleep with an absolute time since 3.11."
        "https://docs.python.org/3/library/time.html#time.sleep"
        instead "oversleep.sleep (this project's Python package)" script "python/time-sleep.py"
    "python-event-wait" "threading.Event.wait" Nanosecond early Never on SemClockwait;
        "Blocks until the event is set or the timeout, in seconds or fractions thereof, is over."
        "https://docs.python.org/3/library/threading.html#threading.Event.wait"
        instead "oversleep.sleep, or oversleep.Ticker for a schedule" script "python/event-wait.py"
    "python-condition-wait" "threading.Condition.wait" Nanosecond early Never on SemClockwait;
        "Waits until notified or until the timeout is over."
        "https://docs.python.org/3/library/threading.html#threading.Condition.wait"
        instead "oversleep.sleep, or oversleep.Ticker for a schedule" script "python/condition-wait.py"
    "python-queue-get" "queue.Queue.get(timeout=…)" Nanosecond early Never on SemClockwait;
        "Blocks at most the timeout and then raises Empty."
        "https://docs.python.org/3/library/queue.html#queue.Queue.get"
        instead "oversleep.sleep, or oversleep.Ticker for a schedule" script "python/queue-get.py"
    "python-asyncio-sleep" "asyncio.sleep" Nanosecond early Possible on EpollPwait2;
        "Blocks for the given seconds and lets other tasks run; how finely is not promised."
        "https://docs.python.org/3/library/asyncio-task.html#asyncio.sleep"
        does "Rounds the rest of the time up to whole milliseconds for epoll_wait."
        in "Lib/selectors.py, line 459, Python 3.11.7; from Lib/asyncio/base_events.py, line 1882"
        instead "oversleep.sleep in a thread (asyncio.to_thread)" script "python/asyncio-sleep.py"
    "python-asyncio-call-at" "loop.call_at" Nanosecond early Possible on EpollPwait2;
        "Calls back at the given time of the loop's clock; how finely is not promised."
        "https://docs.python.org/3/library/asyncio-eventloop.html#asyncio.loop.call_at"
        does "Rounds the rest of the time up to whole milliseconds for epoll_wait."
        in "Lib/selectors.py, line 459, Python 3.11.7; from Lib/asyncio/base_events.py, line 1882"
        instead "oversleep.Ticker in a thread of its own" script "python/asyncio-call-at.py"
    "python-select" "select.select" Nanosecond early Never on Select;
        "The timeout is a floating-point number of seconds; the wait is not shorter."
        "https://docs.python.org/3/library/select.html#select.select"
        instead "oversleep.sleep" script "python/select.py"
    "python-setitimer" "signal.setitimer, then sigwait" Microsecond early Never on Setitimer;
        "Sends the signal after the given seconds, by the system's setitimer."
        "https://docs.python.org/3/library/signal.html#signal.setitimer"
        instead "oversleep.sleep" script "python/setitimer.py"

    "node-set-timeout" "setTimeout" Millisecond early Possible on EpollPwait2;
        "Whole milliseconds, at least 1; neither the exact time nor the order is guaranteed, only that it is as close as possible to the time given."
        "https://nodejs.org/api/timers.html#settimeoutcallback-delay-args"
        does "Cuts the request to whole milliseconds, at least 1, and counts them from the loop's clock, which is read once a round and has whole milliseconds."
        in "lib/internal/timers.js, lines 172, 366 and 368, Node.js 20.20.2; deps/uv/src/timer.c (uv_timer_start, uv__next_timeout), libuv 1.46"
        instead "Atomics.wait in a worker thread" script "node/set-timeout.js"
    "node-set-interval" "setInterval" Millisecond early Possible on EpollPwait2;
        "Repeats after a whole number of milliseconds, at least 1; nothing is promised of the schedule."
        "https://nodejs.org/api/timers.html#setintervalcallback-delay-args"
        does "As setTimeout; each tick is set again from the loop's clock when the one before was called."
        in "lib/internal/timers.js, lines 368 and 575, Node.js 20.20.2; deps/uv/src/timer.c (uv_timer_start), libuv 1.46"
        instead "Atomics.wait until the next deadline in a worker thread" script "node/set-interval.js"
    "node-timers-promises" "timers/promises setTimeout" Millisecond early Possible on EpollPwait2;
        "As setTimeout, for await."
        "https://nodejs.org/api/timers.html#timerspromisessettimeoutdelay-value-options"
        does "Cuts the request to whole milliseconds, at least 1, and counts them from the loop's clock, which is read once a round and has whole milliseconds."
        in "lib/internal/timers.js, lines 172, 366 and 368, Node.js 20.20.2; deps/uv/src/timer.c (uv_timer_start, uv__next_timeout), libuv 1.46"
        instead "Atomics.wait in a worker thread" script "node/timers-promises.js"
    "node-atomics-wait" "Atomics.wait" Millisecond early Never on CondClockwait;
        "Suspends the thread until notified or the timeout, milliseconds with fractions, is over."
        "https://tc39.es/ecma262/#sec-atomics.wait"
        instead "this is the best Node.js has: it blocks its thread" script "node/atomics-wait.js"

    "go-time-sleep" "time.Sleep" Nanosecond early Never on EpollPwait2;
        "Pauses the goroutine for at least the duration."
        "https://pkg.go.dev/time#Sleep"
        does "Gives epoll_wait whole milliseconds: 1 for less than 1, and otherwise as many as fit, so that what is left takes another wait of at least 1."
        in "src/runtime/netpoll_epoll.go, lines 104 to 111, Go 1.26.8; from src/runtime/proc.go, line 3754"
        instead "unix.Nanosleep on a locked thread (runtime.LockOSThread)" script "go/time-sleep.go"
    "go-new-timer" "time.NewTimer" Nanosecond early Never on EpollPwait2;
        "Sends the time on its channel after at least the duration."
        "https://pkg.go.dev/time#NewTimer"
        does "Gives epoll_wait whole milliseconds: 1 for less than 1, and otherwise as many as fit, so that what is left takes another wait of at least 1."
        in "src/runtime/netpoll_epoll.go, lines 104 to 111, Go 1.26.8; from src/runtime/proc.go, line 3754"
        instead "unix.Nanosleep on a locked thread (runtime.LockOSThread)" script "go/new-timer.go"
    "go-select-after" "select with time.After" Nanosecond early Never on EpollPwait2;
        "Waits for the duration to elapse and then sends the time; as NewTimer."
        "https://pkg.go.dev/time#After"
        does "Gives epoll_wait whole milliseconds: 1 for less than 1, and otherwise as many as fit, so that what is left takes another wait of at least 1."
        in "src/runtime/netpoll_epoll.go, lines 104 to 111, Go 1.26.8; from src/runtime/proc.go, line 3754"
        instead "unix.Nanosleep on a locked thread (runtime.LockOSThread)" script "go/select-after.go"
    "go-ticker" "time.Ticker" Nanosecond early Possible on EpollPwait2;
        "Delivers ticks at intervals; adjusts the interval or drops ticks for slow receivers."
        "https://pkg.go.dev/time#Ticker"
        does "As time.Sleep; the next tick is due a period after the last was, so a late tick shortens the next one."
        in "src/runtime/netpoll_epoll.go, lines 104 to 111, and src/runtime/time.go, line 1153, Go 1.26.8"
        instead "unix.ClockNanosleep with TIMER_ABSTIME on a locked thread" script "go/ticker.go"

    "java-thread-sleep" "Thread.sleep(ms, ns)" Nanosecond early Never on CondClockwait;
        "Sleeps the given milliseconds plus nanoseconds, subject to the precision and accuracy of system timers and schedulers."
        "https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/lang/Thread.html#sleep(long,int)"
        does "Adds a millisecond to a request with nanoseconds beside the milliseconds, and drops these (Java 21 and later do not)."
        in "src/java.base/share/classes/java/lang/Thread.java, sleep(long, int), JDK 17 (openjdk/jdk17u-dev 7196726d97)"
        instead "LockSupport.parkNanos in a loop until the deadline" script "java/thread-sleep.java"
    "java-park-nanos" "LockSupport.parkNanos" Nanosecond early Possible on CondClockwait;
        "Disables the thread for up to the given nanoseconds; it may return for no reason."
        "https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/util/concurrent/locks/LockSupport.html"
        instead "this is the best Java has: call it in a loop until the deadline" script "java/park-nanos.java"
    "java-object-wait" "Object.wait(ms, ns)" Nanosecond early Possible on CondClockwait;
        "Waits about the given milliseconds plus nanoseconds; it may return for no reason."
        "https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/lang/Object.html#wait(long,int)"
        does "Adds a millisecond to a request with nanoseconds beside the milliseconds, and drops these."
        in "java.base/java/lang/Object.java, wait(long, int), JDK 17 and 25"
        instead "LockSupport.parkNanos in a loop until the deadline" script "java/object-wait.java"
    "java-scheduled-executor" "ScheduledExecutorService.schedule" Nanosecond early Never on CondClockwait;
        "Enabled after the given delay; tasks start no sooner, without any guarantee of when they do."
        "https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/util/concurrent/ScheduledThreadPoolExecutor.html"
        instead "LockSupport.parkNanos in a loop until the deadline" script "java/scheduled-executor.java"
    "java-virtual-thread" "Thread.sleep in a virtual thread" Nanosecond early Never on CondClockwait since "21";
        "As Thread.sleep; the virtual thread is unmounted meanwhile."
        "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/Thread.html#sleep(long,int)"
        instead "LockSupport.parkNanos in a platform thread" script "java/virtual-thread.java"

    "perl-select" "select undef, undef, undef, seconds" Microsecond early Never on Select;
        "Sleeps the given seconds, which may have fractions, by the system's select."
        "https://perldoc.perl.org/functions/select"
        instead "this is as good as Perl gets" script "perl/select.pl"
    "perl-usleep" "Time::HiRes::usleep" Microsecond early Never on ClockNanosleep;
        "Sleeps the given microseconds; returns how many were slept."
        "https://perldoc.perl.org/Time::HiRes"
        instead "this is as good as Perl gets" script "perl/usleep.pl"

    "ruby-sleep" "Kernel#sleep" Nanosecond early Never on Ppoll;
        "Suspends the thread for the given seconds, which may have fractions."
        "https://docs.ruby-lang.org/en/3.4/Kernel.html#method-i-sleep"
        instead "this is as good as Ruby gets" script "ruby/sleep.rb"
    "ruby-queue-pop" "Queue#pop(timeout: …)" Nanosecond early Never on Ppoll since "3.2";
        "Returns nil if the timeout, in seconds or fractions thereof, is over and nothing has come."
        "https://docs.ruby-lang.org/en/3.4/Thread/Queue.html#method-i-pop"
        instead "sleep in a loop until the deadline" script "ruby/queue-pop.rb"
    "ruby-condition-wait" "ConditionVariable#wait(mutex, timeout)" Nanosecond early Possible on Ppoll;
        "Returns once it is signalled or after the timeout in seconds; it may return for no reason."
        "https://docs.ruby-lang.org/en/3.4/Thread/ConditionVariable.html#method-i-wait"
        instead "sleep in a loop until the deadline" script "ruby/condition-wait.rb"

    "shell-sleep" "sleep" Nanosecond early Never on ClockNanosleep;
        "Pauses for at least the given seconds (coreutils takes fractions); a process is started for each."
        "https://www.gnu.org/software/coreutils/manual/html_node/sleep-invocation.html"
        does "Starts a process, which rounds the seconds up to nanoseconds and sleeps them."
        in "lib/xnanosleep.c and lib/dtotimespec.c, gnulib of coreutils 9.1"
        instead "read -t on a silent pipe, or oversleep every for a schedule" script "shell/sleep.sh"
    "shell-read" "read -t" Microsecond early Never on Pselect;
        "Fails if nothing was read within the given seconds, which may have fractions."
        "https://www.gnu.org/software/bash/manual/html_node/Bash-Builtins.html"
        instead "oversleep every for a schedule" script "shell/read.sh"

    "rust-tokio-sleep" "tokio::time::sleep" Nanosecond early Never on EpollPwait2;
        "Waits until the duration has elapsed; it has a granularity of milliseconds and is not for tasks that need more."
        "https://docs.rs/tokio/latest/tokio/time/fn.sleep.html"
        does "Rounds the deadline up to the end of a millisecond since its start, and the wait for it up to whole milliseconds for epoll_wait."
        in "src/runtime/time/source.rs, lines 17 to 19, tokio 1.54.1; src/sys/unix/selector/epoll.rs, lines 46 to 56, mio 1.2.5"
        instead "oversleep::sleep in tokio::task::spawn_blocking"
    "rust-async-io-timer" "async_io::Timer::after" Nanosecond early Never on Timerfd;
        "Emits an event once after the given duration."
        "https://docs.rs/async-io/latest/async_io/struct.Timer.html#method.after"
        instead "oversleep::sleep in blocking::unblock"
    "rust-smol-timer" "smol::Timer::after" Nanosecond early Never on Timerfd;
        "Emits an event once after the given duration; it is async-io's."
        "https://docs.rs/smol/latest/smol/struct.Timer.html#method.after"
        instead "oversleep::sleep in smol::unblock"
    "rust-crossbeam-recv-timeout" "crossbeam_channel::Receiver::recv_timeout" Nanosecond early Never on FutexWait;
        "Waits for a message until the timeout has elapsed."
        "https://docs.rs/crossbeam-channel/latest/crossbeam_channel/struct.Receiver.html#method.recv_timeout"
        instead "oversleep::sleep, or oversleep::Ticker for a schedule"
    "rust-thread-sleep" "std::thread::sleep" Nanosecond early Never on ClockNanosleep;
        "Sleeps for at least the duration."
        "https://doc.rust-lang.org/std/thread/fn.sleep.html"
        instead "oversleep::sleep"
    "rust-park-timeout" "std::thread::park_timeout" Nanosecond early Possible on FutexWait;
        "Blocks roughly no longer than the duration; it may return for no reason."
        "https://doc.rust-lang.org/std/thread/fn.park_timeout.html"
        instead "oversleep::sleep"
    "rust-condvar-wait-timeout" "std::sync::Condvar::wait_timeout" Nanosecond early Possible on FutexWait;
        "Waits roughly no longer than the duration; it may return for no reason."
        "https://doc.rust-lang.org/std/sync/struct.Condvar.html#method.wait_timeout"
        instead "oversleep::sleep"
};
