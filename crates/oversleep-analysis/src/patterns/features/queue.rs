//! Waiting behind busy threads: each runs for its quantum before the sleeper's turn comes.

use super::group::{Group, View};
use super::robust::{Line, line, median};

/// A run queue found in the rhythm of wake-ups.
#[derive(Debug, Clone, PartialEq)]
pub struct Queue {
    /// Processor time each thread ahead takes before the next one's turn, in ns of the clock.
    pub quantum: f64,
    /// Standard error of `quantum`.
    pub error: f64,
    /// How many threads are ahead.
    pub threads: u32,
    /// Indices of the views in which it was seen.
    pub views: Vec<usize>,
    /// Whether yields, which ask for no timer, are among them.
    pub yields: bool,
}

/// The usual time from wake-up to wake-up of one cell whose sleeps are back to back, in ns.
#[derive(Debug, Clone, Copy)]
struct Rhythm {
    view: usize,
    requested: f64,
    turn: f64,
    yields: bool,
}

/// Looks for a run queue in the back-to-back sleeps of groups that share their conditions (yields among them).
///
/// With `n` threads of quantum `q` ahead, a sleep of `R` that starts as its thread's turn begins ends after
/// `(floor(R / q) + n) × q`: the timer fires within some thread's quantum, and `n` quanta end before the next turn. A
/// tick-driven timer without load looks the same with n = 1 and q = one tick. So without yields (which ask for no
/// timer) only quanta above 16 ms count, with a single thread above 30 ms.
pub fn find(views: &[View<'_>], groups: &[&Group]) -> Option<Queue> {
    let rhythms: Vec<Rhythm> = groups.iter().flat_map(|group| rhythms(views, group)).collect();
    let shortest = rhythms.iter().map(|rhythm| rhythm.turn).fold(f64::INFINITY, f64::min);
    if rhythms.len() < 3 || shortest < 2e6 {
        return None;
    }
    let yields = rhythms.iter().any(|rhythm| rhythm.yields);
    // Sleeps to the next whole second recur as evenly without busy threads: requests must differ to show turns.
    let asked = || rhythms.iter().map(|rhythm| rhythm.requested);
    let apart = asked().fold(0.0, f64::max) > 1.5 * asked().fold(f64::INFINITY, f64::min);
    if !yields && !apart {
        return None;
    }
    let (threads, quantum) = (1..=16u32)
        .map(|threads| (threads, shortest / f64::from(threads)))
        .filter(|&(threads, quantum)| yields || (quantum > 16e6 && (threads > 1 || quantum > 30e6)))
        .find(|&(threads, quantum)| fits(&rhythms, threads, quantum))?;
    let measured = measured(groups, quantum);
    Some(Queue {
        quantum: measured.map_or(quantum, |line| line.slope),
        error: measured.map_or(quantum * 0.01, |line| line.error),
        threads,
        views: rhythms.iter().map(|rhythm| rhythm.view).collect(),
        yields,
    })
}

fn rhythms(views: &[View<'_>], group: &Group) -> Vec<Rhythm> {
    let of_view = |&view: &usize| {
        let sleeps: Vec<_> = group.sleeps.iter().filter(|sleep| sleep.view == view).collect();
        let mut turns = Vec::new();
        let mut back_to_back = 0usize;
        for pair in sleeps.windows(2) {
            turns.push(pair[1].end - pair[0].end);
            back_to_back += usize::from(pair[1].start - pair[0].end < 0.02 * (pair[1].end - pair[0].end));
        }
        let turn = median(&turns)?;
        let steady = turns.iter().filter(|other| (**other - turn).abs() < 0.05 * turn).count();
        let counts = turns.len() >= 4 && back_to_back * 10 >= turns.len() * 8 && steady * 10 >= turns.len() * 7;
        counts.then(|| Rhythm { view, requested: views[view].requested as f64, turn, yields: group.yields() })
    };
    group.views.iter().filter_map(of_view).collect()
}

fn fits(rhythms: &[Rhythm], threads: u32, quantum: f64) -> bool {
    let fitting = |rhythm: &&Rhythm| {
        let slop = 0.04 * quantum + 1e-3 * rhythm.turn;
        let turns = |shift: f64| ((rhythm.requested + shift) / quantum).floor() + f64::from(threads);
        // A request of whole quanta may end on either side of the end of one.
        [0.0, slop, -slop].iter().any(|&shift| (rhythm.turn - turns(shift) * quantum).abs() < slop)
    };
    let short_of_all = rhythms.iter().filter(fitting).count();
    short_of_all * 10 >= rhythms.len() * 9
}

/// Measures the quantum by all turns: each takes a whole number of quanta and a small constant, which is the line's
/// intercept and so does not lengthen the quantum.
fn measured(groups: &[&Group], quantum: f64) -> Option<Line> {
    let turns = groups.iter().flat_map(|group| group.sleeps.windows(2)).map(|pair| pair[1].end - pair[0].end);
    let points: Vec<(f64, f64)> =
        turns.map(|turn| ((turn / quantum).round(), turn)).filter(|point| point.0 > 0.0).collect();
    line(&points).filter(|line| (line.slope / quantum - 1.0).abs() < 0.05)
}
