//! Laws of libraries that the catalogue does not know: ticks of their own, a constant, a share.

use super::{Ground, MS, ONE_REQUEST, US};
use crate::asked::candidate::{Candidate, Event, Variant};
use crate::asked::systems::tick_up;
use crate::asked::unknown::centre;
use std::collections::BTreeSet;

/// Periods that libraries, simulators and controllers tick with, in ms.
const PERIODS: [f64; 18] = [
    1.0, 2.0, 4.0, 5.0, 8.0, 10.0, 16.0, 16.666_67, 20.0, 25.0, 50.0, 64.0, 100.0, 200.0, 250.0, 500.0, 1000.0,
    10_000.0,
];

/// Laws of libraries that the catalogue does not know: ticks of their own, a constant, a share. Without two different
/// requests nothing tells a constant or a share from any other lateness.
pub(super) fn of_libraries(ground: &Ground<'_>) -> Vec<Candidate> {
    let stated = ground.stated;
    let known = stated.question.call_row().is_some();
    let named = stated.question.call.is_some();
    let different: BTreeSet<i64> = stated.question.pairs.iter().map(|pair| pair.requested.get()).collect();
    // Many round figures are near one of the periods: one request alone shows no tick.
    let shown = if different.len() < 2 { ONE_REQUEST } else { 1.0 };
    let prior = match (known, named) {
        (true, _) => 0.004,
        (_, true) => 0.12,
        _ => 0.05,
    };
    let tick = |extra: i64| {
        PERIODS.map(|period| Variant { weight: 1.0, laws: vec![tick_up(period * MS, extra)], event: Event::None })
    };
    let mut all = vec![Candidate::new(
        "library-tick",
        "a timer of the library or program with ticks of its own",
        shown * prior,
        [tick(0), tick(1)].concat(),
        "a timer of the system in place of the library's, or a shorter tick of it",
        "the same time by the system's own sleep: if that is right, the library ticks; then several lengths show its tick",
    )];
    if different.len() < 2 {
        return all;
    }
    // The sizes that the figures propose; that they do so costs what a size chosen beforehand would have had to hit.
    let mut sizes: Vec<f64> = stated.question.pairs.iter().map(|pair| centre(pair) - pair.requested.as_f64()).collect();
    sizes.sort_by(f64::total_cmp);
    let constant = sizes.iter().sum::<f64>() / sizes.len() as f64;
    if constant.abs() > 20.0 * US && ground.slept() {
        all.push(Candidate::new(
            "adds-constant",
            if constant > 0.0 { "a constant is added to each sleep, whatever its length: by the library, its clocks or its way to the thread" } else { "a constant is taken off each sleep, whatever its length" },
            0.004,
            vec![ground.with(0.5, Event::Constant(constant)), Variant { weight: 0.5, laws: Vec::new(), event: Event::Constant(constant) }],
            "a call nearer to the system; look at which clock the library computes deadlines on, and which it waits on",
            "the same times by the system's own sleep: if they are right, the constant is the library's",
        ));
    }
    // What is late whatever the length counts least in the longest.
    let longest = stated.question.pairs.iter().max_by_key(|pair| pair.requested);
    if let Some(ratio) = longest.map(|pair| centre(pair) / pair.requested.as_f64())
        && !ground.is_small()
        && (ratio - 1.0).abs() > 1e-3
        && ratio > 0.0
    {
        all.push(Candidate::new(
            "proportional",
            if ratio < 1.0 {
                "every sleep is shorter by the same share: a clock of another rate"
            } else {
                "every sleep is longer by the same share: a leeway, or a clock of another rate"
            },
            0.003,
            vec![
                ground.with(0.5, Event::Ratio(ratio)),
                Variant { weight: 0.5, laws: Vec::new(), event: Event::Ratio(ratio) },
            ],
            "look for a tolerance or leeway of the timer, and compare the clocks (oversleep clocks)",
            "sleep ten times as long: a share grows with it, up to the leeway's limit",
        ));
    }
    all
}
