//! What the kernel was asked for a request: the system call, and the time that it was given.

use super::points::median;
use oversleep_recording::document::runtimes::{ToldRule, ToldTime};
use oversleep_recording::{Note, TimedCall, TracedCalls};
use oversleep_sys::units::Nanos;
use std::collections::BTreeMap;

/// Tolerance for a time read from a timer, which should be the call's entry plus the request: the way into the kernel.
const NEAR: Nanos = Nanos::from_micros(30);
/// Timers that expire later than this after their call count on another clock.
const FAR: Nanos = Nanos::from_secs(3_600);

/// Returns what the kernel was given for each of a method's requests, in the order in which they were traced.
pub fn told(note: &Note, method: &str) -> Vec<ToldTime> {
    let mut requests: Vec<Nanos> = Vec::new();
    let traced = || note.traced_calls.iter().filter(|sleep| sleep.method == method);
    for sleep in traced() {
        if !requests.contains(&sleep.requested) {
            requests.push(sleep.requested);
        }
    }
    let of =
        |request: &Nanos| request_told(*request, &traced().filter(|s| s.requested == *request).collect::<Vec<_>>());
    requests.iter().filter_map(of).collect()
}

/// One system call of a sleep that waited. `told`: for how long; `exact`: whether that was an argument of the call.
#[derive(Debug, Clone, Copy)]
struct Wait<'a> {
    call: &'a str,
    tid: i32,
    at: Nanos,
    told: Nanos,
    exact: bool,
}

impl Wait<'_> {
    fn end(&self) -> Nanos {
        self.at + self.told
    }
}

fn request_told(requested: Nanos, sleeps: &[&TracedCalls]) -> Option<ToldTime> {
    let waits: Vec<Vec<Wait<'_>>> = sleeps.iter().map(|sleep| waits_of(sleep)).collect();
    let call = usual(waits.iter().filter_map(|waits| waits.iter().max_by_key(|wait| wait.told)).map(|wait| wait.call))?;
    let chains: Vec<Vec<Wait<'_>>> =
        waits.iter().map(|waits| chain(waits, call)).filter(|chain| !chain.is_empty()).collect();
    let series: Vec<Vec<Nanos>> = chains.iter().map(|chain| chain.iter().map(|wait| wait.told).collect()).collect();
    let exact = chains.iter().flatten().all(|wait| wait.exact);
    // Arguments repeat exactly. Times read from timers do not: the median of each wait in the sequence is used.
    let usual = if exact { usual(series.iter().cloned())? } else { middle(&series)? };
    let agreeing = series.iter().filter(|series| if exact { **series == usual } else { series.len() == usual.len() });
    Some(ToldTime {
        requested,
        call: call.to_owned(),
        exact,
        rule: rule(requested, &usual, exact),
        sleeps: sleeps.len() as u64,
        agreeing: agreeing.count() as u64,
        told: usual,
    })
}

/// Returns the waits that ended at their time within the sleep. Left out are those that outlast it, and those whose
/// thread made its next call earlier, because something else ended them.
fn waits_of(sleep: &TracedCalls) -> Vec<Wait<'_>> {
    let all: Vec<Wait<'_>> = sleep.calls.iter().filter_map(wait).collect();
    let next = |place: usize| all[place + 1..].iter().find(|later| later.tid == all[place].tid).map(|later| later.at);
    let is_over = |place: &usize| {
        let end = all[*place].end();
        end <= sleep.end + sleep.clock_error && next(*place).is_none_or(|next| end <= next)
    };
    (0..all.len()).filter(is_over).map(|place| all[place]).collect()
}

/// Returns a call as a wait, if the time that it was given is known.
fn wait(call: &TimedCall) -> Option<Wait<'_>> {
    let timer = call.timer.map(|timer| timer - call.at).filter(|told| *told > Nanos::ZERO && *told < FAR);
    let told = call.argument.or(timer)?;
    Some(Wait { call: &call.call, tid: call.tid, at: call.at, told, exact: call.argument.is_some() })
}

/// Returns waits by one call that follow each other: the longest, and the others that do not overlap one already taken.
fn chain<'a>(waits: &[Wait<'a>], call: &str) -> Vec<Wait<'a>> {
    let mut longest: Vec<_> = waits.iter().filter(|wait| wait.call == call).collect();
    longest.sort_by_key(|wait| std::cmp::Reverse(wait.told));
    let mut chain: Vec<Wait<'a>> = Vec::new();
    for wait in longest {
        if chain.iter().all(|other| wait.end() <= other.at || other.end() <= wait.at) {
            chain.push(*wait);
        }
    }
    chain.sort_by_key(|wait| wait.at);
    chain
}

/// Returns the most frequent value.
fn usual<T: Ord + Clone>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: BTreeMap<T, u64> = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(value, _)| value)
}

/// Returns the medians, wait by wait, of the series of the usual length.
fn middle(series: &[Vec<Nanos>]) -> Option<Vec<Nanos>> {
    let length = usual(series.iter().map(Vec::len))?;
    let at = |place: usize| {
        let values = series.iter().filter(|series| series.len() == length).map(|series| series[place].as_f64());
        Nanos::from_f64(median(values.collect()))
    };
    Some((0..length).map(at).collect())
}

