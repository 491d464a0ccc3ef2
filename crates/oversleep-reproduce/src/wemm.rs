//! Wemm's answer: without the extra tick a timeout can become zero ticks, which means a wait without end.

use super::runs::Experiment;
use oversleep_recording::catalog::MethodId;
use oversleep_recording::document::{Basis, Claim, FigureUnit, ReproducedFigure, ReproducedTable};
use oversleep_sim::ParameterError;
use oversleep_sys::units::Nanos;

/// Number of sleeps of each request. Each has its own kernel, so that one that hangs does not end the others.
const TRIES: u64 = 200;

/// Requests shorter than a tick of 1000 Hz, and longer ones that leave a rest shorter than a tick.
const REQUESTS_US: [i64; 9] = [10, 24, 30, 500, 999, 1_500, 9_999, 100_500, 1_000_000];

/// Returns the claim and, for each request, the share of sleeps that never end.
pub(super) fn hangs() -> Result<(Claim, ReproducedTable), ParameterError> {
    const UNGUARDED: [(&str, &str); 2] = [("round", "low"), ("zero_ticks", "forever")];
    let share = |preset, set: &[(&str, &str)], asked| -> Result<f64, ParameterError> {
        let mut hung = 0;
        for seed in 1..=TRIES {
            let run = Experiment::sleeps(preset, set, MethodId::Usleep, asked, 1).scattered().seeded(seed);
            hung += u32::from(run.ended()? == 0);
        }
        Ok(f64::from(hung) / TRIES as f64 * 100.0)
    };
    let mut rows = Vec::new();
    let mut shares = Vec::new();
    for us in REQUESTS_US {
        let asked = Nanos::from_micros(us);
        let slow = share("freebsd-8-hz1000", &UNGUARDED, asked)?;
        let fast = share("freebsd-8-rizzo-fixed-unsafe", &[], asked)?;
        let guarded = share("freebsd-8-rizzo-fixed", &[], asked)?;
        rows.push(vec![asked.to_string(), format!("{slow:.1} %"), format!("{fast:.1} %"), format!("{guarded:.1} %")]);
        shares.push((us, slow, fast, guarded));
    }
    let worst_guarded = shares.iter().map(|(.., guarded)| *guarded).fold(0.0, f64::max);
    let below_a_tick = shares.iter().filter(|(us, ..)| *us < 1_000).map(|(_, slow, ..)| *slow).fold(100.0, f64::min);
    let above_a_tick = shares.iter().filter(|(us, ..)| *us > 1_000).map(|(_, slow, ..)| *slow).fold(0.0, f64::max);
    let unit = FigureUnit::PerCent;
    let published = "sleeping forever";
    let figures = vec![
        ReproducedFigure::between("hang below a tick, 1000 Hz, least", published, unit, (100.0, 100.0), below_a_tick),
        ReproducedFigure::between("hang above a tick, 1000 Hz, most", published, unit, (0.5, 100.0), above_a_tick),
        ReproducedFigure::exactly("hang with his check (0 becomes 1)", "the fix he asks for", unit, 0.0, worst_guarded),
    ];
    let claim = Claim::new(None, Basis::Documented, figures)
        .about("Wemm: a tvtohz() that returns 0 for a non-zero time sets land-mines, for tsleep() takes 0 as forever")
        .because(
            "Every request shorter than a tick hangs; a longer one can when, woken too early by the cached time, it sleeps on for less than a tick.",
        )
        .by("oversleep simulate freebsd-8-rizzo-fixed-unsafe -m usleep -r 10us");
    let table = ReproducedTable {
        title: format!("share of {TRIES} sleeps that never end, where tvtohz() may return 0"),
        columns: ["asked", "1000 Hz, rounded down", "40000 Hz, all fixes unguarded", "40000 Hz, with the check"]
            .map(str::to_owned)
            .to_vec(),
        rows,
    };
    Ok((claim, table))
}
