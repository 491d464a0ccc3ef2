//! The notes of a simulated kernel, beside its samples.

use super::machine::Machine;
use super::program::{Cut, CutCell};
use super::scale::Scale;
use super::time::Ps;
use super::user::UserClock;
use oversleep_recording::plan::{Cell, ClockName, Conditions, Phase};
use oversleep_recording::{Bracket, HungSleep, Note, Obtained, Unobtained};

/// Returns readings of every clock at the same true time, which is one of the clocks: so drift is known, not estimated.
pub(crate) fn brackets<S: Scale>(m: &mut Machine<S>, t: Ps) -> Note {
    let monotonic = UserClock::new(ClockName::Monotonic, 1).read(m, t);
    let brackets = [ClockName::True, ClockName::Realtime, ClockName::MonotonicRaw]
        .map(|clock| Bracket {
            clock,
            monotonic,
            width: oversleep_sys::units::Nanos::ZERO,
            reading: UserClock::new(clock, 1).read(m, t),
        })
        .to_vec();
    Note { brackets, ..Note::default() }
}

/// Returns the conditions that a simulated kernel has.
pub(crate) fn obtained(cell: &Cell, thread: u16) -> Note {
    let asked = &cell.conditions;
    let conditions = Conditions {
        policy: asked.policy,
        nice: asked.nice,
        timer_slack: asked.timer_slack,
        load: asked.load,
        threads: asked.threads,
        // Caches do not cool in a simulated kernel.
        phase: asked.phase.filter(|phase| !matches!(phase, Phase::Warm { .. })),
        ..Conditions::default()
    };
    Note { obtained: vec![Obtained { cell: cell.id, thread, conditions }], ..Note::default() }
}

/// Returns a note about a cell that ended before its plan was complete.
pub(crate) fn cut(cell: &Cell, cut: &CutCell) -> Note {
    let (kind, why) = match cut.cut {
        Cut::Hangs => (
            "hangs",
            format!(
                "a sleep of {} was rounded to 0 ticks, which this kernel takes as for ever: the thread never wakes",
                cut.requested
            ),
        ),
        Cut::Beyond => {
            ("failed", format!("a sleep of {} ends after the 100 days a simulated machine lives", cut.requested))
        }
        Cut::NoMethod => ("unavailable", "the simulated kernel has no such call".to_owned()),
    };
    let what = format!("cell {} thread {}: {}", cut.cell, cut.thread, cell.method);
    let hung = HungSleep { cell: cut.cell, thread: cut.thread, requested: cut.requested };
    Note {
        unavailable: vec![Unobtained { what, kind: kind.to_owned(), why }],
        hung: if cut.cut == Cut::Hangs { vec![hung] } else { Vec::new() },
        ..Note::default()
    }
}