/// Returns how the time given to the kernel differs from the request.
fn rule(requested: Nanos, told: &[Nanos], exact: bool) -> ToldRule {
    let sum = told.iter().fold(Nanos::ZERO, |sum, told| sum + *told);
    let places = i64::try_from(told.len()).unwrap_or(1);
    let near = if exact { Nanos::ZERO } else { NEAR.saturating_mul(places) };
    let unit = Nanos::MILLISECOND;
    let whole = Nanos::new((sum.get() + unit.get() / 2) / unit.get() * unit.get());
    let is_whole = whole > Nanos::ZERO && (sum - whole).abs() <= near;
    // With a deadline, the time until the call is already gone: at most a twentieth of the request.
    let slack = if exact { Nanos::ZERO } else { NEAR.max(Nanos::new(requested.get() / 20)) };
    if (sum - requested).abs() <= slack {
        ToldRule::AsAsked
    } else if is_whole && whole > requested && whole - requested < unit {
        ToldRule::RoundedUp
    } else if is_whole && whole < requested && requested - whole < unit {
        ToldRule::Truncated
    } else if sum > requested {
        ToldRule::Longer
    } else {
        ToldRule::Shorter
    }
}

#[cfg(test)]
mod tests {
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
        TracedCalls {
            method: "x".to_owned(),
            requested,
            start: Nanos::new(900),
            end,
            calls: made,
            ..Default::default()
        }
    }

    fn told_of(sleeps: &[TracedCalls]) -> ToldTime {
        let note = Note { traced_calls: sleeps.to_vec(), ..Note::default() };
        let found = told(&note, "x");
        assert_eq!((found.len(), told(&note, "y").len()), (1, 0));
        found[0].clone()
    }

    const MS: i64 = 1_000_000;

    #[test]
    fn whole_milliseconds_are_told_as_the_rule_they_follow() {
        for (calls, rule) in [
            (vec![("epoll_wait", 2 * MS, true)], ToldRule::RoundedUp),
            (vec![("epoll_pwait", MS, true), ("epoll_pwait", MS, true)], ToldRule::RoundedUp),
            (vec![("epoll_wait", MS, true)], ToldRule::Truncated),
            (vec![("futex", 1_998_000, false)], ToldRule::RoundedUp),
            (vec![("clock_nanosleep", 1_492_000, false)], ToldRule::AsAsked),
            (vec![("epoll_wait", 4 * MS, true)], ToldRule::Longer),
            (vec![("nanosleep", 200_000, false)], ToldRule::Shorter),
        ] {
            let found = told_of(&[sleep(&calls), sleep(&calls)]);
            assert_eq!((found.rule, found.told.len()), (rule, calls.len()), "{calls:?}");
            assert_eq!((found.sleeps, found.agreeing, found.exact), (2, 2, calls[0].2), "{calls:?}");
        }
    }

    #[test]
    fn the_longest_wait_names_the_call_and_odd_sleeps_are_outvoted() {
        let usual = sleep(&[("nanosleep", 20_000, false), ("epoll_wait", 2 * MS, true), ("nanosleep", 20_000, false)]);
        let odd = sleep(&[("epoll_wait", MS, true)]);
        let found = told_of(&[usual.clone(), odd, usual]);
        assert_eq!((found.call.as_str(), found.told.as_slice()), ("epoll_wait", &[Nanos::new(2 * MS)][..]));
        assert_eq!((found.sleeps, found.agreeing), (3, 2));
    }

    #[test]
    fn a_wait_that_its_thread_gave_up_is_none_and_others_beside_the_longest_are_not_added() {
        // A timer that is set, and set again 5 µs later.
        let mut twice = sleep(&[("timerfd_settime", 1_500_000, false), ("timerfd_settime", 1_495_000, false)]);
        let second = twice.calls[0].at + Nanos::from_micros(5);
        twice.calls[1].at = second;
        twice.calls[1].timer = Some(second + Nanos::new(1_495_000));
        let found = told_of(std::slice::from_ref(&twice));
        assert_eq!((found.told.as_slice(), found.rule), (&[Nanos::new(1_495_000)][..], ToldRule::AsAsked));
        // Another thread's shorter wait at the same time.
        twice.calls[1].tid = 2;
        let found = told_of(&[twice]);
        assert_eq!(found.told, [Nanos::new(1_500_000)]);
    }

    #[test]
    fn waits_that_outlast_the_sleep_and_timers_of_other_clocks_are_none() {
        let mut long = sleep(&[("futex", 5 * MS, false)]);
        long.end = Nanos::new(2 * MS);
        let mut other = sleep(&[("futex", MS, false)]);
        other.calls[0].timer = Some(Nanos::from_secs(1_700_000_000));
        assert!(told(&Note { traced_calls: vec![long, other], ..Note::default() }, "x").is_empty());
    }
}
