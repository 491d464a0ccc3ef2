//! Benchmark of lateness and processor time per sleep.

use crate::condition::{self, Class};
use crate::contender;
use crate::stats::{Sorted, us};
use crate::verdict::{self, judge};
use oversleep::Nanos;
use oversleep_sys::clock::monotonic;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use std::fmt::Write;

/// The results of one contender in one cell.
pub struct Row {
    pub name: &'static str,
    pub late: Sorted,
    /// Mean processor time of a sleep, nanoseconds.
    pub cpu: f64,
}

/// Returns the tables of all cells, and whether the requirements were met.
pub fn section(durations: &[Nanos], classes: &[Class], busy: &[usize], sleeps: usize) -> String {
    let mut page =
        String::from("## Lateness and processor time\n\nµs past the deadline; CPU is the thread's, per sleep.\n");
    let mut verdicts = verdict::HEADING.to_owned();
    for class in classes {
        for busy in busy {
            for duration in durations {
                let cell = format!("{duration}, {class}, {busy} busy");
                eprintln!("sleeps: {cell}");
                match condition::under(*class, *busy, || run(*duration, sleeps)) {
                    Ok(rows) => {
                        page += &table(&cell, *duration, &rows);
                        // Requirements on processor time cannot be judged where it is not known.
                        if rows.iter().all(|row| row.cpu > 0.0) {
                            verdicts += &judge(&cell, *duration, *class, *busy, &rows);
                        }
                    }
                    Err(refusal) => {
                        let _ = writeln!(page, "\n**{cell}**: not measured: {refusal}");
                    }
                }
            }
        }
    }
    page + &verdicts
}

/// Measures each contender once per round, in a new random order each time. So a disturbance affects all contenders,
/// and each may come after one that spins. (In a fixed order, the first sleeper after two spinning ones had three times
/// the p99 of the same sleeper one place later.)
fn run(duration: Nanos, sleeps: usize) -> Vec<Row> {
    let time = duration.to_duration().unwrap_or_default();
    let cpu = condition::thread_cpu();
    let mut contenders = contender::all();
    let mut late = vec![Vec::with_capacity(sleeps); contenders.len()];
    let mut spent = vec![Nanos::ZERO; contenders.len()];
    let mut order: Vec<_> = (0..contenders.len()).collect();
    let mut random = Pcg64Mcg::seed_from_u64(1);
    // There is no warm-up: the time of learning is part of the comparison.
    for _ in 0..sleeps {
        order.shuffle(&mut random);
        for &index in &order {
            let contender = &mut contenders[index];
            let cpu_before = cpu.now();
            let before = monotonic();
            (contender.sleep)(time);
            let after = monotonic();
            spent[index] += cpu.now() - cpu_before;
            late[index].push((after - before - duration).get());
        }
    }
    let rows = contenders.iter().zip(late).zip(spent);
    rows.map(|((contender, late), spent)| Row {
        name: contender.name,
        late: Sorted::of(late),
        cpu: spent.as_f64() / sleeps as f64,
    })
    .collect()
}

fn table(cell: &str, duration: Nanos, rows: &[Row]) -> String {
    let mut text = format!(
        "\n**{cell}**\n\n| contender | p50 | p90 | p95 | p99 | CPU µs | CPU % |\n|---|---|---|---|---|---|---|\n"
    );
    for Row { name, late, cpu } in rows {
        let [p50, p90, p95, p99] = [0.5, 0.9, 0.95, 0.99].map(|share| us(late.quantile(share)));
        let spent = if *cpu > 0.0 {
            format!("{:.1} | {:.1}", cpu / 1e3, cpu / duration.as_f64() * 100.0)
        } else {
            "– | –".to_owned()
        };
        let _ = writeln!(text, "| {name} | {p50} | {p90} | {p95} | {p99} | {spent} |");
    }
    text
}
