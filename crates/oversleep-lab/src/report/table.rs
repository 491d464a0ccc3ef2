//! The ranking: one row per cell, the least late first.

use super::shape::Axis;
use super::style::{Look, align, figure, float, table, text};
use crate::figures::CellSummary;
use oversleep_recording::plan::{Conditions, Pattern};
use std::collections::BTreeSet;

/// Terminals narrower than this get fewer columns.
const WIDE: u16 = 118;

/// The cells that slept, ranked by median oversleep.
pub fn ranking(cells: &[CellSummary], look: Look) -> String {
    let mut slept: Vec<_> = cells.iter().filter(|cell| cell.raw.n > 0).collect();
    slept.sort_by_key(|cell| (cell.raw.p50.is_none(), cell.raw.p50, cell.raw.max));
    let axis = Axis::over(slept.iter().map(|cell| &cell.values));
    let columns = Columns::of(&slept, look);

    let labels = axis.labels();
    let mut header = vec!["method"];
    header.extend(columns.requests.then_some("asked"));
    header.extend(columns.conditions.then_some("conditions"));
    let left: Vec<usize> = if columns.conditions { vec![0, header.len() - 1] } else { vec![0] };
    header.push("n");
    header.extend(columns.early.then_some("early"));
    header.extend(columns.wide.then_some("min"));
    header.push("p50");
    header.extend(columns.wide.then_some("±"));
    header.extend(columns.wide.then_some("p90"));
    header.extend(["p99", "max", &labels]);
    let mut table = table(&header, look);
    for cell in &slept {
        table.add_row(columns.row(cell, &axis, look));
    }
    let left: Vec<_> = left.into_iter().chain([header.len() - 1]).collect();
    align(&mut table, &left);
    text(&table)
}

/// Which columns there are: those in which the rows differ, and those the terminal has room for.
#[allow(clippy::struct_excessive_bools)] // each says whether one column is there
struct Columns {
    requests: bool,
    conditions: bool,
    early: bool,
    wide: bool,
}

impl Columns {
    fn of(cells: &[&CellSummary], look: Look) -> Self {
        let requests: BTreeSet<_> = cells.iter().map(|cell| asked(cell)).filter(|asked| asked != "–").collect();
        let conditions: BTreeSet<_> =
            cells.iter().map(|cell| conditions(&cell.cell.conditions, cell.obtained.as_ref())).collect();
        Self {
            requests: requests.len() > 1,
            conditions: conditions.len() > 1,
            early: cells.iter().any(|cell| cell.raw.early > 0),
            wide: look.width >= WIDE,
        }
    }

    fn row(&self, cell: &CellSummary, axis: &Axis, look: Look) -> Vec<String> {
        let raw = &cell.raw;
        let mut row = vec![cell.cell.method.clone()];
        row.extend(self.requests.then(|| asked(cell)));
        row.extend(self.conditions.then(|| conditions(&cell.cell.conditions, cell.obtained.as_ref())));
        row.push(raw.n.to_string());
        row.extend(self.early.then(|| match raw.early {
            0 => "0".to_owned(),
            early => look.warning(&early.to_string()),
        }));
        row.extend(self.wide.then(|| figure(raw.min)));
        row.push(look.heading(&figure(raw.p50)));
        row.extend(self.wide.then(|| {
            let half = raw.p50_low.zip(raw.p50_high).map(|(low, high)| (high - low).as_f64() / 2.0);
            float(half)
        }));
        row.extend(self.wide.then(|| figure(raw.p90)));
        row.extend([figure(raw.p99), figure(raw.max), axis.shape(&cell.values)]);
        row
    }
}

/// What a cell asks for, shortly.
pub(super) fn asked(cell: &CellSummary) -> String {
    match cell.cell.pattern {
        Pattern::Fixed { requested } if cell.cell.row().is_some_and(|row| row.unit.step().is_none()) => {
            debug_assert_eq!(requested.get(), 0);
            "–".to_owned()
        }
        Pattern::Fixed { requested } => requested.to_string(),
        Pattern::Periodic { period } => format!("every {period}"),
        Pattern::Random { from, to } => format!("{from} to {to}"),
        Pattern::Aligned { to } => format!("next {to}"),
    }
}

/// What was asked to be different, and what came of it: the value obtained, whatever was asked for. Nothing for what
/// was left as it is.
pub fn conditions(asked: &Conditions, obtained: Option<&Conditions>) -> String {
    let got = obtained.unwrap_or(asked);
    let mut words = Vec::new();
    let mut say = |name: &str, asked: bool, got: Option<String>| {
        if asked {
            words.push(got.unwrap_or_else(|| format!("no {name}")));
        }
    };
    say("policy", asked.policy.is_some(), got.policy.map(|policy| policy.to_string()));
    say("nice", asked.nice.is_some(), got.nice.map(|nice| format!("nice {nice}")));
    let cpus = |cpus: &Vec<u32>| cpus.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    say("affinity", asked.affinity.is_some(), got.affinity.as_ref().map(|list| format!("cpu {}", cpus(list))));
    say("slack", asked.timer_slack.is_some(), got.timer_slack.map(|slack| format!("slack {slack}")));
    let locked = got.memory_locked.filter(|&locked| locked).map(|_| "memory locked".to_owned());
    say("memory lock", asked.memory_locked.is_some(), locked);
    say("latency hold", asked.latency_hold.is_some(), got.latency_hold.map(|hold| format!("latency held to {hold}")));
    let busy = got.load.or(asked.load).map(|load| format!("{} busy", load.threads));
    say("load", asked.load.is_some(), busy);
    say("threads", asked.threads.is_some(), got.threads.map(|threads| format!("{threads} threads")));
    words.extend(asked.traced.map(|traced| if traced { "traced" } else { "beside traced" }.to_owned()));
    if words.is_empty() { "as they are".to_owned() } else { words.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_os::settings::Policy;
    use oversleep_sys::units::Nanos;

    #[test]
    fn what_was_not_obtained_is_not_reported() {
        let asked = Conditions {
            policy: Some(Policy::Fifo { priority: 80 }),
            timer_slack: Some(Nanos::new(1)),
            latency_hold: Some(Nanos::ZERO),
            ..Conditions::default()
        };
        let obtained = Conditions {
            policy: Some(Policy::Other),
            timer_slack: Some(Nanos::new(1)),
            affinity: Some(vec![0, 1]),
            ..Conditions::default()
        };
        assert_eq!(conditions(&asked, Some(&obtained)), "other, slack 1 ns, no latency hold");
        assert_eq!(conditions(&Conditions::default(), Some(&obtained)), "as they are");
    }
}
