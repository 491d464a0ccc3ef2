use super::*;
use oversleep_recording::trace::Interrupt;
use oversleep_recording::trace::{Direction, Gap};

use PartKind::{
    ArmedLate, Entry, Irq, IrqEntry, IrqLate, OtherTimers, Preempted, Return, RunQueue, Slack, Stopped, Wake,
};

#[test]
fn the_usual_course_splits_at_every_mark() {
    let breakdown = join(usual(), &[], slept(11_200));
    whole(&breakdown);
    let expected = [
        (Entry, 10),
        (Slack, 50),
        (IrqLate, 30),
        (IrqEntry, 10),
        (OtherTimers, 5),
        (Wake, 20),
        (RunQueue, 55),
        (Return, 20),
    ];
    assert_eq!(times(&breakdown), expected);
    assert_eq!(owners(&breakdown, IrqLate), [(Owner::Idle(None), 30)]);
    assert_eq!(owners(&breakdown, RunQueue), [(Owner::Idle(None), 40), (Owner::Timer, 15)]);
}

#[test]
fn an_absolute_sleep_has_no_entry_and_only_its_own_timer_counts() {
    let mut events = usual();
    // Another timer, which the interrupt armed while the sleeper was current.
    events.push(event(10_030, SLEEPER, EventKind::TimerStart { timer: 2, soft: at(11_500), hard: at(11_500) }));
    let breakdown = join(events.clone(), &[], TimedSleep { deadline: Some(at(11_010)), ..slept(11_200) });
    whole(&breakdown);
    assert_eq!(times(&breakdown)[0], (Slack, 50));
    partial(
        &join(events, &[], TimedSleep { deadline: Some(at(11_011)), ..slept(11_200) }),
        "the start of its timer was not seen",
    );
}

/// Of a request for the time until a deadline, the timer is later than the deadline by the way from the program's reading of
/// the clock to the kernel's.
#[test]
fn a_relative_sleep_to_a_deadline_has_an_entry() {
    let of = |deadline| {
        let slept = TimedSleep { deadline: Some(at(deadline)), relative_unit: Some(at(1)), ..slept(11_200) };
        join(usual(), &[], slept)
    };
    whole(&of(10_995));
    assert_eq!(times(&of(10_995))[..2], [(Entry, 15), (Slack, 50)]);
    // Later than the deadline by more than passed until the timer was armed, and earlier than it.
    for other in [10_980, 11_020] {
        partial(&of(other), "the start of its timer was not seen");
    }
}

#[test]
fn an_interrupt_within_the_slack_uses_only_a_part_of_it() {
    let mut events = usual();
    events[3].at = at(11_030);
    events[4] = event(11_040, 0, EventKind::TimerExpire { timer: 1, now: at(11_035) });
    let breakdown = join(events, &[], slept(11_200));
    whole(&breakdown);
    assert_eq!(times(&breakdown)[1..4], [(Slack, 20), (IrqEntry, 5), (OtherTimers, 5)]);
}

#[test]
fn without_an_interrupt_event_two_parts_are_one() {
    let events = usual().into_iter().filter(|event| !matches!(event.kind, EventKind::TimerInterrupt));
    let breakdown = join(events.collect(), &[], slept(11_200));
    whole(&breakdown);
    assert_eq!(times(&breakdown)[1..4], [(Slack, 50), (IrqLate, 40), (OtherTimers, 5)]);
}

#[test]
fn a_hog_on_the_run_queue_is_named_with_its_time() {
    let mut events = usual();
    events.pop();
    events.extend([
        switch(10_060, 0, 0, 7),
        switch(11_150, 7, 0, 8),
        switch(11_170, 8, 1, 7),
        switch(11_950, 7, 1, SLEEPER),
    ]);
    let breakdown = join(events, &[], slept(12_000));
    whole(&breakdown);
    let hog = Owner::Task { tid: 7, comm: "hog".to_owned(), prio: 19 };
    let other = Owner::Task { tid: 8, comm: "other".to_owned(), prio: 120 };
    assert_eq!(owners(&breakdown, RunQueue), [(hog.clone(), 790), (other, 20), (Owner::Timer, 15)]);
    assert_eq!(owners(&breakdown, IrqLate), [(hog, 30)]);
}

#[test]
fn preemption_and_interrupts_after_the_wake_up_are_parts_of_their_own() {
    let mut events = usual();
    events.extend([
        switch(11_190, SLEEPER, 0x100, 7),
        switch(11_300, 7, 1, SLEEPER),
        event(
            11_310,
            SLEEPER,
            EventKind::InterruptEntry { what: Interrupt::Device { irq: 5, name: "disk".to_owned() } },
        ),
        event(11_330, SLEEPER, EventKind::InterruptExit { what: Interrupt::Device { irq: 5, name: String::new() } }),
    ]);
    let breakdown = join(events, &[], slept(11_400));
    whole(&breakdown);
    assert_eq!(times(&breakdown)[7..], [(Return, 10), (Preempted, 110), (Irq, 20), (Return, 80)]);
    assert_eq!(owners(&breakdown, Irq), [(Owner::Irq { irq: 5, name: "disk".to_owned() }, 20)]);
    assert_eq!(owners(&breakdown, Preempted)[0].1, 110);
}

