//! Short recordings of real kernels on other machines (`data/machines/truth.json`): Debian 6.1 in qemu without
//! high-resolution timers but with a tick that stops, on the PIT, with the `jiffies`, HPET and ACPI clocks, steered,
//! on slower processors, with other slacks, as a real-time thread, and our own binary as the kernel's init.
//!
//! `OVERSLEEP_KERNELS=FOLDER` names another folder of recordings with a `truth.json` of the same form.

use oversleep_lab::analysis::diagnose::{Cause, CellDiagnosis, Diagnosis, diagnose};
use oversleep_lab::recording::Recording;
use oversleep_lab::source::import::csv;
use serde_json::Value;
use std::fs::File;
use std::path::PathBuf;

fn folder() -> PathBuf {
    let ours = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/machines");
    std::env::var_os("OVERSLEEP_KERNELS").map_or_else(ours, PathBuf::from)
}

/// One recording, what it is of, and what was said of it.
struct Case {
    step: String,
    truth: Value,
    recording: Recording,
    found: Diagnosis,
}

impl Case {
    fn of(entry: &Value) -> Option<Self> {
        let name = entry["file"].as_str()?;
        let recording = csv::read(File::open(folder().join(name)).ok()?, name).ok()?;
        let found = diagnose(&recording);
        let step = entry["step"].as_str()?.split(':').next()?.to_owned();
        Some(Self { step, truth: entry["truth"].clone(), recording, found })
    }

    /// A request back to back, or seconds after seconds: one place within the tick.
    fn one_place(&self) -> bool {
        matches!(self.step.as_str(), "fixed" | "herman")
    }

    /// Everything said that is not so, or not said though it shows.
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
        let others = self.found.all().filter(|finding| !expected.contains(&finding.cause));
        faults.extend(others.map(|finding| format!("false {}", finding.cause)));
        faults.sort();
        faults.dedup();
        faults
    }

    fn ticks(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let wheel_alone =
            self.truth["rules"].as_object().is_some_and(|rules| rules.values().all(|rule| rule == "ticks+1"));
        let found = self.found.machine.iter().any(|finding| finding.cause == Cause::TickQuantised);
        let quantised = self.truth["quantised_to_tick"] == true;
        // Alone, timeouts on the wheel tell only where the tick drifts.
        if found != quantised && (found || !wheel_alone) {
            faults.push(format!("tick-quantised: {found}"));
        }
        for finding in self.found.all().filter(|finding| finding.evidence.contains_key("hz")) {
            let hz = finding.evidence["hz"].as_f64();
            if hz != self.truth["hz"].as_f64() && !(hz.is_none() && self.one_place()) {
                faults.push(format!("{hz:?} Hz"));
            }
        }
        faults
    }

    fn drift(&self) -> Option<String> {
        let drift = self.found.machine.iter().find(|finding| finding.cause == Cause::ClockDrift);
        let truth = self.truth["drift_ppm"].as_f64()?;
        let Some(drift) = drift else {
            return (truth.abs() > 20.0 && self.truth["quantised_to_tick"] == true)
                .then(|| format!("no drift of {truth}"));
        };
        let within = drift.low? <= truth && truth <= drift.high?;
        ((drift.size - truth).abs() > 1.0 && !within).then(|| format!("drift {} for {truth}", drift.size))
    }

    fn cell(&self, cell: &CellDiagnosis) -> Vec<String> {
        let plan = &self.recording.meta.plan.cells[cell.cell as usize];
        let (rule, asked) =
            (self.truth["rules"][&plan.method].as_str().unwrap_or_default(), plan.pattern.typical().get());
        let of = |cause: Cause| cell.findings.iter().find(|finding| finding.cause == cause);
        let mut faults = Vec::new();
        if let Some(tick) = of(Cause::TickQuantised) {
            let rounding = tick.evidence["rounding"].as_str();
            if rounding != Some("up") && !(rounding.is_none() && self.one_place()) {
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
            // On slow machines a cost may pass for it.
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
        let Some(case) = Case::of(entry) else { panic!("{}: not readable", entry["file"]) };
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
fn our_own_binary_as_init_shows_the_kernel_it_ran_on() {
    let truths: Vec<Value> = serde_json::from_reader(File::open(folder().join("truth.json")).unwrap()).unwrap();
    for entry in truths.iter().filter(|entry| entry["file"].as_str().is_some_and(|name| name.starts_with("own-init"))) {
        let case = Case::of(entry).expect("readable");
        let tick = case.found.machine.iter().find(|finding| finding.cause == Cause::TickQuantised);
        assert_eq!(tick.is_some(), entry["truth"]["quantised_to_tick"] == true, "{}", entry["file"]);
        if let Some(tick) = tick {
            assert_eq!(tick.evidence["hz"], 250.0);
            assert_eq!(tick.evidence["rounding"], "up");
        }
    }
}
