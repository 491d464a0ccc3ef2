//! Mechanisms that delay only some sleeps: garbage collections, and turns that others have first.

use super::fit::{Fit, Native};
use super::pause::pause;
use super::points::{Point, RequestSeries, median};
use oversleep_recording::document::runtimes::Mechanism;

/// Shortest pause that is named, in ns: shorter ones cannot be told from other delays.
const LEAST_PAUSE: f64 = 1e6;
/// Least excess of the share of delayed sleeps over the native primitive's, if yielding causes the delays.
const LEAST_YIELDING: f64 = 0.15;
/// Least share of the sleeps of each request that are not delayed, if yielding causes the delays: with no other task
/// waiting there is no turn. What delays all of them is another rule.
const LEAST_UNDELAYED: f64 = 0.1;
/// Largest distance of delays from multiples of a turn, as a share of it, at the median.
const NEAR_MULTIPLE: f64 = 0.1;

/// Most turns that others have first, at the median.
const MOST_TURNS: f64 = 4.0;
/// Least share of the delays that each number of turns has, up to the usual largest one. Delays of one length are no turns,
/// and who has waited for three turns of others has at times waited for two.
const LEAST_OF_EACH: f64 = 0.1;
/// Largest distance of a turn from the primitive's own lateness, as a share of that, at which the turn may as well be a
/// second wait of the primitive: Go waits twice for 1.5 ms, and a timer thread wakes another one. Also from the turns that
/// the primitive waits for.
const NEAR_NATIVE: f64 = 0.3;

/// A mechanism, its size in ns, and the number of sleeps that show it.
pub(super) type Struck = (Mechanism, f64, u64);

/// Returns the mechanisms that delay only some sleeps, beyond what the fit predicts.
pub(super) fn struck(series: &[RequestSeries], beside: &[RequestSeries], fit: &Fit, native: &Native) -> Vec<Struck> {
    let rest = |point: &Point| point.end - fit.predict(point, native);
    let points = || series.iter().flat_map(|of| &of.points);
    let mut found = Vec::new();
    let collections = pause(series, rest, |point| fit.duration(point, native)).filter(|(size, _)| *size >= LEAST_PAUSE);
    found.extend(collections.map(|(size, sleeps)| (Mechanism::GarbageCollection, size, sleeps)));
    let threshold = threshold(native);
    // A delay is what comes on top of the runtime's own code.
    let calm = median(points().map(rest).filter(|rest| *rest <= threshold).collect()).max(0.0);
    let late = points().filter(|point| !point.collected).map(rest).filter(|&rest| rest > threshold);
    let delays: Vec<f64> = late.map(|rest| rest - calm).collect();
    let share = delays.len() as f64 / points().count().max(1) as f64;
    let waits_again = |turn: f64| {
        let late = |of: &RequestSeries| native.late(of.requested.as_f64());
        beside.iter().any(|of| (turn - late(of)).abs() < NEAR_NATIVE * late(of))
    };
    let delayed = |of: &RequestSeries| of.points.iter().filter(|point| rest(point) > threshold).count() as f64;
    let some_undelayed = |of: &RequestSeries| delayed(of) <= (1.0 - LEAST_UNDELAYED) * of.points.len() as f64;
    let often = share > late_share(beside, native, threshold) + LEAST_YIELDING;
    let yields = turns(&delays).filter(|_| often && series.iter().all(some_undelayed));
    // A busy machine's scheduler makes both wait for turns of its own.
    let of_machine = turns(&native_delays(beside, native, threshold)).map(|(_, turn, _)| turn).next();
    let is_machine_s = |turn: f64| of_machine.is_some_and(|other| (turn - other).abs() < NEAR_NATIVE * other);
    found.extend(yields.filter(|(_, turn, _)| !waits_again(*turn) && !is_machine_s(*turn)));
    found
}

/// Returns from how far beyond the prediction, in ns, a sleep is delayed: more than the primitive's scatter.
pub(super) fn threshold(native: &Native) -> f64 {
    (6.0 * native.noise).max(60e3)
}

/// Returns the share of the native primitive's sleeps that are later than usual by more than the threshold.
fn late_share(beside: &[RequestSeries], native: &Native, threshold: f64) -> f64 {
    let all = beside.iter().map(|of| of.points.len()).sum::<usize>();
    native_delays(beside, native, threshold).len() as f64 / all.max(1) as f64
}

/// Returns by how much the native primitive's sleeps are later than usual, where by more than the threshold.
fn native_delays(beside: &[RequestSeries], native: &Native, threshold: f64) -> Vec<f64> {
    let later = |point: &Point| point.lateness() - native.late(point.requested);
    beside.iter().flat_map(|of| &of.points).map(later).filter(|&later| later > threshold).collect()
}

/// Returns the turn of which the delays are multiples.
fn turns(delays: &[f64]) -> impl Iterator<Item = Struck> {
    let mut sorted = delays.to_vec();
    sorted.sort_by(f64::total_cmp);
    // The shortest delays are those of a single turn.
    let off = |delay: f64, turn: f64| (delay / turn - (delay / turn).round()).abs();
    let first = sorted.get(sorted.len() / 10).copied().unwrap_or(0.0);
    let ones: Vec<f64> = sorted.iter().copied().filter(|delay| *delay < 1.5 * first).collect();
    let turn = median(ones);
    // All others' turns together are no more than a few; longer delays come from a busy machine.
    let few = median(sorted.iter().map(|delay| delay / turn).collect()) <= MOST_TURNS;
    let near = median(sorted.iter().map(|&delay| off(delay, turn)).collect()) < NEAR_MULTIPLE;
    let fits = few && near && sorted.len() >= 20 && are_all_there(&sorted, turn);
    fits.then_some((Mechanism::YieldsFirst, turn, sorted.len() as u64)).into_iter()
}

/// Returns whether delays of one turn, of two, and of each further number up to the usual largest are all there.
fn are_all_there(sorted: &[f64], turn: f64) -> bool {
    let share = |turns: f64| {
        let of_turns = sorted.iter().filter(|&&delay| (delay / turn - turns).abs() < 0.5).count();
        of_turns as f64 / sorted.len() as f64
    };
    let usual = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0].map(|turns| share(turns) >= LEAST_OF_EACH);
    let first = usual.iter().take_while(|&&is_there| is_there).count();
    first >= 2 && usual[first..].iter().all(|&is_there| !is_there)
}
