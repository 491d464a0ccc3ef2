//! Notes below the figures: what was unavailable, what was lost.

use super::style::Screen;
use oversleep_figures::CellSummary;
use oversleep_figures::quantile::{Fraction, samples_needed};
use oversleep_recording::plan::{CONDITIONS, Kind, Policy};
use oversleep_recording::{Meta, Note, Origin, Unobtained};
use std::collections::BTreeMap;

/// Returns the meaning of the figures, in one line; where a 99th percentile is missing, with the number of sleeps it needs.
pub fn convention(cells: &[CellSummary], screen: Screen) -> String {
    let few = cells.iter().any(|cell| cell.raw.n > 0 && cell.raw.p99.is_none());
    let needed = if few { format!(" (p99 needs {})", samples_needed(Fraction::P99)) } else { String::new() };
    let line = format!("oversleep = actual − requested, signed; quantiles by nearest rank; –: too few samples{needed}");
    screen.lines(0, &screen.aside(&line))
}

/// Returns what a privileged user could measure in addition, in one line; empty for root.
pub fn privileges(meta: &Meta, screen: Screen) -> String {
    let limits = &meta.machine.limits;
    if limits.root != Some(false) || meta.origin != Origin::Live {
        return String::new();
    }
    let line = match limits.realtime_priority {
        Some(0) => {
            "root would add: real-time policies (--policy 80), held latency (--latency-hold 0us), kernel events \
             (--trace, --on-late)"
        }
        _ => {
            "root would add: held latency (--latency-hold 0us), kernel events (--trace, --on-late); real-time policies \
             you have already"
        }
    };
    screen.lines(0, &screen.aside(line))
}

/// Returns what the trace of a privileged user would add, in one line; empty for root.
pub fn tracing_privileges(meta: &Meta, screen: Screen) -> String {
    if meta.machine.limits.root != Some(false) || meta.origin != Origin::Live {
        return String::new();
    }
    screen.lines(
        0,
        &screen.aside("root would add: the kernel's own events, which name each microsecond (run it with sudo)"),
    )
}

/// Says that a held latency forbids nothing, where the kernel has no idle states; empty where none is held.
pub fn nothing_to_hold(meta: &Meta, screen: Screen) -> String {
    let idle = &meta.machine.idle;
    let held = meta.plan.cells.iter().any(|cell| cell.conditions.latency_hold.is_some());
    if !held || !idle.states.is_empty() || idle.driver.as_deref() != Some("none") {
        return String::new();
    }
    let line = "the held latency changes nothing here: this kernel has no driver of idle states (cpuidle), so there are none to \
                forbid";
    screen.lines(0, &screen.warning(line))
}

/// Returns a warning for each condition that was refused, then one line for each other reason, with everything that was
/// unavailable because of it.
pub fn unavailable(meta: &Meta, note: &Note, screen: Screen) -> String {
    let mut reasons: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    let mut out = String::new();
    for missing in meta.unavailable.iter().chain(&note.unavailable) {
        if is_condition(&missing.what) {
            out += &screen.lines(0, &screen.warning(&format!("WARNING: {}", refused(meta, note, missing))));
        } else {
            reasons.entry((&missing.kind, &missing.why)).or_default().push(&missing.what);
        }
    }
    let line = |((kind, why), what): ((&str, &str), Vec<&str>)| {
        screen.lines(0, &format!("{} {}: {why}", screen.warning(kind), what.join(", ")))
    };
    out + &reasons.into_iter().map(line).collect::<String>()
}

/// Returns the refusals of requested conditions and named methods. Limits mean nothing for figures
/// measured under other conditions.
pub fn refusals(meta: &Meta, note: &Note) -> Vec<String> {
    let named = |what: &str| meta.plan.kind != Kind::CheckUp && meta.plan.cells.iter().any(|cell| cell.method == what);
    let refusals = note.unavailable.iter().filter_map(|missing| match missing.what.as_str() {
        what if is_condition(what) => Some(refused(meta, note, missing)),
        // Some of its sleeps may have been measured before.
        what if named(what) && missing.kind == "failed" => Some(format!("{what} failed: {}", missing.why)),
        what if named(what) => Some(format!("{what} was not measured: {}: {}", missing.kind, missing.why)),
        _ => None,
    });
    refusals.collect()
}

/// Returns whether the unavailable thing is a requested condition.
pub(super) fn is_condition(what: &str) -> bool {
    CONDITIONS.iter().any(|row| row.name == what)
}

