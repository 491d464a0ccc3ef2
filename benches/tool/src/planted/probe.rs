//! The probe: reads orders of blocks from standard input and prints rows after each (docs/RUNTIMES.md).

use super::Options;
use super::rule::{COLLECTIONS, PAUSE, Rule, SLACK};
use oversleep_os::method::{self, Request, Waiter};
use oversleep_os::settings::timer_slack;
use oversleep_recording::plan::build::DEFAULT_METHODS;
use oversleep_sys::clock::monotonic;
use oversleep_sys::units::Nanos;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::path::Path;

/// Speaks the protocol until standard input ends.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let mut runtime = Runtime::new(options)?;
    let mode = if options.rule == Rule::Drifts { "schedule" } else { "sleep" };
    let mut out = io::stdout().lock();
    let mut print = |text: &str| out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| e.to_string());
    print(&format!("# oversleep-probe 1 clock=monotonic mode={mode} runtime=Planted 1.0\n"))?;
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let mut numbers = line.split(' ').map(str::parse::<i64>);
        let (Some(Ok(requested)), Some(Ok(count))) = (numbers.next(), numbers.next()) else {
            return Err(format!("'{line}' is not an order 'REQUEST_NS COUNT'"));
        };
        let rows = runtime.block(requested, count.unsigned_abs());
        if let Some(path) = options.slips.as_deref().filter(|_| options.rule == Rule::Drifts) {
            note_slip(path, requested, &rows).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        let line = |row: &Row| format!("{requested},{},{},{}\n", row.start, row.end, i32::from(row.collected));
        let rows: String = rows.iter().map(line).collect();
        print(&format!("requested_ns,start_ns,end_ns,gc\n{rows}\n"))?;
    }
    Ok(())
}

/// Appends by how much the tick after this block would be late, against a schedule that was set once at its beginning.
fn note_slip(path: &Path, requested: i64, rows: &[Row]) -> io::Result<()> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Ok(()) };
    let ticks = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let slip = last.end - (first.start + ticks * requested);
    writeln!(OpenOptions::new().create(true).append(true).open(path)?, "{requested} {ticks} {slip}")
}

struct Row {
    start: i64,
    end: i64,
    collected: bool,
}

struct Runtime {
    rule: Rule,
    random: Pcg64Mcg,
    waiter: Box<dyn Waiter>,
    next_collection: i64,
}

impl Runtime {
    fn new(options: &Options) -> Result<Self, String> {
        let mut random = Pcg64Mcg::seed_from_u64(options.seed);
        if options.rule == Rule::TimerThreadSlack {
            timer_slack::apply(Nanos::new(SLACK)).map_err(|refusal| refusal.to_string())?.keep();
        }
        let waiter = method::open(DEFAULT_METHODS.periodic).map_err(|refusal| refusal.to_string())?;
        let next_collection = monotonic().get() + random.random_range(0..COLLECTIONS);
        Ok(Self { rule: options.rule, random, waiter, next_collection })
    }

    fn block(&mut self, requested: i64, count: u64) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for index in 0..count {
            let last = rows.last().map(|row| row.end).filter(|_| self.rule == Rule::Drifts);
            let start = last.unwrap_or_else(|| monotonic().get());
            let due = self.rule.due(start, requested, index, &mut self.random);
            while monotonic().get() < due.busy_until {
                std::hint::spin_loop();
            }
            let mut end = self.wait(due.at);
            let collected = self.rule == Rule::Collects && self.collect(start, end);
            if collected {
                end = self.wait(self.next_collection - COLLECTIONS + PAUSE);
            }
            rows.push(Row { start, end, collected });
        }
        rows
    }

    /// Waits until a time, if it has not passed; returns when the wait ended.
    fn wait(&mut self, until: i64) -> i64 {
        if until > monotonic().get() {
            self.waiter.prepare(Request::Until(Nanos::new(until)));
            self.waiter.wait();
        }
        monotonic().get()
    }

    /// Returns whether a garbage collection began during this sleep. Those between sleeps are skipped.
    fn collect(&mut self, start: i64, end: i64) -> bool {
        while self.next_collection < start {
            self.next_collection += COLLECTIONS;
        }
        let begun = self.next_collection < end;
        if begun {
            self.next_collection += COLLECTIONS;
        }
        begun
    }
}
