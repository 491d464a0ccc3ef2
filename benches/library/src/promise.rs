//! Benchmark of the share of sleeps on time: asked for against achieved, and its processor time against spin_sleep's.

use crate::condition::{self, Class};
use crate::stats::{Sorted, us};
use oversleep::{Nanos, SleepStats, Sleeper};
use oversleep_sys::clock::monotonic;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use spin_sleep::SpinSleeper;
use std::fmt::Write;
use std::time::Duration;

/// Default durations of the sleeps, in microseconds.
pub const DURATIONS: [i64; 5] = [100, 250, 1_000, 4_000, 16_700];
/// Sleeps of each contender, unless they would take longer than [`LONGEST`].
const SLEEPS: i64 = 10_000;
const LONGEST: Nanos = Nanos::from_secs(60);
const SHARES: [f64; 4] = [0.9, 0.97, 0.99, 0.999];
/// Times before the deadline at which spin_sleep begins to spin, in microseconds; 125 is its default on Linux.
const TOLERANCES: [u32; 5] = [25, 50, 125, 250, 500];
/// Greatest lateness that counts as on time, by a clock outside of the sleeper, in nanoseconds.
const ON_TIME: i64 = 1_000;

const HEADING: &str = "\
## The promise and its price

The contenders sleep by turns in an order drawn by lot. *Awake* is the share awake before the deadline by the sleeper's own account, which is
what is asked for; *on time* the share that ended at most 1 µs after it, by a clock outside; CPU is the thread's, µs per sleep.
";

enum Sleeps {
    Ours(Box<Sleeper>),
    Peer(SpinSleeper),
}

/// The results of one contender.
struct Row {
    name: String,
    asked: Option<f64>,
    stats: Option<SleepStats>,
    late: Sorted,
    /// Share that ended at most 1 µs late, by a clock outside of the sleeper.
    on_time: f64,
    /// Mean processor time of a sleep, nanoseconds.
    cpu: f64,
}

/// What is measured, and how often.
pub struct Plan {
    pub durations: Vec<Nanos>,
    pub classes: Vec<Class>,
    pub busy: Vec<usize>,
    /// Sleeps of each contender; as many as fit unless given.
    pub sleeps: Option<usize>,
    /// Divisor of as many as fit.
    pub fewer: usize,
    /// Whether spin_sleep takes part.
    pub peers: bool,
}

/// Returns the tables of every duration under every condition.
pub fn section(plan: &Plan) -> String {
    let mut page = HEADING.to_owned();
    for class in &plan.classes {
        for busy in &plan.busy {
            for duration in &plan.durations {
                let sleeps = plan.sleeps.unwrap_or_else(|| as_many_as_fit(*duration) / plan.fewer).max(1);
                let cell = format!("{duration}, {class}, {busy} busy, {sleeps} sleeps each");
                eprintln!("promise: {cell}");
                match condition::under(*class, *busy, || run(*duration, sleeps, plan.peers)) {
                    Ok(rows) => page += &table(&cell, &rows),
                    Err(refusal) => {
                        let _ = writeln!(page, "\n**{cell}**: not measured: {refusal}");
                    }
                }
            }
        }
    }
    page
}

fn as_many_as_fit(duration: Nanos) -> usize {
    usize::try_from(SLEEPS.min(LONGEST.get() / duration.get().max(1))).unwrap_or(0)
}

fn contenders(peers: bool) -> Vec<(String, Option<f64>, Sleeps)> {
    let ours = SHARES.map(|share| {
        let sleeper = Box::new(Sleeper::builder().on_time(share).build());
        (format!("oversleep, {} % asked", 100.0 * share), Some(share), Sleeps::Ours(sleeper))
    });
    let spin_sleep =
        TOLERANCES.map(|us| (format!("spin_sleep, {us} µs"), None, Sleeps::Peer(SpinSleeper::new(1_000 * us))));
    ours.into_iter().chain(spin_sleep.into_iter().filter(|_| peers)).collect()
}

fn run(duration: Nanos, sleeps: usize, peers: bool) -> Vec<Row> {
    let time: Duration = duration.to_duration().unwrap_or_default();
    let cpu = condition::thread_cpu();
    let mut contenders = contenders(peers);
    let mut late = vec![Vec::with_capacity(sleeps); contenders.len()];
    let mut spent = vec![Nanos::ZERO; contenders.len()];
    let mut order: Vec<_> = (0..contenders.len()).collect();
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for _ in 0..sleeps {
        order.shuffle(&mut random);
        for &index in &order {
            let before_cpu = cpu.now();
            let before = monotonic();
            match &mut contenders[index].2 {
                Sleeps::Ours(sleeper) => {
                    let _ = sleeper.sleep_for(duration);
                }
                Sleeps::Peer(sleeper) => sleeper.sleep(time),
            }
            let after = monotonic();
            spent[index] += cpu.now() - before_cpu;
            late[index].push((after - before - duration).get());
        }
    }
    let rows = contenders.into_iter().zip(late).zip(spent);
    rows.map(|(((name, asked, sleeper), late), spent)| Row {
        name,
        asked,
        stats: if let Sleeps::Ours(sleeper) = sleeper { Some(sleeper.stats()) } else { None },
        on_time: late.iter().filter(|late| **late <= ON_TIME).count() as f64 / sleeps as f64,
        late: Sorted::new(late),
        cpu: spent.as_f64() / sleeps as f64,
    })
    .collect()
}

fn table(cell: &str, rows: &[Row]) -> String {
    let mut text = format!(
        "\n**{cell}**\n\n| contender | awake % | on time % | p50 | p99 | CPU | cheapest spin_sleep on time as often | the \
         ceiling in the way |\n|---|---|---|---|---|---|---|---|\n"
    );
    for row in rows {
        let [p50, p99] = [0.5, 0.99].map(|share| us(row.late.quantile(share)));
        let awake = row.stats.as_ref().and_then(SleepStats::on_time);
        let awake = awake.map_or("–".to_owned(), |share| format!("{:.2}", 100.0 * share));
        let _ = writeln!(
            text,
            "| {} | {awake} | {:.2} | {p50} | {p99} | {:.1} | {} | {} |",
            row.name,
            100.0 * row.on_time,
            row.cpu / 1e3,
            cheapest(row, rows),
            in_the_way(row),
        );
    }
    text
}

/// Returns the processor time (µs per sleep) of the cheapest spin_sleep that is on time at least as often as `row`.
fn cheapest(row: &Row, rows: &[Row]) -> String {
    if row.asked.is_none() {
        return "–".to_owned();
    }
    let peers = rows.iter().filter(|peer| peer.asked.is_none() && peer.on_time >= row.on_time);
    match peers.map(|peer| peer.cpu).min_by(f64::total_cmp) {
        None => "none is".to_owned(),
        Some(cpu) => format!("{:.1}", cpu / 1e3),
    }
}

fn in_the_way(row: &Row) -> String {
    let limit = row.stats.as_ref().and_then(SleepStats::limited_by);
    limit.map_or("–".to_owned(), |limit| {
        format!("{} ({} sleeps, {:.1} % on time)", limit.ceiling, limit.sleeps, 100.0 * limit.attainable())
    })
}
