//! `explain`: its time, rows per second and memory on recordings of a million sleeps and (`--long`) a hundred million.

use super::Options;
use super::sheet::{self, Sheet};
use super::tool::{self, Scratch};
use oversleep_recording::file::Writer;
use oversleep_recording::plan::{Cell, ClockName, Conditions, Pattern, Phase, Plan, Turn};
use oversleep_sim::{Arithmetic, Kernel, Simulation, meta, preset};
use oversleep_sys::units::Nanos;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const MILLION: u64 = 1_000_000;
/// Estimated size of a sample in a recording, in bytes.
const BYTES: u64 = 64;
/// Goals: number of sleeps, and seconds that they may take.
const GOALS: [(u64, f64); 2] = [(MILLION, 1.0), (100 * MILLION, 60.0)];

pub(super) fn run(options: &Options) -> Result<(), String> {
    println!("{}", sheet::place());
    let ours = tool::release()?;
    let scratch = Scratch::new("explain")?;
    let mut sheet = Sheet::new(
        "explain: a simulated kernel's sleeps",
        &["sleeps", "file", "time", "rows per second", "peak resident", "goal"],
    );
    let mut missed = Vec::new();
    for (sleeps, goal) in GOALS {
        if sleeps > MILLION && !options.long {
            sheet.remark("A hundred million take some minutes and 6.3 GB of disk to make: --long.");
            continue;
        }
        tool::room(&scratch.0, sleeps * BYTES)?;
        let file = scratch.file("explained.arrows");
        eprintln!("explain: making {sleeps} sleeps");
        record(&file, sleeps)?;
        let seconds = explained(&mut sheet, &ours, &file, sleeps, Some(goal))?;
        if seconds > goal {
            missed.push(format!("{sleeps} sleeps took {seconds:.2} s, goal {goal} s"));
        }
        if sleeps == MILLION {
            let table = scratch.file("explained.csv");
            tool::run(&ours, &["export", &file])
                .and_then(|printed| std::fs::write(&table, printed.out).map_err(|error| format!("{table}: {error}")))?;
            explained(&mut sheet, &ours, &table, sleeps, None)?;
        }
    }
    sheet.print(options);
    if missed.is_empty() { Ok(()) } else { Err(missed.join("; ")) }
}

/// Runs `explain` three times (once for a long recording), adds the fastest to the table and returns its seconds.
fn explained(sheet: &mut Sheet, ours: &Path, file: &str, sleeps: u64, goal: Option<f64>) -> Result<f64, String> {
    let mut best = f64::INFINITY;
    let mut peak = None;
    for _ in 0..if sleeps > MILLION { 1 } else { 3 } {
        let begun = Instant::now();
        let mut child = Command::new(ours)
            .args(["explain", file])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        peak = tool::peak_kib(&mut child).max(peak);
        best = best.min(begun.elapsed().as_secs_f64());
        if !child.wait().is_ok_and(|status| status.success()) {
            return Err(format!("explain {file} failed"));
        }
    }
    let bytes = std::fs::metadata(file).map_or(0, |data| data.len());
    sheet.row([
        sleeps.to_string(),
        format!("{} MB {}", bytes / 1_000_000, file.rsplit('.').next().unwrap_or_default()),
        format!("{best:.2} s"),
        format!("{:.1} M", sleeps as f64 / best / 1e6),
        peak.map_or_else(|| "not told here".to_owned(), |kib| format!("{:.0} MiB", kib as f64 / 1_024.0)),
        goal.map_or_else(String::new, |goal| format!("{goal} s")),
    ]);
    Ok(best)
}

/// Writes a simulated kernel's sleeps to a file: two cells with random requests and one with a fixed one, in turns.
fn record(file: &str, sleeps: u64) -> Result<(), String> {
    let kernel: Kernel = preset("linux-nohighres-hz250")
        .map_err(|error| error.to_string())?
        .kernel
        .set("tc_true_hz", "1000047000")
        .map_err(|error| error.to_string())?;
    let random = |from, to| Pattern::Random { from: Nanos::from_micros(from), to: Nanos::from_micros(to) };
    let cell = |id, method: &str, pattern| Cell {
        id,
        method: method.to_owned(),
        pattern,
        clock: ClockName::Monotonic,
        conditions: Conditions {
            phase: Some(Phase::Random { window: Nanos::from_millis(4) }),
            ..Conditions::default()
        },
    };
    let cells = vec![
        cell(0, "nanosleep", random(200, 4_000)),
        cell(1, "select", random(200, 4_000)),
        cell(2, "nanosleep", Pattern::Fixed { requested: Nanos::MILLISECOND }),
    ];
    let turns: Vec<Turn> =
        (0..30_u32).map(|at| Turn { cell: at % 3, sleeps: sleeps / 30 + u64::from(at == 0) * (sleeps % 30) }).collect();
    let plan = Plan { experiment: "bench".to_owned(), cells, turns, seed: 1 };
    let mut writer = Writer::create(Path::new(file), &meta(&kernel, &plan), true).map_err(|error| error.to_string())?;
    Simulation::new(&kernel, &plan, 1).arithmetic(Arithmetic::Fixed).run(&mut writer);
    match writer.finish() {
        Ok(written) if written == sleeps => Ok(()),
        Ok(written) => Err(format!("{written} of {sleeps} sleeps were simulated")),
        Err(error) => Err(error.to_string()),
    }
}
