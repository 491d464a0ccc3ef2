//! What the kernel was asked for a request: the system call, and the time that it was given.
//!
//! A trace shows calls and threads, not for whom a thread waits. So a rule is read only from sleeps with a wait of
//! their own ([`Matched`]), and stated only if more than half of all traced sleeps show it.

use super::points::median;
use oversleep_recording::document::runtimes::{KernelRequest, RequestChange};
use oversleep_recording::{Note, TimedCall, TracedCalls};
use oversleep_sys::units::Nanos;
use std::collections::{BTreeMap, HashMap};

/// Tolerance for a time read from a timer, which should be the call's entry plus the request: the way into the kernel.
const NEAR: Nanos = Nanos::from_micros(30);
/// Timers that expire later than this after their call count on another clock.
const FAR: Nanos = Nanos::from_secs(3_600);

/// Returns what the kernel was given for each of a method's requests, in the order in which they were traced.
pub fn kernel_requests(note: &Note, method: &str) -> Vec<KernelRequest> {
    let mut requests: Vec<Nanos> = Vec::new();
    let traced = || note.traced_calls.iter().filter(|sleep| sleep.method == method);
    for sleep in traced() {
        if !requests.contains(&sleep.requested) {
            requests.push(sleep.requested);
        }
    }
    let uses = uses(traced());
    let of = |request: &Nanos| {
        let sleeps: Vec<_> = traced().filter(|sleep| sleep.requested == *request).collect();
        kernel_request(*request, &sleeps, &uses)
    };
    requests.iter().map(of).collect()
}

/// The number of sleeps in which each wait, by its thread and beginning, may belong.
type Uses = HashMap<(i32, Nanos), u64>;

fn uses<'a>(sleeps: impl Iterator<Item = &'a TracedCalls>) -> Uses {
    let mut uses = Uses::new();
    for wait in sleeps.flat_map(waits_of) {
        *uses.entry((wait.tid, wait.at)).or_default() += 1;
    }
    uses
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

fn kernel_request(requested: Nanos, sleeps: &[&TracedCalls], uses: &Uses) -> KernelRequest {
    let longest = sleeps.iter().filter_map(|sleep| waits_of(sleep).into_iter().max_by_key(|wait| wait.told));
    let call = usual(longest.map(|wait| wait.call)).unwrap_or_default();
    let matched: Vec<Matched<'_>> = sleeps.iter().map(|sleep| matched(sleep, call, uses)).collect();
    let count = |is: fn(&Matched<'_>) -> bool| matched.iter().filter(|matched| is(matched)).count() as u64;
    let (shared, by_others) =
        (count(|matched| matches!(matched, Matched::Shared)), count(|matched| matches!(matched, Matched::ByOthers)));
    let chains: Vec<&Vec<Wait<'_>>> = matched
        .iter()
        .filter_map(|matched| if let Matched::Own(chain) = matched { Some(chain) } else { None })
        .collect();
    let series: Vec<Vec<Nanos>> = chains.iter().map(|chain| chain.iter().map(|wait| wait.told).collect()).collect();
    let exact = !chains.is_empty() && chains.iter().copied().flatten().all(|wait| wait.exact);
    // Arguments repeat exactly. Times read from timers do not: the median of each wait in the sequence is used.
    let usual = if exact { usual(series.iter().cloned()) } else { middle(&series) }.unwrap_or_default();
    let agrees = |series: &&Vec<Nanos>| if exact { **series == usual } else { series.len() == usual.len() };
    let agreeing = series.iter().filter(agrees).count();
    KernelRequest {
        requested,
        call: (!chains.is_empty()).then(|| call.to_owned()),
        exact,
        rule: (agreeing * 2 > sleeps.len()).then(|| rule(requested, &usual, exact)),
        sleeps: sleeps.len() as u64,
        agreeing: agreeing as u64,
        own: chains.len() as u64,
        shared,
        by_others,
        told: usual,
    }
}

/// What the trace shows of a sleep's wait.
enum Matched<'a> {
    /// One thread's waits, begun and over within this sleep and no other; when the sleep ended, the thread did not wait.
    Own(Vec<Wait<'a>>),
    /// Its wait may also be another sleep's: the times of a probe with a clock of its own are known only roughly.
    Shared,
    /// Several threads waited, and any of them may have ended the sleep; or the thread was in its next wait when the
    /// sleep ended: if its wait ended the sleep, it woke another thread for that; or it had nothing to do with it.
    ByOthers,
    /// There is no wait that began and was over within the sleep. One that began before may have served it.
    Nothing,
}

fn matched<'a>(sleep: &'a TracedCalls, call: &str, uses: &Uses) -> Matched<'a> {
    let waits: Vec<Wait<'a>> = waits_of(sleep).into_iter().filter(|wait| wait.call == call).collect();
    let chain = chain(&waits);
    let Some(thread) = chain.first().map(|wait| wait.tid) else { return Matched::Nothing };
    if sleep.left_out > 0 {
        return Matched::Nothing;
    }
    if chain.iter().any(|wait| uses.get(&(wait.tid, wait.at)).is_some_and(|uses| *uses > 1)) {
        return Matched::Shared;
    }
    // Go's watchdog waits for the next timer beside the thread that waits for it: both may have ended the sleep.
    let others = waits_of(sleep).iter().any(|wait| wait.tid != thread && !waits_at_end(sleep, wait.tid));
    let in_turn = chain.iter().any(|wait| wait.tid != thread);
    if others || in_turn || waits_at_end(sleep, thread) { Matched::ByOthers } else { Matched::Own(chain) }
}

/// Returns whether a thread was waiting when the sleep ended, as far as its last call shows.
fn waits_at_end(sleep: &TracedCalls, thread: i32) -> bool {
    let before_end = |call: &&TimedCall| call.tid == thread && call.at < sleep.end - sleep.clock_error;
    let last = sleep.calls.iter().rfind(before_end);
    last.is_some_and(|last| wait(last).is_none_or(|wait| wait.end() > sleep.end + sleep.clock_error))
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

/// Returns waits that follow each other: the longest, and the others that do not overlap one already taken.
fn chain<'a>(waits: &[Wait<'a>]) -> Vec<Wait<'a>> {
    let mut longest: Vec<_> = waits.iter().collect();
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
fn rule(requested: Nanos, told: &[Nanos], exact: bool) -> RequestChange {
    let sum = told.iter().fold(Nanos::ZERO, |sum, told| sum + *told);
    let places = i64::try_from(told.len()).unwrap_or(1);
    let near = if exact { Nanos::ZERO } else { NEAR.saturating_mul(places) };
    let unit = Nanos::MILLISECOND;
    let whole = Nanos::new((sum.get() + unit.get() / 2) / unit.get() * unit.get());
    let is_whole = whole > Nanos::ZERO && (sum - whole).abs() <= near;
    // With a deadline, the time until the call is already gone: at most a twentieth of the request.
    let slack = if exact { Nanos::ZERO } else { NEAR.max(Nanos::new(requested.get() / 20)) };
    if (sum - requested).abs() <= slack {
        RequestChange::AsAsked
    } else if is_whole && whole > requested && whole - requested < unit {
        RequestChange::RoundedUp
    } else if is_whole && whole < requested && requested - whole < unit {
        RequestChange::Truncated
    } else if sum > requested {
        RequestChange::Longer
    } else {
        RequestChange::Shorter
    }
}

#[cfg(test)]
mod tests;
