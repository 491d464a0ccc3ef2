//! Joins kernel events into the timed waits of threads.

use oversleep_recording::trace::{Event, EventKind};
use oversleep_sys::units::Nanos;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// A wait with a time limit, made by one system call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// Thread that waited.
    pub tid: i32,
    /// Name of the call.
    pub call: Cow<'static, str>,
    /// Arguments of the call, as numbers.
    pub arguments: [i64; 6],
    /// When the call was entered.
    pub start: Nanos,
    /// When it returned.
    pub end: Nanos,
    /// The event that armed the timer: in the call itself, or before it for timers that are waited for in another call.
    pub armed: Event,
    /// The earliest time at which the timer may fire: the deadline.
    pub deadline: Nanos,
    /// When the thread left the processor to wait, if it did.
    pub left: Option<Event>,
    /// When the thread was stopped by a signal during the wait.
    pub stopped: Vec<Event>,
    /// The requested duration, where the program's own request is known.
    pub asked: Option<Nanos>,
    /// What ended the wait.
    pub ended: Ended,
    /// Processor on which the call was entered.
    pub cpu_start: u16,
    /// Processor on which it returned.
    pub cpu_end: u16,
}

/// What ended a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Its time was over.
    Time,
    /// Something it waited for happened before its time was over.
    Event,
    /// A signal.
    Signal,
}

/// Joins events into waits. Events must come in order of time; those of system calls decide whose waits are joined.
#[derive(Debug, Default)]
pub struct Joiner {
    threads: HashMap<i32, Thread>,
    /// Timers that outlive the call that armed them (timerfd, POSIX timers, `setitimer`, `io_uring`).
    objects: HashMap<i64, Timer>,
    /// Thread in whose present call a timer was armed.
    owners: HashMap<i64, i32>,
    /// Timer whose function runs on each processor, and the thread that it interrupted.
    expiring: HashMap<u16, (i64, i32)>,
    ignored: HashSet<i32>,
    /// Threads that were there before the recording, until their first event. A thread that is started returns from a call
    /// that it did not enter.
    running: HashSet<i32>,
    untimed: u64,
    under_way: u64,
}

#[derive(Debug, Default)]
struct Thread {
    call: Option<Call>,
    /// A call that ended with the order to start it again after a signal.
    restart: Option<(Call, i64, Nanos, u16)>,
}

#[derive(Debug, Clone)]
struct Call {
    name: Cow<'static, str>,
    arguments: [i64; 6],
    entered: Nanos,
    cpu: u16,
    timers: Vec<Timer>,
    /// Timers armed before, and armed again in this call: reading a periodic timerfd arms it for the next period.
    replaced: Vec<Timer>,
    left: Option<Event>,
    stopped: Vec<Event>,
    woken: Option<Waker>,
}

#[derive(Debug, Clone)]
struct Timer {
    id: i64,
    soft: Nanos,
    armed: Event,
    /// Taken out of its queue and not expired.
    cancelled: bool,
    expired: bool,
}

/// What woke a thread.
#[derive(Debug, Clone)]
enum Waker {
    Timer(Timer),
    Other,
}

/// Bits of the states in which a thread waits by its own will (`TASK_INTERRUPTIBLE`, `TASK_UNINTERRUPTIBLE`).
const WAITING: i64 = 1 | 2;
/// Bits of the states in which it is stopped or traced (`__TASK_STOPPED`, `__TASK_TRACED`).
const STOPPED: i64 = 4 | 8;
/// Results after which the kernel starts a call again once a signal is dealt with, unless a handler ran: `ERESTARTSYS`,
/// `ERESTARTNOINTR`, `ERESTARTNOHAND` and `ERESTART_RESTARTBLOCK` (include/linux/errno.h). Programs never see them.
const RESTARTS: [i64; 4] = [-512, -513, -514, -516];
const EINTR: i64 = -4;
const ETIMEDOUT: i64 = -110;
/// A timer further in the future than this waits for nothing: the kernel's largest time.
const NEVER: Nanos = Nanos::from_secs(100 * 365 * 86_400);

impl Joiner {
    /// Returns a joiner that leaves out some threads; `running` are those whose calls may be under way already.
    pub fn new(ignored: impl IntoIterator<Item = i32>, running: impl IntoIterator<Item = i32>) -> Self {
        Self { ignored: ignored.into_iter().collect(), running: running.into_iter().collect(), ..Self::default() }
    }

    /// Returns the number of calls so far that waited without a timer.
    pub fn untimed(&self) -> u64 {
        self.untimed
    }

    /// Returns the number of calls that were under way when recording began.
    pub fn under_way(&self) -> u64 {
        self.under_way
    }

    /// Returns the earliest deadline that has passed by `now` of a wait that is not over: its events are still needed.
    pub fn overdue(&self, now: Nanos) -> Option<Nanos> {
        let calls = self.threads.values().filter_map(|thread| thread.call.as_ref());
        let last = calls.filter_map(|call| call.timers.last().map(|timer| timer.soft));
        // One that nobody waits for needs no events.
        let recent = now.saturating_sub(Nanos::SECOND);
        let objects = self.objects.values().map(|timer| timer.soft).filter(|soft| *soft >= recent);
        last.chain(objects).filter(|soft| *soft <= now).min()
    }

