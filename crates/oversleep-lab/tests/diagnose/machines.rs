//! Short recordings of real kernels on other machines (`data/machines/truth.json`): Debian 6.1 in qemu without
//! high-resolution timers but with a tick that stops, on the PIT, with the `jiffies`, HPET and ACPI clocks, with a
//! steered clock, on slower processors, with other slacks, as a real-time thread, and our own binary as the kernel's
//! init; the same source built with HZ of 100, 300 and 1000, beside busy or restless threads, and with
//! `CONFIG_TIME_LOW_RES`, which makes relative timers wait for one more tick (kernel/time/hrtimer.c,
//! `hrtimer_update_lowres`).
//!
//! `OVERSLEEP_KERNELS=FOLDER` names another folder of recordings with a `truth.json` of the same form.

use crate::evidence;
use oversleep_lab::analysis::patterns::{Cause, CellDiagnosis, Diagnosis, diagnose};
use oversleep_lab::import::csv;
use oversleep_recording::Recording;
use oversleep_recording::document::Undecided;
use serde_json::Value;
use std::fs::{self, File};
use std::path::PathBuf;

fn folder() -> PathBuf {
    let ours = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/machines");
    std::env::var_os("OVERSLEEP_KERNELS").map_or_else(ours, PathBuf::from)
}

/// One recording, the truth about it, and its diagnosis.
struct Case {
    step: String,
    truth: Value,
    recording: Recording,
    found: Diagnosis,
}

impl Case {
    fn read(entry: &Value) -> Option<Self> {
        let name = entry["file"].as_str()?;
        Self::of_table(entry, &fs::read_to_string(folder().join(name)).ok()?)
    }

    /// Reads a recording without its wall-clock columns: only method, request, start and end.
    fn plain(entry: &Value) -> Option<Self> {
        let table = fs::read_to_string(folder().join(entry["file"].as_str()?)).ok()?;
        let rows = table.lines().skip(1).filter_map(|row| match row.split(',').collect::<Vec<_>>()[..] {
            [method, asked, start, _, end, _] => Some(format!("{method},{asked},{start},{end}\n")),
            _ => None,
        });
        let plain = "method,requested_ns,start_ns,end_ns\n".to_owned() + &rows.collect::<String>();
        Self::of_table(entry, &plain)
    }

    fn of_table(entry: &Value, table: &str) -> Option<Self> {
        let recording = csv::read(table.as_bytes(), entry["file"].as_str()?).ok()?;
        let found = diagnose(&recording);
        let step = entry["step"].as_str()?.split(':').next()?.to_owned();
        Some(Self { step, truth: entry["truth"].clone(), recording, found })
    }

    /// Returns whether all sleeps are at one phase within the tick: back to back, or from second to second.
    fn one_place(&self) -> bool {
        matches!(self.step.as_str(), "fixed" | "wall-second")
    }

    /// Returns whether all requests are whole ticks. These show a second tick, but not a count from the tick in
    /// progress.
    fn whole_ticks(&self) -> bool {
        let tick = 1_000_000_000 / self.truth["hz"].as_i64().unwrap_or(1);
        self.recording.samples.iter().all(|sample| sample.requested.get() % tick == 0)
    }

