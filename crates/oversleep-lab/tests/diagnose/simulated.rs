//! Random simulated kernels: 200 per noise level (see `depth`), with parameters beyond those of the presets.

use crate::depth;
use crate::evidence;
use crate::random::{self, Dice, Truth};
use oversleep_lab::analysis::patterns::{Cause, Diagnosis, Finding, diagnose};
use oversleep_recording::Recording;
use oversleep_recording::document::evidence::RunQueue;
use oversleep_sim::{Kernel, Mechanism, Parameters, Scheduler, TickSource};
use oversleep_sys::units::Nanos;
use std::collections::{BTreeMap, BTreeSet};

/// The truth about one kernel, and the diagnosis of its recording.
struct Verdict {
    truth: Truth,
    diagnosis: Diagnosis,
}

impl Verdict {
    fn tick(&self) -> Option<&Finding> {
        self.diagnosis.machine.iter().find(|finding| finding.cause() == Cause::TickQuantised)
    }

    fn hz(&self) -> Option<f64> {
        evidence::hz(self.tick()?)?
    }

    fn rounding(&self) -> Option<&str> {
        evidence::rounding(self.tick()?)
    }

    /// Returns whether the rule is the kernel's, or is left open where the tick is shorter than what waking may cost: another
    /// cost looks like another rule there.
    fn is_ruled_rightly(&self) -> bool {
        let may_be_cost = self.truth.hz.is_some_and(|hz| hz > 6_600);
        self.rounding().map_or(may_be_cost, |rule| rule == self.truth.rounding)
    }

    fn drift(&self) -> f64 {
        let drift = self.diagnosis.machine.iter().find(|finding| finding.cause() == Cause::ClockDrift);
        drift.map_or(0.0, |drift| drift.size)
    }
}

fn kernels(noisy: bool) -> Vec<(Kernel, Truth, u64)> {
    let mut dice = Dice(if noisy { 77 } else { 7 });
    (0..depth::scaled(200))
        .map(|number| {
            let tick = number % 50 < 40 && number < 198;
            let (kernel, truth) = if tick {
                random::tick_kernel(&mut dice, random::RATES, noisy)
            } else {
                random::timer_kernel(&mut dice, noisy)
            };
            (kernel, truth, dice.next())
        })
        .collect()
}

fn random_phase(noisy: bool) -> Vec<Verdict> {
    let plan = random::random_phase();
    kernels(noisy)
        .into_iter()
        .map(|(kernel, truth, seed)| {
            let mut recording = random::record(&kernel, &plan, seed);
            if noisy {
                random::disturb(&mut recording, &mut Dice(seed));
            }
            Verdict { truth, diagnosis: diagnose(&recording) }
        })
        .collect()
}

fn report(verdicts: &[Verdict]) -> (usize, usize, usize, usize, usize) {
    let ticks: Vec<&Verdict> = verdicts.iter().filter(|verdict| verdict.truth.hz.is_some()).collect();
    let sorted = verdicts.iter().filter(|verdict| verdict.tick().is_some() == verdict.truth.hz.is_some()).count();
    let rates = ticks.iter().filter(|verdict| verdict.hz() == verdict.truth.hz.map(f64::from)).count();
    let rules = ticks.iter().filter(|verdict| verdict.is_ruled_rightly()).count();
    let drifts = ticks.iter().filter(|verdict| (verdict.drift() - verdict.truth.drift_ppm).abs() < 1.0).count();
    for verdict in verdicts {
        let truth = &verdict.truth;
        let right = verdict.tick().is_some() == truth.hz.is_some()
            && (truth.hz.is_none()
                || (verdict.hz() == truth.hz.map(f64::from)
                    && verdict.is_ruled_rightly()
                    && (verdict.drift() - truth.drift_ppm).abs() < 1.0));
        if !right {
            println!("{truth:?} taken for {:?} {:?} {}", verdict.hz(), verdict.rounding(), verdict.drift());
        }
    }
    println!(
        "of {} ({} ticks): tick or not {sorted}, rate {rates}, rule {rules}, drift {drifts}",
        verdicts.len(),
        ticks.len()
    );
    (ticks.len(), sorted, rates, rules, drifts)
}

#[test]
fn quiet_kernels_are_known_by_random_phases() {
    let (ticks, sorted, rates, rules, drifts) = report(&random_phase(false));
    assert_eq!(sorted, depth::scaled(200));
    assert_eq!(rates, ticks);
    assert!(rules * 158 >= ticks * 155, "{rules}");
    assert!(drifts * 100 >= ticks * 98, "{drifts}");
}