#[test]
fn a_stopped_sleep_is_stopped_and_not_late() {
    // Stopped at 10 520 and continued at 13 000, it arms the same timer again, which fires at once. Also without the event
    // of its switch onto the processor at 10 500, which some kernels hide.
    let (timer, soft, hard) = (1, at(11_010), at(11_060));
    let events = vec![
        switch(9_000, 0, 0, SLEEPER),
        event(10_020, SLEEPER, EventKind::TimerStart { timer, soft, hard }),
        switch(10_050, SLEEPER, 1, 0),
        switch(10_500, 0, 0, SLEEPER),
        switch(10_520, SLEEPER, 4, 0),
        switch(13_000, 0, 0, SLEEPER),
        event(13_020, SLEEPER, EventKind::TimerStart { timer, soft, hard }),
        event(13_030, SLEEPER, EventKind::TimerInterrupt),
        event(13_040, SLEEPER, EventKind::TimerExpire { timer, now: at(13_035) }),
        event(13_050, SLEEPER, EventKind::Wakeup { tid: SLEEPER, queue: None }),
    ];
    let mut hidden = events.clone();
    hidden.remove(3);
    for events in [events, hidden] {
        let breakdown = join(events, &[], slept(13_100));
        whole(&breakdown);
        assert_eq!(times(&breakdown)[..3], [(Entry, 10), (Stopped, 1_990), (ArmedLate, 20)]);
        assert_eq!(breakdown.total(Slack), Nanos::ZERO);
    }
}

#[test]
fn a_thread_that_never_left_the_processor_waited_in_no_queue() {
    let events = usual().into_iter().filter(|event| !matches!(event.kind, EventKind::Switch { .. })).collect();
    let breakdown = join(events, &[], slept(11_200));
    whole(&breakdown);
    assert_eq!(breakdown.total(RunQueue), Nanos::ZERO);
}

#[test]
fn own_switch_records_stand_in_for_hidden_switches() {
    let mut events = usual();
    events.pop();
    let own = |ns, to| OwnSwitch { at: at(ns), to, cpu: 0 };
    let both = [own(10_052, Direction::OutWaiting), own(11_185, Direction::In)];
    partial(&join(events.clone(), &[], slept(11_200)), "its switch onto a processor was not seen");
    let breakdown = join(events, &both, slept(11_200));
    whole(&breakdown);
    assert_eq!(times(&breakdown)[6..], [(RunQueue, 60), (Return, 15)]);
    // Where both record the same switch, the event's time is used, and the switch counts once.
    assert_eq!(join(usual(), &both, slept(11_200)), join(usual(), &[], slept(11_200)));
}

#[test]
fn where_switches_do_not_join_up_somebody_is_hidden() {
    let mut events = usual();
    // The idle loop ran from 10 050; then thread 9 is switched off, so its switch onto the processor was hidden. Thread 7
    // follows; at the end thread 9 is switched off once more, and either had the time in between.
    events.insert(3, switch(10_900, 9, 0, 7));
    events[4..9].iter_mut().for_each(|event| event.thread = 7);
    events[9] = switch(11_180, 9, 0, SLEEPER);
    let batch = KernelEvents { events, gaps: Vec::new() };
    let (mut joined, breaks) = super::super::join::join(&batch, &[], SLEEPER, &[slept(11_200)]);
    assert_eq!(breaks, 2);
    let breakdown = joined.remove(0);
    whole(&breakdown);
    assert_eq!(owners(&breakdown, RunQueue), [(Owner::Hidden, 40), (Owner::Timer, 15)]);
}

#[test]
fn a_thread_whose_switch_in_was_hidden_is_named_where_only_it_can_have_kept_the_sleeper_waiting() {
    let other = Owner::Task { tid: 9, comm: "other".to_owned(), prio: 120 };
    let mut events = usual();
    // The idle loop ran at 11 140, and thread 9 is switched off at 11 180: an idle processor keeps nobody waiting.
    events[8] = switch(11_180, 9, 0, SLEEPER);
    let breakdown = join(events.clone(), &[], slept(11_200));
    assert_eq!(owners(&breakdown, RunQueue), [(other.clone(), 40), (Owner::Timer, 15)]);
    // What was seen before stays as it was seen.
    events.insert(8, event(11_170, 0, EventKind::Idle { state: None }));
    let breakdown = join(events, &[], slept(11_200));
    assert_eq!(owners(&breakdown, RunQueue), [(Owner::Idle(None), 30), (Owner::Timer, 15), (other, 10)]);
}

