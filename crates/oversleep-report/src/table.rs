//! The ranking of cells as a table, the smallest median first.

use super::columns::{self, Column};
use super::percent::percent;
use super::requests::Requests;
use super::shape::Axis;
use super::style::{Screen, figure, float};
use oversleep_figures::CellSummary;
use oversleep_recording::document::CostFigures;
use oversleep_recording::plan::{Conditions, Pattern};

/// Returns the cells that slept as a table, ranked by median oversleep. Columns in which all rows agree are left out,
/// and so are others if the terminal has no room for them.
pub fn ranking(cells: &[CellSummary], screen: Screen) -> String {
    let mut slept: Vec<_> = cells.iter().filter(|cell| cell.raw.n > 0).collect();
    slept.sort_by_key(|cell| (cell.raw.p50.is_none(), cell.raw.p50, cell.raw.max));
    let axis = Axis::over(slept.iter().map(|cell| &cell.values));
    let labels = axis.labels();
    let values = |f: &dyn Fn(&CellSummary) -> String| -> Vec<String> { slept.iter().map(|cell| f(cell)).collect() };
    let half = |cell: &CellSummary| {
        let ends = cell.raw.p50_low.zip(cell.raw.p50_high);
        float(ends.map(|(low, high)| (high - low).as_f64() / 2.0))
    };
    let early = |cell: &CellSummary| match cell.raw.early {
        0 => "0".to_owned(),
        early => screen.warning(&early.to_string()),
    };
    let mut columns = names(slept.iter().copied());
    columns.push(Column::figures("n", values(&|cell| cell.raw.n.to_string())).expendable(4));
    if slept.iter().any(|cell| cell.raw.early > 0) {
        columns.push(Column::figures("early", values(&early)));
    }
    columns.extend([
        Column::figures("min", values(&|cell| figure(cell.raw.min))).expendable(2),
        Column::figures("p50", values(&|cell| screen.heading(&figure(cell.raw.p50)))),
        Column::figures("±", values(&half)).expendable(1),
        Column::figures("p90", values(&|cell| figure(cell.raw.p90))).expendable(0),
        Column::figures("p99", values(&|cell| figure(cell.raw.p99))),
    ]);
    if slept.iter().any(|cell| cell.raw.p999.is_some()) {
        columns.push(Column::figures("p99.9", values(&|cell| figure(cell.raw.p999))));
    }
    columns.push(Column::figures("max", values(&|cell| figure(cell.raw.max))));
    columns.extend(costs(&slept.iter().map(|cell| cell.cost).collect::<Vec<_>>()));
    columns.push(Column::words(&labels, values(&|cell| axis.shape(&cell.values))).expendable(3).called("distribution"));
    columns::fitted(&columns, screen)
}

/// How far from one the wake-ups of a sleep must be to be shown.
const ONE_WAKE_UP: f64 = 0.05;

/// Returns the columns of what a sleep of each row took of the processor: its time, if that was measured, and the wake-ups, if there
/// was not one a sleep.
pub(super) fn costs(rows: &[Option<CostFigures>]) -> Vec<Column> {
    let mut columns = Vec::new();
    if rows.iter().any(Option::is_some) {
        let time = |cost: &Option<CostFigures>| float(cost.map(|cost| cost.processor_ns));
        columns.push(Column::figures("CPU", rows.iter().map(time).collect()).expendable(2));
    }
    let woken = || rows.iter().map(|cost| cost.and_then(|cost| cost.wake_ups));
    if woken().flatten().any(|wake_ups| (wake_ups - 1.0).abs() >= ONE_WAKE_UP) {
        let count = |count: Option<f64>| count.map_or_else(|| "–".to_owned(), |count| format!("{count:.2}"));
        columns.push(Column::figures("wakes", woken().map(count).collect()).expendable(1));
    }
    columns
}

/// Returns the share of one processor that waking for every period takes, all threads together; `None` where it is not known.
pub(super) fn share_of_processor(cell: &CellSummary) -> Option<String> {
    let threads = cell.cell.conditions.threads.unwrap_or(1);
    let share = cell.cost?.processor_ns * f64::from(threads) / cell.period()?.as_f64();
    Some(percent(Some(share), 2))
}

/// Returns the columns that say what each row is: its method, and what it asked for and under which conditions where that tells
/// rows apart.
pub(super) fn names<'a>(cells: impl Iterator<Item = &'a CellSummary> + Clone) -> Vec<Column> {
    let methods: Vec<String> = cells.clone().map(|cell| cell.cell.method.clone()).collect();
    let asked = asked(cells.clone());
    let conditions: Vec<String> = cells.map(|cell| conditions(&cell.cell.conditions, cell.obtained.as_ref())).collect();
    let [_, needs_asked, needs_conditions] = columns::needed([&methods, &asked, &conditions]);
    let mut columns = vec![Column::words("method", methods)];
    if needs_asked {
        columns.push(Column::figures("asked", asked));
    }
    if needs_conditions {
        columns.push(Column::words("conditions", conditions));
    }
    columns
}

/// Returns the request of each cell in short form, with more digits where two would look the same.
pub fn asked<'a>(cells: impl Iterator<Item = &'a CellSummary> + Clone) -> Vec<String> {
    let requests = Requests::new(cells.clone().map(|cell| cell.cell.pattern));
    let one = |cell: &CellSummary| match cell.cell.pattern {
        Pattern::Fixed { requested } if cell.cell.row().is_some_and(|row| row.unit.step().is_none()) => {
            debug_assert_eq!(requested.get(), 0);
            "–".to_owned()
        }
        pattern => requests.text(pattern),
    };
    cells.map(one).collect()
}

/// Returns the conditions that were asked for, as they were obtained: `slack 1 ns`, or `other (asked fifo 80)` if
/// refused. Conditions that were not asked for are left out.
pub fn conditions(asked: &Conditions, obtained: Option<&Conditions>) -> String {
    asked.name(obtained)
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
        assert_eq!(
            conditions(&asked, Some(&obtained)),
            "other (asked fifo 80), slack 1 ns, no latency hold (asked 0 ns)"
        );
        assert_eq!(conditions(&asked, None), "fifo 80, slack 1 ns, latency hold 0 ns");
        assert_eq!(conditions(&Conditions::default(), Some(&obtained)), "default");
    }

    /// Cells of a diagnosis that differ in nothing else would all be called `default`.
    #[test]
    fn what_a_diagnosis_changes_is_named() {
        use oversleep_recording::plan::{Load, LoadKind, Phase};
        let warm = Phase::Warm { lead: Nanos::from_micros(500) };
        let awake = Conditions { phase: Some(warm), ..Conditions::default() };
        assert_eq!(conditions(&awake, Some(&Conditions::default())), "awake 500 µs before");
        let load = Load { threads: 1, kind: LoadKind::Neighbour };
        let neighbour = Conditions { load: Some(load), ..Conditions::default() };
        assert_eq!(conditions(&neighbour, None), "busy neighbour");
    }
}
