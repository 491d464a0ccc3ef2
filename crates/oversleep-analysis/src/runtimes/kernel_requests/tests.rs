use super::*;

/// Returns a sleep of 1.5 ms whose calls were given these times (ns): as an argument, if flagged, or by a timer.
fn sleep(calls: &[(&str, i64, bool)]) -> TracedCalls {
    let mut at = Nanos::new(1_000);
    let mut made = Vec::new();
    for &(call, told, exact) in calls {
        let (argument, timer) = (exact.then_some(Nanos::new(told)), (!exact).then_some(at + Nanos::new(told)));
        made.push(TimedCall { tid: 1, call: call.to_owned(), at, argument, timer });
        at += Nanos::new(told);
    }
    let (requested, end) = (Nanos::from_micros(1_500), at + Nanos::from_micros(60));
    TracedCalls { method: "x".to_owned(), requested, start: Nanos::new(900), end, calls: made, ..Default::default() }
}

/// Returns what was told in these sleeps, which were made one after the other.
fn request_of(sleeps: &[TracedCalls]) -> KernelRequest {
    let later = |(number, sleep): (i64, &TracedCalls)| {
        let by = Nanos::from_secs(10 * number);
        let later =
            |call: &TimedCall| TimedCall { at: call.at + by, timer: call.timer.map(|t| t + by), ..call.clone() };
        let calls = sleep.calls.iter().map(later).collect();
        TracedCalls { start: sleep.start + by, end: sleep.end + by, calls, ..sleep.clone() }
    };
    request_at_once(&(0..).zip(sleeps).map(later).collect::<Vec<_>>())
}

/// Returns what was told in these sleeps, whose times are as given.
fn request_at_once(sleeps: &[TracedCalls]) -> KernelRequest {
    let note = Note { traced_calls: sleeps.to_vec(), ..Note::default() };
    let found = kernel_requests(&note, "x");
    assert_eq!((found.len(), kernel_requests(&note, "y").len()), (1, 0));
    found[0].clone()
}

const MS: i64 = 1_000_000;

#[test]
fn whole_milliseconds_are_told_as_the_rule_they_follow() {
    for (calls, rule) in [
        (vec![("epoll_wait", 2 * MS, true)], RequestChange::RoundedUp),
        (vec![("epoll_pwait", MS, true), ("epoll_pwait", MS, true)], RequestChange::RoundedUp),
        (vec![("epoll_wait", MS, true)], RequestChange::Truncated),
        (vec![("futex", 1_998_000, false)], RequestChange::RoundedUp),
        (vec![("clock_nanosleep", 1_492_000, false)], RequestChange::AsAsked),
        (vec![("epoll_wait", 4 * MS, true)], RequestChange::Longer),
        (vec![("nanosleep", 200_000, false)], RequestChange::Shorter),
    ] {
        let found = request_of(&[sleep(&calls), sleep(&calls)]);
        assert_eq!((found.rule, found.told.len()), (Some(rule), calls.len()), "{calls:?}");
        assert_eq!((found.sleeps, found.agreeing, found.exact), (2, 2, calls[0].2), "{calls:?}");
    }
}

#[test]
fn the_longest_wait_names_the_call_and_odd_sleeps_are_outvoted() {
    let usual = sleep(&[("nanosleep", 20_000, false), ("epoll_wait", 2 * MS, true), ("nanosleep", 20_000, false)]);
    let odd = sleep(&[("epoll_wait", MS, true)]);
    let found = request_of(&[usual.clone(), odd, usual]);
    assert_eq!((found.call.as_deref(), found.told.as_slice()), (Some("epoll_wait"), &[Nanos::new(2 * MS)][..]));
    assert_eq!((found.sleeps, found.agreeing), (3, 2));
}

#[test]
fn a_wait_that_its_thread_gave_up_is_none_and_others_beside_the_longest_are_not_added() {
    // A timer that is set, and set again 5 µs later.
    let mut twice = sleep(&[("timerfd_settime", 1_500_000, false), ("timerfd_settime", 1_495_000, false)]);
    let second = twice.calls[0].at + Nanos::from_micros(5);
    twice.calls[1].at = second;
    twice.calls[1].timer = Some(second + Nanos::new(1_495_000));
    let found = request_of(std::slice::from_ref(&twice));
    assert_eq!((found.told.as_slice(), found.rule), (&[Nanos::new(1_495_000)][..], Some(RequestChange::AsAsked)));
    // Another thread's shorter wait at the same time, after which it waits again.
    twice.calls[1].tid = 2;
    let again = TimedCall { at: twice.end - Nanos::new(1), ..twice.calls[1].clone() };
    twice.calls.push(TimedCall { timer: Some(again.at + Nanos::MILLISECOND), ..again });
    let found = request_of(&[twice]);
    assert_eq!(found.told, [Nanos::new(1_500_000)]);
}

#[test]
fn waits_that_outlast_the_sleep_and_timers_of_other_clocks_are_none() {
    let mut long = sleep(&[("futex", 5 * MS, false)]);
    long.end = Nanos::new(2 * MS);
    let mut other = sleep(&[("futex", MS, false)]);
    other.calls[0].timer = Some(Nanos::from_secs(1_700_000_000));
    let found = request_of(&[long, other]);
    assert_eq!((found.call.as_deref(), found.rule, found.own, found.sleeps), (None, None, 0, 2));
    let said = "asked 1.50 ms; no rule, as 0 of 2 sleeps have a wait of their own in the trace; none: 2";
    assert_eq!(found.sentence(), said);
}

