//! The causes in a few lines, for the check-up: each with its size, where it was found, and the first remedy.

use super::{in_words, size, undecided, worth_a_line};
use crate::style::Screen;
use oversleep_recording::document::{Diagnosis, Finding, Undecided, Unit};
use std::collections::BTreeMap;
use std::path::Path;

/// Returns one or two lines per cause, the most widespread first; remedies are those for `system` (as `uname` names it)
/// or for any system. `tail` is the question that the latest sleeps leave open; `file` is the recording's path.
pub fn brief(
    system: &str,
    diagnosis: &Diagnosis,
    tail: Option<&Undecided>,
    file: Option<&Path>,
    screen: Screen,
) -> String {
    let mut causes: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for found in diagnosis.all().filter(|found| worth_a_line(found)) {
        causes.entry(found.cause().name()).or_default().push(found);
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|(_, found)| std::cmp::Reverse(found.len()));
    let mut out = format!("{}\n", screen.heading("Why, from the pattern of the samples"));
    for (name, found) in &causes {
        let first = found[0];
        let where_found = places(found.len());
        let (name, spread, meaning) = (screen.heading(name), spread(found), first.cause().meaning());
        out += &screen.lines(2, &format!("{name}  {spread}, {where_found}: {meaning}"));
        if let Some(remedy) = first.remedy_on(system) {
            out += &screen.lines(4, &screen.aside(&in_words(remedy)));
        }
    }
    if causes.is_empty() {
        out += "  No cause stands out.\n";
    }
    if let Some(tail) = tail {
        out += &format!("\n{}", undecided::undecided(std::slice::from_ref(tail), screen));
    }
    // Not broken into lines, because it is there to be copied.
    let next = |file: &Path| format!("\nevidence and alternatives: oversleep explain {}\n", file.display());
    out + &file.map_or_else(String::new, next)
}

/// Returns the size, or the range of sizes.
fn spread(found: &[&Finding]) -> String {
    let unit: Unit = found[0].unit;
    let sizes = || found.iter().filter(|found| found.unit == unit).map(|found| found.size);
    let (least, most) = (sizes().fold(f64::MAX, f64::min), sizes().fold(f64::MIN, f64::max));
    let (least, most) = (size(least, unit), size(most, unit));
    if least == most { least } else { format!("{least} to {most}") }
}

fn places(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("in {count} places"),
    }
}
