//! `memory`: resident memory while a day at 1 kHz on two threads (172.8 million samples) passes a real run's sinks.

use super::Options;
use super::sheet::{self, Sheet};
use super::tool::{self, Scratch, high_water};
use oversleep_lab::figures::Summariser;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::file::Writer;
use oversleep_recording::plan::{Conditions, build};
use oversleep_recording::{End, Meta, Note, Origin, Periods, Sample, Sink};
use oversleep_sys::units::Nanos;
use std::path::Path;
use std::process::{Command, Stdio};

const PERIOD: Nanos = Nanos::MILLISECOND;
const PER_SECOND: u64 = 1_000;
const GOAL_MIB: f64 = 64.0;

pub(super) fn run(options: &Options) -> Result<(), String> {
    println!("{}", sheet::place());
    let hours = if options.long { 24 } else { 3 };
    let mut sheet = Sheet::new(
        "Memory of a long run: 1 kHz × 2 threads through summary and writer",
        &["simulated", "samples", "peak resident"],
    );
    let meta = meta(hours * 3_600 * PER_SECOND);
    let writer = Writer::create(Path::new("/dev/null"), &meta, true).map_err(|error| error.to_string())?;
    let mut sinks = (Summariser::new(&meta), writer);
    let mut source = Source::default();
    for hour in 1..=hours {
        eprintln!("memory: hour {hour} of {hours}");
        (0..3_600).for_each(|_| source.second(&mut sinks));
        if hour == 1 || hour == hours || hour % 6 == 0 {
            sheet.row([format!("{hour} h"), source.samples.to_string(), mib(own_peak())]);
        }
    }
    sinks.note(&source.end());
    let cells = sinks.0.finish();
    let n = cells.first().map_or(0, |cell| cell.raw.n);
    if n != source.samples {
        return Err(format!("{n} of {} samples were summed up", source.samples));
    }
    let peak = own_peak();
    sheet.row(["summed up".to_owned(), n.to_string(), mib(peak)]);
    read_back(&mut sheet, options)?;
    sheet.remark(format!(
        "Goal: at most {GOAL_MIB} MiB. This process is the benchmark itself, somewhat larger than oversleep."
    ));
    sheet.print(options);
    match peak {
        Some(kib) if kib as f64 / 1_024.0 > GOAL_MIB => Err(format!("{} is above {GOAL_MIB} MiB", mib(peak))),
        _ => Ok(()),
    }
}

/// Adds the memory of `report` and `export` on a long recording, which must not read it into memory.
fn read_back(sheet: &mut Sheet, options: &Options) -> Result<(), String> {
    let scratch = Scratch::new("memory-file")?;
    let minutes = if options.long { 60 } else { 10 };
    let meta = meta(minutes * 60 * PER_SECOND);
    let file = scratch.file("long.arrows");
    let mut writer = Writer::create(Path::new(&file), &meta, true).map_err(|error| error.to_string())?;
    let mut source = Source::default();
    (0..minutes * 60).for_each(|_| source.second(&mut writer));
    writer.note(&source.end());
    writer.finish().map_err(|error| error.to_string())?;
    let ours = tool::release()?;
    for command in ["report", "export"] {
        let mut child = Command::new(&ours)
            .args([command, &file])
            .stdout(Stdio::null())
            .stdin(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let peak = tool::peak_kib(&mut child);
        sheet.row([format!("oversleep {command}"), source.samples.to_string(), mib(peak)]);
    }
    Ok(())
}

fn own_peak() -> Option<u64> {
    high_water(Path::new("/proc/self/status"))
}

fn mib(kib: Option<u64>) -> String {
    kib.map_or_else(|| "not told here".to_owned(), |kib| format!("{:.1} MiB", kib as f64 / 1_024.0))
}

fn meta(periods: u64) -> Meta {
    let conditions = Conditions { threads: Some(2), ..Conditions::default() };
    let origin = Origin::Imported { format: "synthetic".to_owned(), file: String::new() };
    let plan = build::periodic(MethodId::ClockNanosleepAbs.row(), PERIOD, periods, &conditions, 1);
    Meta { machine: oversleep_os::sysinfo::read(), ..Meta::new("oversleep bench memory", origin, plan) }
}

/// A source of samples of two threads, whose lateness ranges from 1 µs to 900 µs, so that histograms fill as in a run.
#[derive(Default)]
struct Source {
    seconds: u64,
    samples: u64,
    state: u64,
    batch: Vec<Sample>,
}

impl Source {
    fn second(&mut self, sink: &mut dyn Sink) {
        for thread in 0..2 {
            for number in 0..PER_SECOND {
                let sequence = self.seconds * PER_SECOND + number;
                let deadline = PERIOD * (sequence + 1).cast_signed();
                let end = deadline + self.lateness();
                let sample =
                    Sample { thread, sequence, requested: PERIOD, start: deadline - PERIOD, end, ..Sample::BLANK };
                self.batch.push(Sample { deadline: Some(deadline), ..sample });
            }
        }
        sink.samples(&self.batch);
        self.samples += self.batch.len() as u64;
        self.batch.clear();
        self.seconds += 1;
        sink.note(&Note { brackets: oversleep_lab::capture::clocks::bracket_all(), ..Note::default() });
        sink.flush();
    }

    /// Returns a random lateness by a multiplicative congruential generator (Lehmer, modulus 2³¹ − 1): 1 µs to 900 µs,
    /// but one in a thousand is early.
    fn lateness(&mut self) -> Nanos {
        self.state = (self.state.max(1) * 48_271) % 2_147_483_647;
        let share = self.state as f64 / 2_147_483_647.0;
        Nanos::from_f64(if share < 0.001 { -share * 1e6 } else { 1_000.0 * 900_f64.powf(share) })
    }

    fn end(&self) -> Note {
        let asked = self.seconds * PER_SECOND;
        let account = |thread| Periods { thread, asked, fresh: asked, ..Periods::default() };
        Note { periods: (0..2).map(account).collect(), end: Some(End::Complete), ..Note::default() }
    }
}