#[test]
fn noisy_kernels_are_known_by_random_phases() {
    let (ticks, sorted, rates, rules, drifts) = report(&random_phase(true));
    assert_eq!(sorted, depth::scaled(200));
    assert!(rates * 158 >= ticks * 155, "{rates}");
    assert!(rules * 158 >= ticks * 150, "{rules}");
    assert!(drifts * 100 >= ticks * 98, "{drifts}");
}

#[test]
fn aligned_seconds_show_the_sawtooth() {
    let mut dice = Dice(3);
    let mut wrong = 0;
    for number in 0..100 {
        let noisy = number >= 50;
        let (kernel, truth) = random::tick_kernel(&mut dice, random::MODERN, noisy);
        if truth.rounding == "early" {
            continue;
        }
        let mut recording = random::record(&kernel, &random::aligned("usleep", 300), dice.next());
        if noisy {
            random::disturb(&mut recording, &mut dice);
        }
        let diagnosis = diagnose(&recording);
        let verdict = Verdict { truth, diagnosis };
        let slope = verdict.diagnosis.all().find(|finding| finding.cause() == Cause::Sawtooth).map(|f| f.size);
        let good = slope.is_some_and(|slope| (slope - truth.drift_ppm).abs() < 0.5 + 0.01 * slope.abs());
        let hz = verdict.hz().is_none_or(|hz| Some(hz) == truth.hz.map(f64::from));
        let rule = verdict.rounding().is_none_or(|rule| rule == truth.rounding);
        if !(good && hz && rule) {
            wrong += 1;
            println!("{number} {truth:?} slope {slope:?} {:?} {:?}", verdict.hz(), verdict.rounding());
        }
    }
    assert!(wrong <= 3, "{wrong}");
}

#[test]
fn sweeps_and_back_to_back_runs_are_never_misread() {
    let mut dice = Dice(5);
    let mut wrong = 0;
    let all = depth::scaled(100);
    for number in 0..all {
        let noisy = number * 2 >= all;
        let timer = number % 5 == 4;
        let (kernel, truth) = if timer {
            random::timer_kernel(&mut dice, noisy)
        } else {
            random::tick_kernel(&mut dice, random::MODERN, noisy)
        };
        let tick = Nanos::new(1_000_000_000 / i64::from(truth.hz.unwrap_or(250)));
        for design in ["sweep", "fixed", "select"] {
            if design == "fixed" && truth.rounding == "early" {
                continue;
            }
            let plan = match design {
                "sweep" => random::sweep("nanosleep", 20, Nanos::SECOND, tick),
                "select" => random::sweep("select", 12, Nanos::SECOND, tick),
                _ => random::back_to_back(tick * 2, 60),
            };
            let mut recording = random::record(&kernel, &plan, dice.next());
            if noisy {
                random::disturb(&mut recording, &mut dice);
            }
            let verdict = Verdict { truth, diagnosis: diagnose(&recording) };
            // Back to back, a tick may be left open beside a cost of the same size.
            let offered = verdict.diagnosis.undecided.iter().flat_map(|open| &open.candidates);
            let open = offered.into_iter().any(|named| named.starts_with("tick-quantised"));
            let ticked = verdict.tick().is_some() == truth.hz.is_some() || (truth.hz.is_some() && open);
            let hz = verdict.hz().is_none_or(|hz| Some(hz) == truth.hz.map(f64::from));
            // A kernel that adds a tick to floor(request / tick) and does not check the time again returns early from
            // `select`.
            let early = design == "select" && verdict.diagnosis.has(Cause::EarlyWake);
            let rule = verdict.rounding().is_none_or(|rule| rule == truth.rounding || (early && rule == "early"));
            let causes: std::collections::BTreeSet<_> = verdict.diagnosis.all().map(|f| f.cause().name()).collect();
            if !(ticked && hz && rule) {
                wrong += 1;
                println!("{number} {design} {truth:?} {:?} {:?} {causes:?}", verdict.hz(), verdict.rounding());
            }
        }
    }
    assert!(wrong * 100 <= 3 * all, "{wrong}");
}

/// Returns the causes found for each method, with the rounding rule if there is one.
fn by_method(recording: &Recording, diagnosis: &Diagnosis) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for cell in &diagnosis.cells {
        let method = recording.meta.plan.cells[cell.cell as usize].method.clone();
        let causes = found.entry(method).or_default();
        for finding in &cell.findings {
            let rule = evidence::rounding(finding).unwrap_or("");
            causes.insert(format!("{} {rule}", finding.cause().name()).trim().to_owned());
        }
    }
    found
}