    /// Takes an event; returns the wait that it ends.
    pub fn event(&mut self, event: &Event) -> Option<Wait> {
        match &event.kind {
            EventKind::CallEntry { call, arguments } => return self.entry(event, call.clone(), *arguments),
            EventKind::CallExit { result } => return self.exit(event, *result),
            EventKind::TimerStart { timer, soft, .. } => self.armed(event, *timer, *soft),
            EventKind::TimerCancel { timer } => self.timer(*timer, |timer| timer.cancelled = true),
            EventKind::TimerExpire { timer, .. } => {
                self.expiring.insert(event.cpu, (*timer, event.thread));
                self.timer(*timer, |timer| (timer.cancelled, timer.expired) = (false, true));
            }
            EventKind::Waking { tid } => {
                let by = self.expiring.get(&event.cpu).filter(|(_, thread)| *thread == event.thread);
                let by =
                    by.and_then(|(id, _)| self.find(*id)).map_or(Waker::Other, |timer| Waker::Timer(timer.clone()));
                if let Some(call) = self.call(*tid) {
                    call.woken = Some(by);
                }
            }
            EventKind::Switch { prev, state, .. } => {
                self.expiring.remove(&event.cpu);
                if let Some(call) = self.call(prev.tid).filter(|_| state & WAITING != 0) {
                    call.left.get_or_insert_with(|| event.clone());
                    call.woken = None;
                }
                if state & STOPPED != 0
                    && let Some((call, ..)) = self.threads.get_mut(&prev.tid).and_then(|thread| thread.restart.as_mut())
                {
                    call.stopped.push(event.clone());
                }
            }
            EventKind::TimerInterrupt | EventKind::InterruptExit { .. } => {
                self.expiring.remove(&event.cpu);
            }
            _ => {}
        }
        None
    }

    /// Ends the waits that a signal ended last; returns them.
    pub fn finish(&mut self) -> Vec<Wait> {
        let threads = self.threads.iter_mut();
        let pending: Vec<_> = threads.filter_map(|(tid, thread)| Some((*tid, thread.restart.take()?))).collect();
        pending.into_iter().filter_map(|(tid, (call, result, at, cpu))| self.end(tid, call, result, at, cpu)).collect()
    }

    fn call(&mut self, tid: i32) -> Option<&mut Call> {
        self.threads.get_mut(&tid)?.call.as_mut()
    }

    fn entry(&mut self, event: &Event, name: Cow<'static, str>, arguments: [i64; 6]) -> Option<Wait> {
        self.expiring.remove(&event.cpu);
        if self.ignored.contains(&event.thread) {
            return None;
        }
        self.running.remove(&event.thread);
        let thread = self.threads.entry(event.thread).or_default();
        let mut ended = None;
        if let Some((call, result, at, cpu)) = thread.restart.take() {
            if name == "restart_syscall" || (name == call.name && arguments == call.arguments) {
                thread.call = Some(call);
                return None;
            }
            ended = Some((call, result, at, cpu));
        }
        thread.call = Some(Call {
            name,
            arguments,
            entered: event.at,
            cpu: event.cpu,
            timers: Vec::new(),
            replaced: Vec::new(),
            left: None,
            stopped: Vec::new(),
            woken: None,
        });
        ended.and_then(|(call, result, at, cpu)| self.end(event.thread, call, result, at, cpu))
    }

    fn exit(&mut self, event: &Event, result: i64) -> Option<Wait> {
        self.expiring.remove(&event.cpu);
        if self.ignored.contains(&event.thread) {
            return None;
        }
        self.under_way += u64::from(self.running.remove(&event.thread));
        let thread = self.threads.entry(event.thread).or_default();
        let call = thread.call.take()?;
        if RESTARTS.contains(&result) {
            thread.restart = Some((call, result, event.at, event.cpu));
            return None;
        }
        self.end(event.thread, call, result, event.at, event.cpu)
    }

    fn armed(&mut self, event: &Event, id: i64, soft: Nanos) {
        if soft.saturating_sub(event.at) > NEVER || self.ignored.contains(&event.thread) {
            return;
        }
        let timer = Timer { id, soft, armed: event.clone(), cancelled: false, expired: false };
        let before = self.objects.remove(&id);
        match self.call(event.thread) {
            Some(call) => {
                call.timers.retain(|timer| timer.id != id);
                call.timers.push(timer);
                call.replaced.extend(before);
                self.owners.insert(id, event.thread);
            }
            // Its call began before the recording.
            None => drop(self.objects.insert(id, timer)),
        }
    }

