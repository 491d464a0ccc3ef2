//! Tables of loops for people, and lines of JSON for programs.

use super::figures::{Estimate, Row};
use super::verdict::{ON_TIME, judge};
use super::{Cell, Plan};
use crate::stats::{Sorted, us};
use oversleep::Nanos;
use std::fmt::Write;

/// Returns the heading and the explanation of the columns.
pub fn heading(plan: &Plan) -> String {
    format!(
        "## Loops: work, then a wait until the next deadline of a rate\n\n{} rounds of {:#} for each contender, in a random \
         order (seed {}). Lateness is a reading of `CLOCK_MONOTONIC` directly after the wait less the deadline, µs. *Missed* \
         are periods whose deadline had passed when the wait was asked for; shares are of all periods, the missed ones \
         among them. Processor time is the thread's per wait, µs, without the work's; ± is two standard errors: the \
         binomial or that of the mean of rounds, whichever is greater.\n",
        plan.rounds, plan.block, plan.seed
    )
}

/// Returns the table of a cell and its verdict.
pub fn table(cell: &Cell, rows: &[Row]) -> String {
    let mut text = format!(
        "\n**{cell}**\n\n| contender | waits | missed | early | p50 | p90 | p99 | within 1 µs | within 5 µs | ± | CPU µs | ± | \
         CPU % |\n|{}\n",
        "---|".repeat(13)
    );
    for row in rows {
        let [p50, p90, p99] = [0.5, 0.9, 0.99].map(|share| row.quantile(share).map_or("–".to_owned(), us));
        let (on_time, cost) = (row.within(ON_TIME), row.cost());
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {p50} | {p90} | {p99} | {:.3} | {:.3} | {} | {:.1} | {} | {:.2} |",
            row.kind.name(),
            row.waits(),
            row.missed,
            row.early(),
            row.within(Nanos::MICROSECOND).value,
            on_time.value,
            tolerance(on_time, 1.0, 3),
            cost.value / 1e3,
            tolerance(cost, 1e-3, 1),
            100.0 * row.processor(),
        );
    }
    text + &judge(rows)
}

fn tolerance(estimate: Estimate, unit: f64, digits: usize) -> String {
    let width = estimate.tolerance() * unit;
    if width.is_finite() { format!("{width:.digits$}") } else { "–".to_owned() }
}

/// Returns one line for each round of each contender.
pub fn json(cell: &Cell, plan: &Plan, rows: &[Row]) -> String {
    let mut lines = String::new();
    for row in rows {
        for (index, round) in row.rounds.iter().enumerate() {
            let late = Sorted::new(round.late.clone());
            let [p50, p90, p99] = [0.5, 0.9, 0.99].map(|share| late.quantile(share));
            let _ = writeln!(
                lines,
                "{{\"rate_hz\":{},\"work_ns\":{},\"class\":\"{}\",\"busy\":{},\"group\":\"{}\",\"seed\":{},\"contender\":\
                 \"{}\",\"round\":{index},\"place\":{},\"waits\":{},\"missed\":{},\"early\":{},\"within_1us\":{},\
                 \"within_5us\":{},\"p50_ns\":{p50},\"p90_ns\":{p90},\"p99_ns\":{p99},\"cpu_ns\":{},\"wall_ns\":{}}}",
                cell.rate.as_f64(),
                cell.work.get(),
                cell.class,
                cell.busy,
                cell.group,
                plan.seed,
                row.kind.name(),
                round.place,
                late.len(),
                round.missed,
                late.count(i64::MIN, -1),
                late.count(0, Nanos::MICROSECOND.get()),
                late.count(0, ON_TIME.get()),
                round.cpu.get(),
                round.wall.get(),
            );
        }
    }
    lines
}