#[test]
fn methods_of_one_machine() {
    let names = ["usleep", "nanosleep", "select", "poll", "timerfd", "so-rcvtimeo", "futex-wait", "epoll-wait"];
    let mut dice = Dice(9);
    for number in 0..60 {
        let noisy = number % 2 == 1;
        let timer = number % 3 == 2;
        let hz = dice.choose(random::MODERN);
        let drift = dice.between(-150.0, 150.0);
        let base = random::latencies(&mut dice, noisy);
        let parameters = if timer {
            Parameters {
                mechanism: Mechanism::Hrtimer,
                hz,
                source: TickSource::Exact,
                slack_us: 50.0,
                select_slack_frac: 0.001,
                select_slack_cap_us: 1e5,
                read_unit_ns: 1,
                ..base
            }
        } else {
            Parameters {
                mechanism: Mechanism::Jiffies,
                hz,
                source: TickSource::Exact,
                tc_true_hz: 1e9 * (1.0 + drift * 1e-6),
                read_unit_ns: 1,
                ..base
            }
        };
        let kernel = Kernel::new("methods", parameters).unwrap();
        let tick = Nanos::new(1_000_000_000 / i64::from(hz));
        let mut recording = random::record(&kernel, &random::methods(&names, 5, tick), dice.next());
        if noisy {
            random::disturb(&mut recording, &mut dice);
        }
        let diagnosis = diagnose(&recording);
        let context = format!("{number}: noisy {noisy}, timers {timer}, {hz} Hz, {drift} ppm");
        assert_eq!(diagnosis.machine.iter().any(|f| f.cause() == Cause::TickQuantised), !timer, "{context}");
        let mut rates = diagnosis.all().filter_map(|f| evidence::hz(f)?);
        assert!(rates.all(|found| (found - f64::from(hz)).abs() < 1e-9), "{context}");
        for (method, causes) in by_method(&recording, &diagnosis) {
            // Sleeps of whole ticks (all of these, at 1000 Hz) end at the same tick by either rule.
            let told: BTreeSet<&str> = causes.iter().map(String::as_str).collect();
            let allowed: &[&str] = match (method.as_str(), timer) {
                ("so-rcvtimeo", _) => &["timer-wheel", "timer-wheel up-plus-one", "constant-cost"],
                (_, false) => &["tick-quantised", "tick-quantised up", "constant-cost"],
                ("timerfd", true) => &["constant-cost"],
                ("select" | "poll" | "epoll-wait", true) => &["constant-cost", "timer-slack", "proportional-slack"],
                (_, true) => &["constant-cost", "timer-slack"],
            };
            assert!(told.iter().all(|cause| allowed.contains(cause)), "{context}: {method} {told:?}");
        }
    }
}

#[test]
fn busy_threads_are_counted_and_timed() {
    let mut dice = Dice(10);
    for number in 0..60 {
        let noisy = number % 2 == 1;
        let hz = dice.choose(random::MODERN);
        let threads = dice.choose(&[0u16, 1, 2, 3, 4, 5]);
        let quantum_ms = dice.choose(&[10.0, 20.0, 50.0, 100.0]);
        let mechanism = dice.choose(&[Mechanism::Jiffies, Mechanism::Hrtimer]);
        let base = random::latencies(&mut dice, noisy);
        let parameters = Parameters {
            mechanism,
            hz,
            source: TickSource::Exact,
            slack_us: 50.0,
            scheduler: Scheduler::RoundRobin,
            quantum_ms,
            read_unit_ns: 1,
            loop_us: 2.0,
            ..base
        };
        let kernel = Kernel::new("load", parameters).unwrap();
        let mut recording = random::record(&kernel, &random::loaded(threads, 50), dice.next());
        if noisy {
            random::disturb(&mut recording, &mut dice);
        }
        let diagnosis = diagnose(&recording);
        let context = format!("{number}: noisy {noisy}, {mechanism:?}, {hz} Hz, {threads} x {quantum_ms} ms");
        let queues: Vec<&Finding> = diagnosis.all().filter(|f| f.cause() == Cause::RunQueue).collect();
        assert_eq!(queues.is_empty(), threads == 0, "{context}");
        for quanta in queues.iter().filter_map(|queue| queue.evidence.get::<RunQueue>()?.quanta.as_ref()) {
            assert_eq!(quanta.threads, u32::from(threads), "{context}");
            let quantum = quanta.quantum_ns;
            assert!((quantum / (quantum_ms * 1e6) - 1.0).abs() < 1e-3, "{context}: {quantum}");
        }
        // Quanta that do not end at ticks do not show a drift.
        let ticked = diagnosis.machine.iter().any(|f| f.cause() == Cause::TickQuantised);
        assert!(!ticked || (threads == 0 && mechanism == Mechanism::Jiffies), "{context}");
    }
}
