//! Waits are joined from sequences of events as the kernel (Linux 6.18) records them.

use super::{Ended, Joiner, Wait};
use oversleep_recording::trace::{Event, EventKind, Task};
use oversleep_sys::units::Nanos;

/// The thread that waits, and another one of the same program.
const THREAD: i32 = 70;
const OTHER: i32 = 71;

/// Returns the waits in a sequence: time in µs, running thread, event, all on processor 0.
fn waits(events: &[(i64, i32, EventKind)]) -> (Vec<Wait>, Joiner) {
    let mut joiner = Joiner::new([], [THREAD]);
    let events = events.iter().map(|(at, thread, kind)| Event {
        at: Nanos::from_micros(*at),
        cpu: 0,
        thread: *thread,
        kind: kind.clone(),
    });
    let mut waits: Vec<Wait> = events.filter_map(|event| joiner.event(&event)).collect();
    waits.extend(joiner.finish());
    (waits, joiner)
}

fn enter(call: &'static str, arguments: [i64; 6]) -> EventKind {
    EventKind::CallEntry { call: call.into(), arguments }
}

fn exit(result: i64) -> EventKind {
    EventKind::CallExit { result }
}

fn arm(timer: i64, due: i64) -> EventKind {
    EventKind::TimerStart { timer, soft: Nanos::from_micros(due), hard: Nanos::from_micros(due + 50) }
}

fn cancel(timer: i64) -> EventKind {
    EventKind::TimerCancel { timer }
}

fn expire(timer: i64) -> EventKind {
    EventKind::TimerExpire { timer, now: Nanos::ZERO }
}

fn wake(tid: i32) -> EventKind {
    EventKind::Waking { tid }
}

fn task(tid: i32) -> Task {
    Task { tid, comm: "program".to_owned(), prio: 120 }
}

/// Returns the switch by which a thread leaves the processor to wait.
fn leave(tid: i32) -> EventKind {
    EventKind::Switch { prev: task(tid), state: 1, next: task(0) }
}

fn summary(wait: &Wait) -> (&str, i64, i64, i64, Ended) {
    let micros = |time: Nanos| time.get() / 1_000;
    (&wait.call, micros(wait.start), micros(wait.deadline), micros(wait.end), wait.ended)
}

#[test]
fn a_sleep_ends_by_its_time() {
    let (found, joiner) = waits(&[
        (100, THREAD, enter("clock_nanosleep", [1, 0, 7, 0, 0, 0])),
        (101, THREAD, arm(5, 5_101)),
        (103, THREAD, leave(THREAD)),
        // The interrupt takes the timer out of its queue first.
        (5_160, 0, cancel(5)),
        (5_161, 0, expire(5)),
        (5_162, 0, wake(THREAD)),
        (5_170, THREAD, exit(0)),
    ]);
    assert_eq!(found.iter().map(summary).collect::<Vec<_>>(), [("clock_nanosleep", 100, 5_101, 5_170, Ended::Time)]);
    assert_eq!(found[0].requested(), Nanos::from_millis(5), "between 5000 and 5001 µs");
    assert_eq!((joiner.untimed(), joiner.under_way()), (0, 0));
}

#[test]
fn a_sleep_whose_expiry_was_not_seen_ends_by_its_time_too() {
    let (found, _) = waits(&[
        (100, THREAD, enter("nanosleep", [0; 6])),
        (101, THREAD, arm(5, 5_101)),
        (103, THREAD, leave(THREAD)),
        (5_170, THREAD, exit(0)),
    ]);
    assert_eq!(found.iter().map(summary).collect::<Vec<_>>(), [("nanosleep", 100, 5_101, 5_170, Ended::Time)]);
}

#[test]
fn what_happens_first_ends_a_wait_and_is_told_from_its_time() {
    let wait = |call: &'static str, arguments, ended: &[(i64, i32, EventKind)]| {
        let begin = [(100, THREAD, enter(call, arguments)), (101, THREAD, arm(5, 5_101)), (103, THREAD, leave(THREAD))];
        waits(&[&begin, ended].concat()).0
    };
    let stopped = |result| [(900, OTHER, wake(THREAD)), (910, THREAD, cancel(5)), (920, THREAD, exit(result))];
    let ended = |found: Vec<Wait>| found.iter().map(|wait| wait.ended).collect::<Vec<_>>();
    assert_eq!(ended(wait("epoll_wait", [3, 0, 1, 5, 0, 0], &stopped(1))), [Ended::Event]);
    assert_eq!(ended(wait("futex", [0; 6], &stopped(0))), [Ended::Event]);
    assert_eq!(ended(wait("poll", [0; 6], &stopped(-4))), [Ended::Signal]);
    // Woken by another thread while its time ran out: a futex says which it was, a descriptor that it is ready.
    let late = |result| [(5_160, 0, expire(5)), (5_161, 0, wake(THREAD)), (5_170, THREAD, exit(result))];
    assert_eq!(ended(wait("futex", [0; 6], &late(0))), [Ended::Event]);
    assert_eq!(ended(wait("futex", [0; 6], &late(-110))), [Ended::Time]);
    assert_eq!(ended(wait("epoll_wait", [3, 0, 1, 5, 0, 0], &late(1))), [Ended::Event]);
    assert_eq!(ended(wait("epoll_wait", [3, 0, 1, 5, 0, 0], &late(0))), [Ended::Time]);
}