/// Formats a refusal: `SCHED_FIFO 80 refused (Operation not permitted); these figures are SCHED_OTHER`.
fn refused(meta: &Meta, note: &Note, missing: &Unobtained) -> String {
    let policies = meta.plan.cells.iter().filter_map(|cell| {
        let of_cell = note.obtained.iter().rfind(|note| note.cell == cell.id);
        Some((cell.conditions.policy?, of_cell.and_then(|note| note.conditions.policy)))
    });
    refusal(&missing.what, &missing.why, policies)
}

/// Formats the refusal of one condition in the same way; `policies` are those asked for, each with the one that was obtained.
pub(super) fn refusal(what: &str, why: &str, policies: impl Iterator<Item = (Policy, Option<Policy>)>) -> String {
    if what != "policy" {
        return format!("{what} refused ({why}); these figures are without it");
    }
    let mut asked: Vec<String> = Vec::new();
    let mut got: Vec<String> = Vec::new();
    for (policy, obtained) in policies.filter(|(policy, obtained)| *obtained != Some(*policy)) {
        asked.push(scheduler(policy));
        got.extend(obtained.map(scheduler));
    }
    for list in [&mut asked, &mut got] {
        list.sort();
        list.dedup();
    }
    let instead = if got.is_empty() { String::new() } else { format!("; these figures are {}", got.join(" and ")) };
    format!("{} refused ({why}){instead}", if asked.is_empty() { "policy".to_owned() } else { asked.join(" and ") })
}

/// Formats a policy as in manual pages: `SCHED_FIFO 80`.
fn scheduler(policy: Policy) -> String {
    let text = policy.to_string();
    let (name, rest) = text.split_once(' ').map_or((text.as_str(), ""), |(name, rest)| (name, rest));
    format!("SCHED_{} {rest}", name.to_uppercase()).trim_end().to_owned()
}

/// Returns observations that the figures do not show.
pub fn remarks(note: &Note, cells: &[CellSummary], screen: Screen) -> String {
    let mut out = String::new();
    let mut say = |text: String| out.push_str(&screen.lines(0, &screen.warning(&text)));
    if note.lost > 0 {
        say(format!("{} samples were lost: they came faster than they could be kept", note.lost));
    }
    note.unsound.iter().for_each(|unsound| say(unsound.to_string()));
    for cell in cells {
        if cell.failed > 0 {
            say(format!("{}: {} calls failed and are not in the figures", cell.cell.method, cell.failed));
        }
        if cell.interrupted > 0 {
            say(format!("{}: {} sleeps were ended by a signal", cell.cell.method, cell.interrupted));
        }
    }
    if let Some(cell) = cells.iter().find(|cell| !cell.raw.exact && cell.raw.n > 0) {
        let n = cell.raw.n;
        say(format!("some quantiles of {n} samples come from a histogram: exact to three digits"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::plan::{Cell, Conditions, Pattern, Plan};
    use oversleep_sys::units::Nanos;

    /// Returns the head of a run that held the latency, on a kernel with this idle driver.
    fn held(driver: Option<&str>) -> Meta {
        let conditions = Conditions { latency_hold: Some(Nanos::ZERO), ..Conditions::default() };
        let cell = Cell { conditions, ..Cell::new(0, "nanosleep", Pattern::fixed(Nanos::MILLISECOND)) };
        let plan = Plan { kind: Kind::Measure, cells: vec![cell], turns: Vec::new(), seed: 1 };
        let mut meta = Meta::new("test", Origin::Live, plan);
        meta.machine.idle.driver = driver.map(str::to_owned);
        meta
    }

    #[test]
    fn a_hold_without_idle_states_is_said_to_change_nothing() {
        let text = nothing_to_hold(&held(Some("none")), Screen::PLAIN);
        assert!(
            text.starts_with("the held latency changes nothing here: this kernel has no driver of idle states"),
            "{text}"
        );
        // Where the driver is not known, nothing is claimed.
        assert_eq!(nothing_to_hold(&held(Some("intel_idle")), Screen::PLAIN), "");
        assert_eq!(nothing_to_hold(&held(None), Screen::PLAIN), "");
    }

    #[test]
    fn every_report_words_a_refusal_alike() {
        let fifo = Policy::Fifo { priority: 80 };
        let text = |what: &str, got| refusal(what, "no rights", [(fifo, got)].into_iter());
        assert_eq!(
            text("policy", Some(Policy::Other)),
            "SCHED_FIFO 80 refused (no rights); these figures are SCHED_OTHER"
        );
        assert_eq!(text("policy", None), "SCHED_FIFO 80 refused (no rights)");
        assert_eq!(text("memory lock", None), "memory lock refused (no rights); these figures are without it");
    }
}