    /// Changes a known timer.
    fn timer(&mut self, id: i64, change: impl FnOnce(&mut Timer)) {
        let owned = self.owners.get(&id).copied().and_then(|tid| self.threads.get_mut(&tid)?.call.as_mut());
        let found = owned.and_then(|call| call.timers.iter_mut().find(|timer| timer.id == id));
        if let Some(timer) = found.or_else(|| self.objects.get_mut(&id)) {
            change(timer);
        }
    }

    /// Returns the timer with this number, if it is known.
    fn find(&self, id: i64) -> Option<&Timer> {
        let owned = self.owners.get(&id).and_then(|tid| self.threads.get(tid)?.call.as_ref());
        let found = owned.and_then(|call| call.timers.iter().find(|timer| timer.id == id));
        found.or_else(|| self.objects.get(&id))
    }

    /// Ends a call: its timers that are still set become objects, and its wait, if it was one, is returned.
    fn end(&mut self, tid: i32, call: Call, result: i64, at: Nanos, cpu: u16) -> Option<Wait> {
        let mut own_timer = None;
        for timer in &call.timers {
            self.owners.remove(&timer.id);
            if is_own(&call, timer, at) {
                own_timer = Some(timer.clone());
            } else if !timer.cancelled {
                self.objects.insert(timer.id, timer.clone());
            }
        }
        let (timer, ended) = match (self.object(&call, own_timer.as_ref(), at), own_timer) {
            (Some(object), _) => (object, Ended::Time),
            (None, Some(own_timer)) => {
                let ended = how_ended(&call, &own_timer, result, at);
                (own_timer, ended)
            }
            (None, None) => {
                self.untimed += u64::from(call.left.is_some());
                return None;
            }
        };
        Some(Wait {
            tid,
            call: call.name,
            arguments: call.arguments,
            start: call.entered,
            end: at,
            deadline: timer.soft,
            armed: timer.armed,
            left: call.left,
            stopped: call.stopped,
            asked: None,
            ended,
            cpu_start: call.cpu,
            cpu_end: cpu,
        })
    }

    /// Returns the timer that woke a call, if it was armed by another call.
    fn object(&mut self, call: &Call, own_timer: Option<&Timer>, at: Nanos) -> Option<Timer> {
        let left = call.left.as_ref().filter(|_| waits_for_objects(&call.name))?;
        let timer = match &call.woken {
            Some(Waker::Timer(timer)) if own_timer.is_none_or(|own_timer| own_timer.id != timer.id) => timer.clone(),
            // Where an idle processor is hidden from the trace, nothing shows who woke it.
            None if own_timer.is_none() => {
                let due = |timer: &&Timer| !timer.cancelled && (left.at..=at).contains(&timer.soft);
                let all = call.replaced.iter().chain(self.objects.values());
                all.filter(due).min_by_key(|timer| timer.soft)?.clone()
            }
            _ => return None,
        };
        // It is over, unless it was armed again.
        if self.objects.get(&timer.id).is_some_and(|known| known.armed.at == timer.armed.at) {
            self.objects.remove(&timer.id);
        }
        Some(timer)
    }
}

/// Calls that arm a timer for another call to wait for.
const SETTERS: [&str; 4] = ["timerfd_settime", "timer_settime", "setitimer", "alarm"];
/// Calls that have no time limit: a timer that the kernel sets within them, as a driver does, is not the program's.
const UNLIMITED: [&str; 11] =
    ["other", "write", "writev", "wait4", "waitid", "flock", "fcntl", "semop", "msgrcv", "pause", "rt_sigsuspend"];

/// Returns whether a timer is that of the call's own wait: stopped or expired when the call returns.
fn is_own(call: &Call, timer: &Timer, end: Nanos) -> bool {
    let waited = || call.left.as_ref().is_some_and(|left| left.at >= timer.armed.at);
    let limited = !SETTERS.contains(&&*call.name) && !UNLIMITED.contains(&&*call.name);
    limited && (timer.cancelled || timer.expired || (timer.soft <= end && waited()))
}

/// Returns whether a call may wait for a timer that another call armed.
fn waits_for_objects(call: &str) -> bool {
    let calls = ["read", "epoll_wait", "epoll_pwait", "epoll_pwait2", "poll", "ppoll", "select", "pselect6"];
    let of_signals = ["io_uring_enter", "rt_sigtimedwait", "rt_sigsuspend", "pause"];
    calls.contains(&call) || of_signals.contains(&call)
}

/// Says what ended a call that waited with a timer of its own.
fn how_ended(call: &Call, timer: &Timer, result: i64, end: Nanos) -> Ended {
    let says_so = match &*call.name {
        // Its result is 0 where it was woken.
        "futex" | "futex_waitv" => result == ETIMEDOUT,
        // Its result is the number of entries that it submitted, among them the time limit.
        "io_uring_enter" => !matches!(call.woken, Some(Waker::Other)),
        _ => result <= 0,
    };
    match () {
        () if result == EINTR || RESTARTS.contains(&result) => Ended::Signal,
        () if timer.cancelled || end < timer.soft || !says_so => Ended::Event,
        () => Ended::Time,
    }
}