#[test]
fn a_ring_s_time_limit_ends_the_call_that_submitted_it() {
    let wait = |woken: &[(i64, i32, EventKind)]| {
        let submit = enter("io_uring_enter", [4, 1, 1, 1, 0, 0]);
        let begin = [(100, THREAD, submit), (101, THREAD, arm(5, 5_101)), (103, THREAD, leave(THREAD))];
        waits(&[&begin, woken, &[(5_170, THREAD, exit(1))]].concat()).0
    };
    let ended = |found: Vec<Wait>| found.iter().map(|wait| wait.ended).collect::<Vec<_>>();
    assert_eq!(ended(wait(&[(5_160, 0, expire(5)), (5_161, 0, wake(THREAD))])), [Ended::Time]);
    assert_eq!(ended(wait(&[(5_090, OTHER, wake(THREAD)), (5_160, 0, expire(5))])), [Ended::Event]);
}

#[test]
fn a_socket_s_time_limit_is_a_wait_and_a_driver_s_pause_is_not() {
    let wait = |call: &'static str, result| {
        waits(&[
            (100, THREAD, enter(call, [0; 6])),
            (101, THREAD, arm(5, 20_101)),
            (103, THREAD, leave(THREAD)),
            (23_000, 0, expire(5)),
            (23_001, 0, wake(THREAD)),
            (23_010, THREAD, exit(result)),
        ])
    };
    let (found, _) = wait("recvfrom", -11);
    assert_eq!(found.iter().map(summary).collect::<Vec<_>>(), [("recvfrom", 100, 20_101, 23_010, Ended::Time)]);
    assert_eq!(found[0].requested(), Nanos::from_millis(20));
    for call in ["other", "write"] {
        let (found, joiner) = wait(call, 0);
        assert_eq!((found.len(), joiner.untimed()), (0, 1), "{call} has no time limit");
    }
}

#[test]
fn a_stopped_sleep_is_one_wait_and_one_with_a_handler_ends_by_the_signal() {
    let begin = [
        (100, THREAD, enter("nanosleep", [9, 0, 0, 0, 0, 0])),
        (101, THREAD, arm(5, 5_101)),
        (103, THREAD, leave(THREAD)),
        (900, OTHER, wake(THREAD)),
        (910, THREAD, cancel(5)),
        (920, THREAD, exit(-516)),
        (925, THREAD, EventKind::Switch { prev: task(THREAD), state: 4, next: task(0) }),
    ];
    let again = [
        (9_000, THREAD, enter("restart_syscall", [0; 6])),
        (9_001, THREAD, arm(5, 5_101)),
        (9_002, THREAD, expire(5)),
        (9_010, THREAD, exit(0)),
    ];
    let (found, _) = waits(&[&begin[..], &again].concat());
    assert_eq!(found.iter().map(summary).collect::<Vec<_>>(), [("nanosleep", 100, 5_101, 9_010, Ended::Time)]);
    assert_eq!(found[0].stopped.iter().map(|event| event.at.get()).collect::<Vec<_>>(), [925_000]);
    let handler = [(950, THREAD, enter("other", [0; 6])), (951, THREAD, exit(0))];
    let (found, _) = waits(&[&begin[..], &handler].concat());
    assert_eq!(found.iter().map(summary).collect::<Vec<_>>(), [("nanosleep", 100, 5_101, 920, Ended::Signal)]);
}

#[test]
fn a_periodic_timer_is_waited_for_by_reading_it() {
    let set = [
        (10, THREAD, enter("timerfd_settime", [4, 0, 0, 0, 0, 0])),
        (11, THREAD, arm(5, 9_011)),
        (12, THREAD, exit(0)),
    ];
    let read = |due: i64, seen: bool| {
        let mut events =
            vec![(due - 8_000, THREAD, enter("read", [4, 0, 8, 0, 0, 0])), (due - 7_990, THREAD, leave(THREAD))];
        if seen {
            events.extend([(due + 20, 0, cancel(5)), (due + 21, 0, expire(5)), (due + 22, 0, wake(THREAD))]);
        }
        events.extend([(due + 30, THREAD, arm(5, due + 9_000)), (due + 31, THREAD, exit(8))]);
        events
    };
    let (found, _) = waits(&[&set[..], &read(9_011, true), &read(18_011, false), &read(27_011, true)].concat());
    let expected = [9_011, 18_011, 27_011].map(|due| ("read", due - 8_000, due, due + 31, Ended::Time));
    assert_eq!(found.iter().map(summary).collect::<Vec<_>>(), expected);
}

#[test]
fn calls_without_a_timer_are_counted_and_those_under_way_too() {
    let (found, joiner) = waits(&[
        (10, THREAD, exit(0)),
        (100, THREAD, enter("read", [0; 6])),
        (103, THREAD, leave(THREAD)),
        (900, OTHER, wake(THREAD)),
        (920, THREAD, exit(1)),
        (930, THREAD, enter("other", [0; 6])),
        (931, THREAD, exit(1)),
        // A thread that was just started returns from a call that it did not enter.
        (940, OTHER, exit(0)),
    ]);
    assert_eq!((found.len(), joiner.untimed(), joiner.under_way()), (0, 1, 1));
}

#[test]
fn threads_that_are_left_out_have_no_waits() {
    let mut joiner = Joiner::new([THREAD], []);
    let kinds = [enter("nanosleep", [0; 6]), arm(5, 2), leave(THREAD), exit(0)];
    let events = (0..).zip(kinds).map(|(at, kind)| Event { at: Nanos::from_micros(at), cpu: 0, thread: THREAD, kind });
    assert_eq!(events.filter_map(|event| joiner.event(&event)).count(), 0);
}
