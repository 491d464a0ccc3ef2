//! What the survey comes to, in a few lines above the tables.

use super::{cost, drift, per_call, seen};
use oversleep_recording::document::clocks::{Across, Clock, Clocks};
use oversleep_recording::plan::ClockName;
use std::fmt::Write;

/// Most clocks that a line names.
const NAMED: usize = 3;

/// Returns the lines: the clock of sleeps, clocks that went backwards, and the largest difference of two rates.
pub(super) fn text(survey: &Clocks) -> String {
    let mut out = String::new();
    let monotonic = survey.clocks.iter().find(|clock| clock.clock == ClockName::Monotonic.name());
    if let Some((clock, ns)) = monotonic.and_then(|clock| Some((clock, cost(clock)?))) {
        let step = clock.steps.map_or_else(String::new, |_| format!(", smallest step {}", seen(clock)));
        _ = writeln!(out, "{}, the clock of most sleeps: {} ns a reading{step}.", clock.clock, per_call(ns));
    }
    out += &backwards(&survey.clocks);
    if let Some((pair, size)) = drift::largest(survey) {
        _ = writeln!(out, "The rates differ by at most {size} ppm ({} and {}).", pair.clock, pair.against);
    } else if !survey.drift.is_empty() {
        _ = writeln!(out, "No difference of two rates was seen in {}.", survey.drift_window);
    }
    if out.is_empty() { out } else { out + "\n" }
}

fn backwards(clocks: &[Clock]) -> String {
    let back = |clock: &&Clock| clock.steps.is_some_and(|steps| steps.backwards > 0);
    let apart = |clock: &&Clock| matches!(clock.across_cpus, Some(Across::Compared { earlier: 1.., .. }));
    if !clocks.iter().any(|clock| clock.steps.is_some()) {
        return String::new();
    }
    let mut out = match named(clocks.iter().filter(back)) {
        None => "No clock went backwards on one thread.\n".to_owned(),
        Some(names) => format!("Went backwards: {names}.\n"),
    };
    if let Some(names) = named(clocks.iter().filter(apart)) {
        _ = writeln!(out, "Read earlier on another processor: {names}.");
    }
    out
}

/// Returns the names of clocks, at most three and the number of the others; `None` without any.
fn named<'a>(clocks: impl Iterator<Item = &'a Clock>) -> Option<String> {
    let names: Vec<&str> = clocks.map(|clock| clock.clock.as_str()).collect();
    let more = names.len().saturating_sub(NAMED);
    let shown = names[..names.len() - more].join(", ");
    match more {
        0 if names.is_empty() => None,
        0 => Some(shown),
        more => Some(format!("{shown} and {more} more")),
    }
}
