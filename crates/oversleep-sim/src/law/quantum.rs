//! Quanta of busy threads: a sleeper whose time is over waits until their turns end.

use super::{About, Even, Govern, Grid, Known, Law, Lengths, Parameter, Sleep, time};

/// What is known of the law.
pub const ABOUT: About = About {
    name: "quantum",
    governs: "threads that wake on a processor which threads of equal rank keep busy",
    formula: "ends at the end of the quantum in progress at start + request, and `ahead` quanta later; quanta follow each other \
              with a phase of their own, or from the moment at which the sleeper left",
    parameters: &[
        Parameter { name: "quantum", unit: "ns", least: 1e6, most: 200e6 },
        Parameter { name: "ahead", unit: "1", least: 0.0, most: 1000.0 },
    ],
    remedy: "a higher priority, a real-time policy, or a processor of its own",
};

const fn law(quantum: f64, ahead: i64) -> Law {
    Law::Quantum(Quantum { quanta: Even { period: quantum, phase: 0.0 }, ahead })
}

/// The systems that have it.
pub const KNOWN: &[Known] = known! {
    "linux" "2.6 and later": "SCHED_RR beside threads of the same priority"
        = law(100e6, 0); "kernel/sched/rt.c: RR_TIMESLICE 100 ms; sched_rr_timeslice_ms";
    "windows-9" "95 to Me": "every thread beside busy ones"
        = law(20e6, 0); "Windows 95 DDK, S3377: a base quantum of 20 ms";
};

/// Sleeps end with quanta.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantum {
    /// The quanta.
    pub quanta: Even,
    /// Threads that have their turn before the sleeper, beside the one running.
    pub ahead: i64,
}

/// Returns the quantum's end at which a thread runs that is due at `due`, with `ahead` threads before it.
pub fn turn<G: Grid>(quanta: &mut G, due: G::Time, ahead: i64) -> i64 {
    quanta.first_from(due).saturating_add(ahead)
}

impl Govern for Quantum {
    fn end(&self, sleep: &Sleep) -> f64 {
        let mut quanta = self.quanta;
        let at = turn(&mut quanta, sleep.due(), self.ahead);
        quanta.at(at)
    }

    fn lengths(&self, asked: f64) -> Lengths {
        let least = asked + self.ahead as f64 * self.quanta.period;
        let origin = Self { quanta: Even { phase: 0.0, ..self.quanta }, ..*self };
        let back_to_back = origin.end(&Sleep { start: 0.0, asked, absolute: false });
        Lengths { least, most: least + self.quanta.period, back_to_back }
    }

    fn text(&self) -> String {
        let turns = if self.ahead > 0 { format!(", {} later", self.ahead) } else { String::new() };
        format!("waits for the end of a quantum of {}{turns}", time(self.quanta.period))
    }
}
