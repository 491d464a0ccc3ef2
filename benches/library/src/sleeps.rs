//! Lateness and processor time per sleep.

use crate::condition::{self, Class};
use crate::contender::{self, DEFAULT, ECO, SPIN_SLEEP, STD};
use crate::stats::{Sorted, us};
use oversleep::Nanos;
use oversleep_os::clock::monotonic;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use std::fmt::Write;

struct Row {
    name: &'static str,
    late: Sorted,
    /// Mean processor time of one sleep, nanoseconds.
    cpu: f64,
}

/// All cells, and what was asked of them.
pub fn section(durations: &[Nanos], classes: &[Class], busy: &[usize], sleeps: usize) -> String {
    let mut page =
        String::from("## Lateness and processor time\n\nµs past the deadline; CPU is the thread's, per sleep.\n");
    let mut verdicts =
        String::from("\n### What was asked for\n\n| cell | measure | asked | reached | |\n|---|---|---|---|---|\n");
    for class in classes {
        for busy in busy {
            for duration in durations {
                let cell = format!("{duration}, {class}, {busy} busy");
                eprintln!("sleeps: {cell}");
                match condition::under(*class, *busy, || run(*duration, sleeps)) {
                    Ok(rows) => {
                        page += &table(&cell, *duration, &rows);
                        verdicts += &judge(&cell, *duration, *class, *busy, &rows);
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

/// Each contender once per round, in a new order each time: what the machine does in a while it does to all, and who
/// comes after the one that spins is drawn by lot. (In a fixed order the first sleeper after two spinning ones had
/// three times the p99 of the same sleeper one place on.)
fn run(duration: Nanos, sleeps: usize) -> Vec<Row> {
    let time = duration.to_duration().unwrap_or_default();
    let cpu = condition::thread_cpu();
    let mut contenders = contender::all();
    let mut late = vec![Vec::with_capacity(sleeps); contenders.len()];
    let mut spent = vec![Nanos::ZERO; contenders.len()];
    let mut order: Vec<_> = (0..contenders.len()).collect();
    let mut random = Pcg64Mcg::seed_from_u64(1);
    // No warm-up: learning is part of what is compared.
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
        let share = cpu / duration.as_f64() * 100.0;
        let _ = writeln!(text, "| {name} | {p50} | {p90} | {p95} | {p99} | {:.1} | {share:.1} |", cpu / 1e3);
    }
    text
}

/// Issue 5's list, cell by cell.
fn judge(cell: &str, duration: Nanos, class: Class, busy: usize, rows: &[Row]) -> String {
    let find = |name| rows.iter().find(|row| row.name == name);
    let (Some(std), Some(spin), Some(ours), Some(eco)) = (find(STD), find(SPIN_SLEEP), find(DEFAULT), find(ECO)) else {
        return String::new();
    };
    let mut text = String::new();
    let mut line = |measure: &str, asked: f64, reached: f64, unit: &str| {
        let met = if reached <= asked { "met" } else { "**not met**" };
        let _ = writeln!(text, "| {cell} | {measure} | ≤ {asked}{unit} | {reached:.2}{unit} | {met} |");
    };
    let ratio = |share: f64| ours.late.quantile(share) as f64 / spin.late.quantile(share).max(1) as f64;
    line("p50 / spin_sleep", 0.4, ratio(0.5), "×");
    line("p95 / spin_sleep", 0.7, ratio(0.95), "×");
    line("p99 / spin_sleep", 1.0, ratio(0.99), "×");
    let us_of = Nanos::from_micros;
    let half = duration == us_of(100) || class == Class::Fifo && [us_of(250), us_of(1_000)].contains(&duration);
    line("CPU / spin_sleep", if half { 0.5 } else { 1.0 }, ours.cpu / spin.cpu, "×");
    line("eco p50 / std", 0.5, eco.late.quantile(0.5) as f64 / std.late.quantile(0.5).max(1) as f64, "×");
    line("eco CPU / std", 1.05, eco.cpu / std.cpu, "×");
    if busy == 2 && class == Class::Other {
        line("p50 under load", 1.0, ours.late.quantile(0.5) as f64 / 1e3, " µs");
        line("CPU under load", 250.0, ours.cpu / 1e3, " µs");
    }
    text
}