#[test]
fn who_ran_on_the_queue_s_processor_is_named_although_the_sleeper_ran_elsewhere_in_the_end() {
    let on_the_other = |event: Event| Event { cpu: 1, ..event };
    let waited = |queue| {
        let mut events = usual();
        events[6].kind = EventKind::Wakeup { tid: SLEEPER, queue };
        events.insert(3, switch(10_060, 0, 0, 7));
        events[4..9].iter_mut().for_each(|event| event.thread = 7);
        events.push(on_the_other(switch(9_500, 8, 1, 0)));
        events.remove(9);
        events.push(on_the_other(switch(13_000, 0, 0, SLEEPER)));
        let breakdown = join(events, &[], slept(13_100));
        whole(&breakdown);
        owners(&breakdown, RunQueue)
    };
    let hog = Owner::Task { tid: 7, comm: "hog".to_owned(), prio: 19 };
    assert_eq!(waited(Some(0)), [(hog, 1_860), (Owner::Timer, 15)]);
    assert_eq!(waited(Some(1)), [(Owner::Idle(None), 1_875)]);
    assert_eq!(waited(None), [(Owner::Idle(None), 1_875)], "which queue it was need not be known");
}

#[test]
fn a_sleeper_that_was_moved_waited_for_the_threads_of_both_processors() {
    let on_the_other = |event: Event| Event { cpu: 1, ..event };
    let mut events = usual();
    events[6].kind = EventKind::Wakeup { tid: SLEEPER, queue: Some(0) };
    events.insert(3, switch(10_060, 0, 0, 7));
    events[4..9].iter_mut().for_each(|event| event.thread = 7);
    events.remove(9);
    events.push(event(11_525, 7, EventKind::Moved { tid: SLEEPER, queue: 1 }));
    events.push(on_the_other(switch(9_500, 0, 0, 9)));
    events.push(on_the_other(switch(13_000, 9, 0, SLEEPER)));
    let breakdown = join(events, &[], slept(13_100));
    whole(&breakdown);
    let hog = Owner::Task { tid: 7, comm: "hog".to_owned(), prio: 19 };
    let other = Owner::Task { tid: 9, comm: "other".to_owned(), prio: 120 };
    assert_eq!(owners(&breakdown, RunQueue), [(other, 1_475), (hog, 385), (Owner::Timer, 15)]);
}

#[test]
fn lost_events_make_the_sleeps_in_the_gap_partial_and_no_other() {
    let joined = |from, until| {
        let gap = Gap { cpu: 1, from: at(from), until: at(until), records: 3 };
        let batch = KernelEvents { events: usual(), gaps: vec![gap] };
        super::super::join::join(&batch, &[], SLEEPER, &[slept(11_200)]).0.remove(0)
    };
    partial(&joined(10_500, 10_600), "events were lost on processor 1");
    partial(&joined(0, 10_000), "events were lost on processor 1");
    whole(&joined(0, 9_999));
    whole(&joined(11_201, i64::MAX));
}

#[test]
fn what_is_missing_is_said_and_the_rest_kept() {
    let without = |gone: &dyn Fn(&EventKind) -> bool| {
        let events = usual().into_iter().filter(|event| !gone(&event.kind)).collect();
        join(events, &[], slept(11_200))
    };
    let cases = [
        (without(&|kind| matches!(kind, EventKind::TimerStart { .. })), "the start of its timer was not seen"),
        (without(&|kind| matches!(kind, EventKind::TimerExpire { .. })), "the expiry of its timer was not seen"),
        (
            without(&|kind| matches!(kind, EventKind::Waking { .. } | EventKind::Wakeup { .. })),
            "its wake-up was not seen",
        ),
    ];
    for (breakdown, why) in cases {
        partial(&breakdown, why);
        assert_eq!(breakdown.sum(), breakdown.oversleep(), "the rest is there");
    }
    partial(&join(usual(), &[], slept(10_999)), "woke early");
}

#[test]
fn marks_out_of_order_are_shown_and_never_clamped() {
    let mut events = usual();
    events[4] = event(11_105, 0, EventKind::TimerExpire { timer: 1, now: at(11_108) });
    let breakdown = join(events, &[], slept(11_200));
    partial(&breakdown, "other timers first would be -3 ns: marks out of order");
    assert_eq!(breakdown.total(OtherTimers), at(-3));
    assert_eq!(breakdown.sum(), breakdown.oversleep());
}

#[test]
fn a_quota_takes_the_blame_for_a_wait_that_it_covers() {
    let mut events = usual();
    events.extend([switch(11_190, SLEEPER, 0x100, 0), switch(91_190, 0, 0, SLEEPER)]);
    let mut sleep = slept(91_200);
    sleep.counted.throttled = Some(at(80_000));
    let breakdown = join(events.clone(), &[], sleep);
    whole(&breakdown);
    assert_eq!(owners(&breakdown, Preempted), [(Owner::Throttled, 80_000)]);
    sleep.counted.throttled = Some(at(0));
    assert_eq!(owners(&join(events, &[], sleep), Preempted), [(Owner::Idle(None), 80_000)]);
}

#[test]
fn an_interrupt_from_before_the_timer_could_fire_did_not_come_in_for_it() {
    let mut events = usual();
    // The handler takes long, reads the clock again, and finds our timer due.
    events[3].at = at(11_000);
    let breakdown = join(events, &[], slept(11_200));
    whole(&breakdown);
    assert_eq!(times(&breakdown)[1..4], [(Slack, 50), (IrqLate, 40), (OtherTimers, 5)]);
}
