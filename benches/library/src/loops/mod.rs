//! Benchmark of loops: work, then a wait until the next deadline of a rate. All that counts is a reading of the clock
//! directly after the wait.

mod contenders;
mod figures;
mod report;
mod schedule;
mod verdict;

pub use contenders::Kind;

use crate::condition::{self, Class};
use crate::group::{Beside, Group};
use clap::ValueEnum;
use contenders::Wait;
use figures::{Round, Row};
use oversleep::{Hertz, Nanos};
use oversleep_sys::clock::monotonic as now;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use schedule::Schedule;
use std::fs::File;
use std::hint::black_box;
use std::io::Write;

/// What is measured of each cell, and how long.
pub struct Plan {
    pub contenders: Vec<Kind>,
    /// Length of a contender's block in each round.
    pub block: Nanos,
    pub rounds: usize,
    pub seed: u64,
    /// Where the figures of each round are appended as lines of JSON.
    pub json: Option<File>,
}

impl Plan {
    /// Returns the contenders that take part unless others are named.
    pub fn everyone() -> Vec<Kind> {
        Kind::value_variants().to_vec()
    }
}

/// Conditions of a cell.
#[derive(Debug, Clone, Copy)]
pub struct Cell {
    pub rate: Hertz,
    /// Processor time of the loop's work.
    pub work: Nanos,
    pub class: Class,
    pub busy: usize,
    pub group: Group,
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rate, work, class, busy, group } = self;
        write!(f, "{rate}, work {work}, {class}, {busy} busy, {group}")
    }
}

/// Returns all cells of these conditions, without those whose work fills the period. Unless works are given, the loop
/// does none, and one of 1 ms, or 300 µs where the period is short. Groups differ only if there are busy threads.
pub fn cells(rates: &[Hertz], works: &[Nanos], classes: &[Class], busy: &[usize], groups: &[Group]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for &rate in rates {
        let period = Nanos::from_f64(1e9 / rate.as_f64());
        let work = if period < Nanos::from_millis(2) { Nanos::from_micros(300) } else { Nanos::MILLISECOND };
        let works = if works.is_empty() { vec![Nanos::ZERO, work] } else { works.to_vec() };
        for work in works.into_iter().filter(|work| *work < period) {
            for &class in classes {
                for &busy in busy {
                    let alone = if busy == 0 { &groups[..1] } else { groups };
                    cells.extend(alone.iter().map(|&group| Cell { rate, work, class, busy, group }));
                }
            }
        }
    }
    cells
}

/// Measures the cells and prints each when it is done.
pub fn section(cells: &[Cell], plan: &Plan) -> Result<(), String> {
    if cells.is_empty() {
        return Err("each --work is as long as the period of each --rate or longer; give less work".to_owned());
    }
    if let Some(cell) = cells.iter().find(|cell| plan.block.as_secs_f64() * cell.rate.as_f64() < 2.0) {
        return Err(format!("--seconds are fewer than two periods of {}; give more", cell.rate));
    }
    println!("{}", report::heading(plan));
    for cell in cells {
        eprintln!("loops: {cell}");
        match measure(*cell, plan) {
            Ok(rows) => {
                println!("{}", report::table(cell, &rows));
                if let Some(mut file) = plan.json.as_ref() {
                    let lines = report::json(cell, plan, &rows);
                    file.write_all(lines.as_bytes()).map_err(|error| format!("the file of --json: {error}"))?;
                }
            }
            Err(refusal) => println!("\n**{cell}**: not measured: {refusal}"),
        }
    }
    Ok(())
}

fn measure(cell: Cell, plan: &Plan) -> Result<Vec<Row>, String> {
    let _beside = Beside::start(cell.group, cell.busy)?;
    condition::under(cell.class, 0, || run(cell, plan))
}

/// Measures one block of each contender per round, in a new random order each time: what disturbs one disturbs all. There
/// is no warm-up: the time of learning is part of the comparison.
///
/// Where the period is that of the kernel's tick, or a part of it, the place of the deadlines within the tick decides what is
/// missed. So all contenders of a round have the same schedule, and each round has another: at a random place in the next of
/// as many equal parts of the period as there are rounds.
fn run(cell: Cell, plan: &Plan) -> Vec<Row> {
    let kinds = plan.contenders.iter();
    let mut contenders: Vec<_> = kinds.filter_map(|kind| Some((*kind, kind.build(cell.rate)?, Vec::new()))).collect();
    let mut order: Vec<_> = (0..contenders.len()).collect();
    let mut random = Pcg64Mcg::seed_from_u64(plan.seed);
    let start = now();
    for round in 0..plan.rounds {
        let part = (round as f64 + random.random::<f64>()) / plan.rounds as f64;
        let moved = Nanos::from_f64(part * 1e9 / cell.rate.as_f64());
        let schedule = Schedule { origin: start + moved, rate: cell.rate };
        order.shuffle(&mut random);
        for (place, &index) in order.iter().enumerate() {
            let (_, wait, rounds) = &mut contenders[index];
            rounds.push(block(schedule, cell.work, plan.block, place, wait));
        }
    }
    contenders.into_iter().map(|(kind, _, rounds)| Row::new(kind, rounds)).collect()
}

/// Runs the loop for the length of a block.
fn block(schedule: Schedule, work: Nanos, length: Nanos, place: usize, wait: &mut Wait) -> Round {
    let cpu = condition::thread_cpu();
    let expected = length.as_secs_f64() * schedule.rate.as_f64();
    let mut late = Vec::with_capacity(expected.min(1e6) as usize + 2);
    let (mut missed, mut worked) = (0, Nanos::ZERO);
    let (start, cpu_start) = (now(), cpu.now());
    let mut next = schedule.ahead(start);
    while schedule.deadline(next) < start + length {
        if work > Nanos::ZERO {
            worked += spin(cpu, work);
        }
        let ahead = schedule.ahead(now());
        if ahead > next {
            missed += usize::try_from(ahead - next).unwrap_or(0);
            next = ahead;
        }
        let deadline = schedule.deadline(next);
        wait(schedule.origin, deadline);
        late.push((now() - deadline).get());
        next += 1;
    }
    Round { place, late, missed, cpu: cpu.now() - cpu_start - worked, wall: now() - start }
}

/// Works for some processor time, and returns how much it was.
fn spin(cpu: condition::Cpu, work: Nanos) -> Nanos {
    let start = cpu.now();
    loop {
        for n in 0..200_u64 {
            black_box(n.wrapping_mul(n));
        }
        let spent = cpu.now() - start;
        if spent >= work {
            return spent;
        }
    }
}