/// Returns a sleep of 1.5 ms from `start` to `end` with waits in `epoll_wait`: thread, beginning and whole milliseconds.
fn sleep_with(start: i64, end: i64, waits: &[(i32, i64, i64)]) -> TracedCalls {
    let call = |&(tid, at, millis): &(i32, i64, i64)| {
        let (at, argument) = (Nanos::new(at), Some(Nanos::from_millis(millis)));
        TimedCall { tid, call: "epoll_wait".to_owned(), at, argument, timer: None }
    };
    let [requested, start, end] = [1_500_000, start, end].map(Nanos::new);
    let calls = waits.iter().map(call).collect();
    TracedCalls { method: "x".to_owned(), requested, start, end, calls, ..Default::default() }
}

/// Returns the number of sleeps with a wait of their own, with a shared one and with one by others, and the rule.
fn counts(found: &KernelRequest) -> (u64, u64, u64, Option<RequestChange>) {
    assert!(found.own + found.shared + found.by_others <= found.sleeps && found.agreeing <= found.own);
    (found.own, found.shared, found.by_others, found.rule)
}

#[test]
fn a_timer_thread_s_wait_is_the_sleep_s_own_unless_it_waits_again_before_the_sleep_ends() {
    // Thread 2 waits for 2 ms and ends the sleep itself.
    let own = sleep_with(0, 2_100_000, &[(2, 10_000, 2)]);
    assert_eq!(counts(&request_of(&[own.clone(), own.clone()])), (2, 0, 0, Some(RequestChange::RoundedUp)));
    // It wakes another thread, and is in its next wait when that ends the sleep; or it has nothing to do with it.
    let handed_on = sleep_with(0, 2_100_000, &[(2, 10_000, 2), (2, 2_020_000, 5)]);
    assert_eq!(counts(&request_of(&[handed_on.clone(), handed_on.clone()])), (0, 0, 2, None));
    // A later wait that is over as well does not hide that the thread ran at the end.
    let twice = sleep_with(0, 3_200_000, &[(2, 10_000, 2), (2, 2_020_000, 1)]);
    assert_eq!(counts(&request_of(&[twice])), (1, 0, 0, Some(RequestChange::Longer)));
    let found = request_of(&[own.clone(), handed_on, own]);
    let said = "asked 1.50 ms; epoll_wait was given 2.00 ms: rounded up to whole milliseconds (2 of 3 sleeps; 2 of 3 \
                sleeps have a wait of their own in the trace; by other threads: 1)";
    assert_eq!(found.sentence(), said);
}

#[test]
fn waits_of_several_threads_in_turn_prove_no_rule() {
    let turns = sleep_with(0, 2_200_000, &[(2, 10_000, 1), (3, 1_050_000, 1)]);
    assert_eq!(counts(&request_of(&[turns.clone(), turns])), (0, 0, 2, None));
    // One of two threads that wait side by side ended the sleep, and the trace does not show which.
    let beside = sleep_with(0, 2_200_000, &[(2, 10_000, 2), (3, 1_050_000, 1)]);
    assert_eq!(counts(&request_of(&[beside])), (0, 0, 1, None));
    // One that waits again did not.
    let again = sleep_with(0, 2_200_000, &[(2, 10_000, 2), (3, 1_050_000, 1), (3, 2_100_000, 1)]);
    assert_eq!(counts(&request_of(&[again])), (1, 0, 0, Some(RequestChange::RoundedUp)));
}

#[test]
fn a_wait_that_began_before_the_sleep_is_not_replaced_by_another_s() {
    // The timer thread has waited since the sleep before; thread 3 does something every millisecond.
    let periodic: Vec<_> = (0..3).map(|n| (3, 200_000 + n * 1_050_000, 1)).collect();
    assert_eq!(counts(&request_of(&[sleep_with(0, 2_400_000, &periodic)])), (0, 0, 1, None));
    assert_eq!(counts(&request_of(&[sleep_with(0, 2_400_000, &[])])), (0, 0, 0, None));
}

#[test]
fn one_wait_that_may_serve_two_sleeps_is_neither_s_own() {
    let wait = [(2, 1_000_000, 1)];
    let mut sleeps = [sleep_with(0, 2_000_000, &wait), sleep_with(1_000_000, 2_010_000, &wait)];
    assert_eq!(counts(&request_at_once(&sleeps)), (0, 2, 0, None));
    assert!(
        request_at_once(&sleeps).sentence().ends_with("0 of 2 sleeps have a wait of their own in the trace; shared: 2")
    );
    // Another wait of the same thread, at another time, is another wait.
    sleeps[1].calls[0].at = Nanos::new(1_005_000);
    assert_eq!(counts(&request_at_once(&sleeps)), (2, 0, 0, Some(RequestChange::Truncated)));
}

#[test]
fn a_few_sleeps_do_not_prove_a_rule_for_all() {
    let own = sleep_with(0, 2_100_000, &[(2, 10_000, 2)]);
    let none = sleep_with(0, 2_100_000, &[]);
    assert_eq!(counts(&request_of(&[own.clone(), none.clone()])), (1, 0, 0, None));
    let said = request_of(&[own.clone(), none.clone()]).sentence();
    assert!(said.contains("epoll_wait was given 2.00 ms: too few to state a rule (1 of 2 sleeps; 1 of 2"), "{said}");
    assert_eq!(counts(&request_of(&[own.clone(), own.clone(), none])), (2, 0, 0, Some(RequestChange::RoundedUp)));
    // Of a sleep with more calls than were kept, nothing is known.
    let cut = TracedCalls { left_out: 1, ..own };
    assert_eq!(counts(&request_of(&[cut])), (0, 0, 0, None));
}
