//! Runs plans on a simulated kernel.

use super::clock::FrequencyChange;
use super::facts;
use super::kernel::Kernel;
use super::machine::Machine;
use super::program::{self, CutCell};
use super::scale::{Exact, Fixed, Scale};
use super::sleep_sink::{Batches, SleepSink, Tallies};
use super::tally::Tally;
use oversleep_recording::machine::Machine as Facts;
use oversleep_recording::plan::Plan;
use oversleep_recording::{End, Meta, Note, Origin, Sink};
use oversleep_sys::units::Nanos;

/// The arithmetic of multiplications by a ratio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arithmetic {
    /// 128-bit integers: the reference.
    #[default]
    Exact,
    /// 64-bit fixed point: about twice as fast, and equal up to one count of the clock (see `scale`).
    Fixed,
}

/// A simulation that is ready to run.
#[derive(Debug, Clone)]
pub struct Simulation<'a> {
    kernel: &'a Kernel,
    plan: &'a Plan,
    seed: u64,
    arithmetic: Arithmetic,
    changes: Vec<FrequencyChange>,
}

/// The result of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Cells that ended before their plan was complete: a hang, or a sleep beyond the machine's 100 days.
    pub cut: Vec<CutCell>,
    /// True time at the end.
    pub simulated: Nanos,
}

impl<'a> Simulation<'a> {
    /// Returns a simulation of this plan on this kernel. The same seed gives the same bytes, on every platform.
    pub fn new(kernel: &'a Kernel, plan: &'a Plan, seed: u64) -> Self {
        Self { kernel, plan, seed, arithmetic: Arithmetic::default(), changes: Vec::new() }
    }

    /// Sets the arithmetic.
    pub fn arithmetic(mut self, arithmetic: Arithmetic) -> Self {
        self.arithmetic = arithmetic;
        self
    }

    /// Sets the changes of the clock's frequency during the run (`ntptime -f`), which are sorted by time.
    pub fn changes(mut self, changes: &[FrequencyChange]) -> Self {
        self.changes = changes.to_vec();
        self.changes.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
        self
    }

    /// Runs the plan and writes every sample and note to `sink`.
    pub fn run(&self, sink: &mut dyn Sink) -> Outcome {
        let mut batches = Batches::new(sink);
        let outcome = self.run_into(&mut batches);
        batches.note(&Note { end: Some(End::Complete), ..Note::default() });
        batches.end();
        outcome
    }

    /// Runs the plan and keeps statistics only: one [`Tally`] of a few hundred bytes per cell, however many sleeps.
    pub fn tally(&self) -> (Vec<Tally>, Outcome) {
        let mut tallies = Tallies(self.plan.cells.iter().map(|cell| Tally::new(cell.id)).collect());
        let outcome = self.run_into(&mut tallies);
        (tallies.0, outcome)
    }

    fn run_into(&self, sink: &mut dyn SleepSink) -> Outcome {
        match self.arithmetic {
            Arithmetic::Exact => self.run_with::<Exact>(sink),
            Arithmetic::Fixed => self.run_with::<Fixed>(sink),
        }
    }

    fn run_with<S: Scale>(&self, sink: &mut dyn SleepSink) -> Outcome {
        let machine = Machine::<S>::new(self.kernel.shared(), self.seed, &self.changes);
        let (cut, end) = program::run(machine, self.plan, self.seed, sink);
        Outcome { cut, simulated: Nanos::new(end / 1_000) }
    }
}

/// Carries out `plan` on `kernel` and writes samples and notes to `sink`, as the live machine does.
pub fn run(kernel: &Kernel, plan: &Plan, seed: u64, sink: &mut dyn Sink) -> Outcome {
    Simulation::new(kernel, plan, seed).run(sink)
}

/// Returns the head of a recording of `plan` on `kernel`. Its machine is the simulated one, and it contains no time,
/// so that the same seed gives the same bytes everywhere.
pub fn meta(kernel: &Kernel, plan: &Plan) -> Meta {
    let origin = Origin::Simulated {
        model: kernel.name().to_owned(),
        parameters: serde_json::to_value(kernel.parameters()).unwrap_or_default(),
    };
    let p = kernel.parameters();
    let machine = Facts {
        system: "simulated".to_owned(),
        release: kernel.name().to_owned(),
        timekeeping: facts::timekeeping(p),
        ntp: facts::ntp(p),
        ..Facts::default()
    };
    Meta { machine, ..Meta::new(concat!("oversleep ", env!("CARGO_PKG_VERSION")), origin, plan.clone()) }
}