    /// Returns the name in findings of a rounding rule in the truth.
    fn rounding(rule: &str) -> &'static str {
        if rule == "grid+1" { "up-plus-one" } else { "up" }
    }

    /// Returns everything that is stated wrongly, or not stated although it shows.
    fn faults(&self) -> Vec<String> {
        let mut faults = self.ticks();
        faults.extend(self.drift());
        self.found.cells.iter().for_each(|cell| faults.extend(self.cell(cell)));
        let expected = [
            Cause::TickQuantised,
            Cause::ClockDrift,
            Cause::Sawtooth,
            Cause::TimerWheel,
            Cause::TimerSlack,
            Cause::ProportionalSlack,
            Cause::ConstantCost,
        ];
        let busy = self.truth["load_threads"].as_u64().is_some_and(|threads| threads > 0);
        let waits = |cause: Cause| cause == Cause::RunQueue && busy;
        let others = self.found.all().filter(|found| !expected.contains(&found.cause()) && !waits(found.cause()));
        faults.extend(others.map(|finding| format!("false {}", finding.cause())));
        faults.sort();
        faults.dedup();
        faults
    }

    fn ticks(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let wheel_alone =
            self.truth["rules"].as_object().is_some_and(|rules| rules.values().all(|rule| rule == "ticks+1"));
        let found = self.found.machine.iter().any(|finding| finding.cause() == Cause::TickQuantised);
        let quantised = self.truth["quantised_to_tick"] == true;
        // Timeouts on the wheel alone show a tick only if it drifts; at one phase within the tick, a tick may be left
        // open.
        let offered = |open: &Undecided| open.candidates.iter().any(|named| named.starts_with("tick-quantised"));
        let open = quantised && self.one_place() && self.found.undecided.iter().any(offered);
        if found != quantised && (found || !wheel_alone) && !open {
            faults.push(format!("tick-quantised: {found}"));
        }
        for hz in self.found.all().filter_map(evidence::hz) {
            if hz != self.truth["hz"].as_f64() && !(hz.is_none() && self.one_place()) {
                faults.push(format!("{hz:?} Hz"));
            }
        }
        faults
    }

    fn drift(&self) -> Option<String> {
        let drift = self.found.machine.iter().find(|finding| finding.cause() == Cause::ClockDrift);
        let truth = self.truth["drift_ppm"].as_f64()?;
        let Some(drift) = drift else {
            return (truth.abs() > 20.0 && self.truth["quantised_to_tick"] == true)
                .then(|| format!("no drift of {truth}"));
        };
        let within = drift.low? <= truth && truth <= drift.high?;
        let known = self.truth["drift_tol"].as_f64().unwrap_or(1.0);
        ((drift.size - truth).abs() > known && !within).then(|| format!("drift {} for {truth}", drift.size))
    }

    fn cell(&self, cell: &CellDiagnosis) -> Vec<String> {
        let plan = &self.recording.meta.plan.cells[cell.cell as usize];
        let (rule, asked) =
            (self.truth["rules"][&plan.method].as_str().unwrap_or_default(), plan.pattern.typical().get());
        let of = |cause: Cause| cell.findings.iter().find(|finding| finding.cause() == cause);
        let mut faults = Vec::new();
        if let Some(tick) = of(Cause::TickQuantised) {
            let rounding = evidence::rounding(tick);
            let open = rounding.is_none() && (self.one_place() || self.whole_ticks());
            if rounding != Some(Self::rounding(rule)) && !open {
                faults.push(format!("{} rounds {rounding:?}", plan.method));
            }
        }
        if of(Cause::TimerWheel).is_some() != (rule == "ticks+1") {
            faults.push(format!("{} on the wheel: {}", plan.method, rule != "ticks+1"));
        }
        let slack = self.truth["slack_ns"].as_f64().unwrap_or_default();
        let has = rule.starts_with("slack") && slack > 1_000.0 && asked > 0;
        match of(Cause::TimerSlack) {
            Some(found) if !has || (found.size / slack - 1.0).abs() > 0.02 => {
                faults.push(format!("{} has slack {}", plan.method, found.size));
            }
            // On slow machines a cost may be taken for slack.
            None if has && crate::kernels::offered(&self.found, &plan.method, Cause::TimerSlack) => {}
            None if has && self.truth["clock_read_ns"].as_f64().is_some_and(|read| read < 700.0) => {
                faults.push(format!("{} has no slack", plan.method));
            }
            _ => {}
        }
        faults
    }
}

#[test]
fn other_machines_are_known_too() {
    let truths: Vec<Value> = serde_json::from_reader(File::open(folder().join("truth.json")).unwrap()).unwrap();
    let mut wrong = 0;
    for entry in &truths {
        let Some(case) = Case::read(entry) else { panic!("{}: not readable", entry["file"]) };
        let faults = case.faults();
        if !faults.is_empty() {
            wrong += 1;
            println!("{}: {}", entry["file"], faults.join("; "));
        }
    }
    println!("{} of {} right", truths.len() - wrong, truths.len());
    assert_eq!(wrong, 0);
}

#[test]
fn nothing_false_is_said_without_the_wall_clock() {
    let truths: Vec<Value> = serde_json::from_reader(File::open(folder().join("truth.json")).unwrap()).unwrap();
    let paired = |entry: &&Value| !entry["file"].as_str().is_some_and(|name| name.starts_with("own-init"));
    for entry in truths.iter().filter(paired) {
        let case = Case::plain(entry).expect("readable");
        let said =
            |fault: &String| fault.starts_with("false") || fault.ends_with("Hz") || fault.contains("rounds Some");
        let wrong: Vec<String> = case.faults().into_iter().filter(said).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", entry["file"]);
    }
}

#[test]
fn our_own_binary_as_init_shows_the_kernel_it_ran_on() {
    let truths: Vec<Value> = serde_json::from_reader(File::open(folder().join("truth.json")).unwrap()).unwrap();
    for entry in truths.iter().filter(|entry| entry["file"].as_str().is_some_and(|name| name.starts_with("own-init"))) {
        let case = Case::read(entry).expect("readable");
        let tick = case.found.machine.iter().find(|finding| finding.cause() == Cause::TickQuantised);
        assert_eq!(tick.is_some(), entry["truth"]["quantised_to_tick"] == true, "{}", entry["file"]);
        if let Some(tick) = tick {
            assert_eq!(evidence::hz(tick), Some(Some(250.0)));
            assert_eq!(evidence::rounding(tick), Some("up"));
        }
    }
}
