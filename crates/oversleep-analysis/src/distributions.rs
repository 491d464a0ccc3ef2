//! What histograms without samples say of causes: almost nothing, so each leaves a question and what would decide it.

use super::experiment::{random_phase, stalls};
use oversleep_recording::document::{Cause, Diagnosis, Undecided};
use oversleep_recording::plan::build::DEFAULT_METHODS;
use oversleep_recording::plan::{Conditions, Plan};
use oversleep_recording::{Distribution, Loss, Origin, Quantity};

/// Returns a diagnosis without findings and with one question for each kind of quantity. Causes show in the times and
/// in the order of sleeps; histograms have neither.
pub fn diagnose(origin: &Origin, plan: &Plan, distributions: &[Distribution]) -> Diagnosis {
    let mut undecided: Vec<Undecided> = Vec::new();
    for distribution in distributions.iter().filter(|distribution| distribution.count > 0) {
        let Some(cell) = plan.cells.iter().find(|cell| cell.id == distribution.cell) else { continue };
        // What one thread leaves open, the program's others do too.
        let program = cell.method.split(" thread ").next().unwrap_or_default();
        let open = question(origin, distribution, program, &cell.conditions);
        if !undecided.iter().any(|known| known.why == open.why) {
            undecided.push(open);
        }
    }
    Diagnosis { undecided, ..Diagnosis::default() }
}

/// What may make sleeps late, the likeliest first on systems of today.
const SLEEPS: &[Cause] = &[
    Cause::ConstantCost,
    Cause::TimerSlack,
    Cause::IdleExit,
    Cause::RunQueue,
    Cause::PeriodicInterference,
    Cause::HostSteal,
    Cause::TickQuantised,
];

fn question(origin: &Origin, distribution: &Distribution, program: &str, under: &Conditions) -> Undecided {
    let missing: Vec<&str> = distribution
        .lost
        .iter()
        .filter(|loss| matches!(loss, Loss::Times | Loss::Order | Loss::Requests | Loss::Buckets))
        .map(|loss| loss.name())
        .collect();
    let quantity = distribution.quantity;
    if quantity == Quantity::RunTime {
        return Undecided {
            question: format!("what makes up the {} of {program}", quantity.name()),
            why: "a command's run time is its own work; no sleep was timed".to_owned(),
            experiment: "sleeps by every method (there: oversleep && oversleep explain)".to_owned(),
            candidates: Vec::new(),
        };
    }
    let (causes, experiment): (&[Cause], String) = match quantity {
        Quantity::Hiccup | Quantity::LoopGap | Quantity::Noise => {
            (&[Cause::PeriodicInterference, Cause::HostSteal, Cause::Stopped], stalls(origin))
        }
        _ => (SLEEPS, random_phase(origin, DEFAULT_METHODS.periodic.name(), under, 800)),
    };
    // Real-time threads have no timer slack (`hrtimer_nanosleep` of Linux since 2.6.28).
    let possible = |cause: &&Cause| **cause != Cause::TimerSlack || !under.is_real_time();
    Undecided {
        question: format!("what makes up the {} of {program}", quantity.name()),
        why: format!("not enough to tell: the file does not say {}", missing.join(", nor ")),
        experiment,
        candidates: causes.iter().filter(possible).map(|cause| cause.name().to_owned()).collect(),
    }
}
