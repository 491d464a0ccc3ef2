//! What the survey comes to, in a few lines above the tables.

use super::{cost, drift, per_call, seen};
use oversleep_recording::document::clocks::{Across, Clock, Clocks};
use oversleep_recording::plan::ClockName;

/// Most clocks that a line names.
const NAMED: usize = 3;

/// Returns the sentences: the clock of sleeps, clocks that went backwards, and the largest difference of two rates.
pub fn sentences(survey: &Clocks) -> Vec<String> {
    let monotonic = survey.clocks.iter().find(|clock| clock.clock == ClockName::Monotonic.name());
    let read = monotonic.and_then(|clock| Some((clock, cost(clock)?))).map(|(clock, ns)| {
        let step = clock.steps.map_or_else(String::new, |_| format!(", smallest step {}", seen(clock)));
        format!("{}, the clock of most sleeps: {} ns a reading{step}.", clock.clock, per_call(ns))
    });
    read.into_iter().chain(backwards(&survey.clocks)).chain(rates(survey)).collect()
}

fn rates(survey: &Clocks) -> Option<String> {
    match drift::largest(survey) {
        Some((pair, size)) => {
            Some(format!("The rates differ by at most {size} ppm ({} and {}).", pair.clock, pair.against))
        }
        None if survey.drift.is_empty() => None,
        None => Some(format!("No difference of two rates was seen in {}.", survey.drift_window)),
    }
}

fn backwards(clocks: &[Clock]) -> Vec<String> {
    let back = |clock: &&Clock| clock.steps.is_some_and(|steps| steps.backwards > 0);
    let apart = |clock: &&Clock| matches!(clock.across_cpus, Some(Across::Compared { earlier: 1.., .. }));
    if !clocks.iter().any(|clock| clock.steps.is_some()) {
        return Vec::new();
    }
    let alone = named(clocks.iter().filter(back)).map_or_else(
        || "No clock went backwards on one thread.".to_owned(),
        |names| format!("Went backwards: {names}."),
    );
    let across = named(clocks.iter().filter(apart)).map(|names| format!("Read earlier on another processor: {names}."));
    std::iter::once(alone).chain(across).collect()
}

/// Returns the names of clocks, at most three and the number of the others; `None` without any.
fn named<'a>(clocks: impl Iterator<Item = &'a Clock>) -> Option<String> {
    let names: Vec<&str> = clocks.map(|clock| clock.clock.as_str()).collect();
    let others = names.len().saturating_sub(NAMED);
    let shown = names[..names.len() - others].join(", ");
    match others {
        0 if names.is_empty() => None,
        0 => Some(shown),
        others => Some(format!("{shown} and {others} more")),
    }
}
