//! Presets of simulated kernels with parameters and designs that their documents do not have.

use super::super::random::{self, Dice};
use super::{Case, presets};
use oversleep_lab::analysis::patterns::Cause;
use oversleep_recording::Recording;
use oversleep_recording::plan::{Pattern, Plan, Policy};
use oversleep_sim::{Kernel, Mechanism, Simulation, meta};
use oversleep_sys::units::Nanos;

/// Returns a preset with odd values of its rate, cost or slack, in a design of random size and rhythm.
pub(crate) fn preset(dice: &mut Dice) -> Case {
    let names = presets::names();
    let name = &names[usize::try_from(dice.next() % names.len() as u64).unwrap_or(0)];
    let kernel = odd(&Kernel::preset(name).expect("a preset"), dice);
    let (design, mut plan) = design(dice);
    if name.ends_with("-rt") {
        // The kernel of a real-time thread: a recording says so.
        plan.cells.iter_mut().for_each(|cell| cell.conditions.policy = Some(Policy::Fifo { priority: 80 }));
    }
    let seed = dice.next();
    let mut recording = Recording::new(meta(&kernel, &plan));
    Simulation::new(&kernel, &plan, seed).run(&mut recording);
    let truth = presets::truth_of(&kernel, (design, &plan), seed, &recording).and(&[Cause::MissedPeriods]);
    Case { class: "odd presets", recording, truth }
}

/// Changes one or two parameters, where the kernel accepts it.
fn odd(kernel: &Kernel, dice: &mut Dice) -> Kernel {
    let p = kernel.parameters();
    let mut changes: Vec<(&str, String)> = Vec::new();
    // A tick of fixed length has no rate to change.
    if p.mechanism != Mechanism::Nt && dice.share() < 0.7 {
        let hz =
            dice.choose(&[50, 60, 75, 77, 83, 100, 110, 125, 150, 200, 250, 300, 512, 1000, 1200, 2000, 3000, 4000]);
        changes.push(("hz", hz.to_string()));
    }
    if p.mechanism == Mechanism::Hrtimer && p.slack_us > 0.0 && dice.share() < 0.5 {
        changes.push(("slack_us", dice.choose(&[1, 100, 300, 1000, 2000]).to_string()));
    }
    if dice.share() < 0.5 {
        changes.push(("lat_base_us", dice.choose(&[2, 10, 25, 60]).to_string()));
    }
    changes
        .iter()
        .fold(kernel.clone(), |kernel, (name, value)| kernel.set_all(&[(*name, value.as_str())]).unwrap_or(kernel))
}

/// Returns a design's name and plan.
fn design(dice: &mut Dice) -> (&'static str, Plan) {
    let sleeps = dice.choose(&[12, 40, 100, 400, 1_000]);
    let window = dice.choose(&[None, Some(Nanos::MILLISECOND), Some(Nanos::from_millis(10))]);
    let of = |pattern| random::plan("nanosleep", &[(pattern, sleeps)], window);
    match dice.next() % 5 {
        0 | 1 => ("random", of(Pattern::Random { from: Nanos::from_micros(200), to: Nanos::from_millis(60) })),
        2 => {
            let requested = Nanos::from_micros(dice.choose(&[100, 1_000, 3_000, 10_000]));
            ("fixed", of(Pattern::Fixed { requested }))
        }
        3 => {
            let every = Nanos::from_millis(dice.choose(&[1, 10, 40]));
            ("periodic", random::plan("nanosleep", &[(Pattern::Periodic { period: every }, sleeps)], None))
        }
        _ => ("wall-second", random::aligned("nanosleep", sleeps.min(200))),
    }
}
