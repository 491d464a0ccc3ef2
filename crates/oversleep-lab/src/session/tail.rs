//! The question that late sleeps leave open: what ran while they should have.

use super::results::Results;
use oversleep_figures::CellSummary;
use oversleep_recording::catalog::MethodRow;
use oversleep_recording::document::{Cause, CellDiagnosis, Diagnosis, Undecided};
use oversleep_recording::plan::Conditions;
use oversleep_recording::{Meta, Origin, exact_time};
use oversleep_report::repeat;
use oversleep_sys::units::Nanos;

/// Least part of the 99th percentile that no cause explains, for the question to be asked.
const LEAST: Nanos = Nanos::from_micros(50);
/// Least ratio of the 99th percentile to the median.
const TAIL: f64 = 2.0;
/// Least lateness of a cell's latest sleep, and least ratio of it to the 99th percentile, for that sleep to be asked about.
const LONE: Nanos = Nanos::MILLISECOND;
const LONE_RATIO: f64 = 10.0;
/// Least number of sleeps to measure again: twenty of them are expected to be later than the 99th percentile.
const SLEEPS: u64 = 2_000;

/// Returns the question of the cell with the most unexplained 99th percentile, if that is large. Only sleeps on Linux
/// can be examined when they are late.
pub(super) fn question(results: &Results, diagnosis: &Diagnosis) -> Option<Undecided> {
    let meta = &results.meta;
    if meta.origin != Origin::Live || meta.machine.system != "Linux" {
        return None;
    }
    // Methods that sleep come before those that only wait busily: nobody misses what the latter lose.
    let sleeps = |cell: &CellSummary| !cell.cell.row().is_some_and(MethodRow::spins);
    let tails = diagnosis.cells.iter().filter_map(|cell| tail(results, cell));
    let tails = tails.filter(|(.., rest)| !is_interference(diagnosis, *rest));
    let Some((cell, p99, rest)) = tails.max_by_key(|(cell, _, rest)| (sleeps(cell), *rest)) else {
        // Where late sleeps were examined, the latest was among them.
        let cells = results.cells.iter().filter(|cell| sleeps(cell) && results.note.late.is_none());
        let worst = cells.filter_map(worst).max_by_key(|(_, late)| *late);
        return of_worst(meta, worst?.0);
    };
    Some(Undecided {
        question: format!("what makes the latest sleeps of {} so late", cell.cell.method),
        why: format!(
            "{rest} of {p99} at the 99th percentile follow no pattern, and samples alone do not say what ran instead; --on-late \
             examines sleeps later than that percentile, as {} of these {} were",
            cell.raw.n / 100,
            cell.raw.n
        ),
        experiment: command(meta, cell, p99)?,
        candidates: candidates(meta),
    })
}

/// Returns whether interference at a fixed period was found that delays the sleeps it meets by about as much as this. Which
/// sleeps it meets is chance, so that it explains no percentile.
fn is_interference(diagnosis: &Diagnosis, rest: Nanos) -> bool {
    let mut found = diagnosis.machine.iter().chain(diagnosis.cells.iter().flat_map(|cell| &cell.findings));
    found.any(|found| found.cause() == Cause::PeriodicInterference && found.size >= 0.5 * rest.as_f64())
}

/// Removes questions whose answer may be a wait for other threads where examined sleeps show that wait in every cell: the
/// measurement that they propose is without those threads.
pub(super) fn drop_answered(diagnosis: &mut Diagnosis) {
    let waits = |cell: &CellDiagnosis| {
        cell.findings.iter().any(|found| found.cause() == Cause::RunQueue && found.evidence.examined().is_some())
    };
    if !diagnosis.cells.is_empty() && diagnosis.cells.iter().all(waits) {
        diagnosis.undecided.retain(|open| !open.candidates.iter().any(|name| name.starts_with(Cause::RunQueue.name())));
    }
}

/// Returns the question of a cell's few latest sleeps, of which no percentile tells.
fn of_worst(meta: &Meta, cell: &CellSummary) -> Option<Undecided> {
    let (latest, p99) = (cell.raw.max?, cell.raw.p99?);
    let real_time = cell.obtained.as_ref().is_some_and(Conditions::is_real_time);
    let guard = meta.machine.limits.realtime_guard.filter(|guard| real_time && guard.share() < 1.0);
    let limit = guard.map_or_else(String::new, |guard| {
        format!(
            "; real-time threads together may use {:.0} % of a processor here, and are late when they have used that up",
            100.0 * guard.share()
        )
    });
    Some(Undecided {
        question: format!("what made the latest sleep of {} {latest} late", cell.cell.method),
        why: format!(
            "99 % of the {} were at most {p99} late, and samples alone do not say what ran instead; --on-late examines a sleep as \
             late as half of that{limit}",
            cell.raw.n
        ),
        experiment: command(meta, cell, Nanos::new(latest.get() / 2))?,
        candidates: candidates(meta),
    })
}

/// Returns the cell and its greatest lateness, if that stands far apart from all but a hundredth of its sleeps.
fn worst(cell: &CellSummary) -> Option<(&CellSummary, Nanos)> {
    let (latest, p99) = (cell.raw.max?, cell.raw.p99?);
    (latest >= LONE && latest.as_f64() >= LONE_RATIO * p99.as_f64()).then_some((cell, latest))
}

/// Returns what may make single sleeps late, the likeliest first.
fn candidates(meta: &Meta) -> Vec<String> {
    let quota = meta.machine.quota.as_ref().map(|_| Cause::Throttled);
    let causes = quota.into_iter().chain([Cause::RunQueue, Cause::PeriodicInterference, Cause::HostSteal]);
    causes.map(|cause| cause.name().to_owned()).collect()
}

/// Returns the cell, its 99th percentile, and the part of this that no cause explains, if it has a long tail.
fn tail<'a>(results: &'a Results, found: &CellDiagnosis) -> Option<(&'a CellSummary, Nanos, Nanos)> {
    let cell = results.cells.iter().find(|cell| cell.cell.id == found.cell)?;
    let (p50, p99) = (cell.raw.p50?, cell.raw.p99?);
    let rest = Nanos::new(*found.budget.p99_ns.as_ref()?.get("unexplained")?);
    // Most sleeps as late as that were examined already.
    let examined = results.note.late.map_or(0, |late| cell.over(late.threshold, None).count);
    if examined * 2 >= cell.raw.n / 100 && examined > 0 {
        return None;
    }
    let long = p99.as_f64() >= TAIL * p50.as_f64().max(1.0);
    (long && rest >= LEAST && rest.get() * 2 > p99.get()).then_some((cell, p99, rest))
}

/// Returns the command that measures this cell again and examines sleeps later than the threshold. Only its own sleeps,
/// because others may all be later than that, and only a few late sleeps are examined.
fn command(meta: &Meta, cell: &CellSummary, threshold: Nanos) -> Option<String> {
    let threads = cell.cell.conditions.threads.map_or(1, u64::from).max(1);
    let measure = repeat::one_cell(meta, &cell.cell, SLEEPS.max(cell.raw.n / threads))?;
    Some(format!("{measure} --on-late {} && oversleep explain", exact_time(two_digits(threshold))))
}

/// Rounds a time down to two digits.
fn two_digits(time: Nanos) -> Nanos {
    let mut unit = 1;
    while time.get() / unit >= 100 {
        unit *= 10;
    }
    Nanos::new(time.get() / unit * unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::FiguresOnly;
    use oversleep_figures::Summariser;
    use oversleep_recording::catalog::MethodId;
    use oversleep_recording::document::evidence::PeriodicInterference;
    use oversleep_recording::document::{Budget, Finding, Unit};
    use oversleep_recording::machine::RtGuard;
    use oversleep_recording::plan::{Kind, Pattern, Plan, Policy, build};
    use oversleep_recording::{LateAccount, Note, Obtained, Sample, Sink};

    /// Returns a sleep of a millisecond that was this late.
    fn sleep(cell: u32, sequence: u64, late: Nanos) -> Sample {
        let requested = Nanos::MILLISECOND;
        Sample { cell, sequence, requested, end: requested + late, ..Sample::BLANK }
    }

    /// The threshold is the cell's own 99th percentile, and enough sleeps are later than it: with one far below, the
    /// first sleeps are examined, and not the latest.
    #[test]
    fn the_latest_hundredth_of_the_sleeps_is_examined() {
        let methods = [MethodId::Nanosleep.row(), MethodId::Spin.row()];
        let requests = [Pattern::fixed(Nanos::MILLISECOND)];
        let grid = build::Grid { rows: &methods, requests: &requests, conditions: &[Conditions::default()] };
        let plan = Plan { kind: Kind::CheckUp, ..build::measure(&grid, 300, 1) };
        let meta = Meta::new("test", Origin::Live, plan.clone());
        let mut summary = Summariser::new(&meta);
        let late = |n: u64| Nanos::from_micros(if n.is_multiple_of(50) { 1_234 } else { 1 });
        summary.samples(&(0..300).map(|n| sleep(1, n, late(n))).collect::<Vec<_>>());
        let cells = summary.finish();
        let spin = cells.iter().find(|cell| cell.cell.id == 1).unwrap();
        assert_eq!(
            command(&meta, spin, spin.raw.p99.unwrap()).unwrap(),
            "oversleep measure --method spin --request 1ms --count 2000 --on-late 1200us && oversleep explain"
        );
    }

    /// A tail of twice the median is long enough to ask what ran instead, and the question says how many sleeps are meant.
    #[test]
    fn an_unexplained_tail_is_asked_about() {
        let methods = [MethodId::Nanosleep.row()];
        let requests = [Pattern::fixed(Nanos::MILLISECOND)];
        let grid = build::Grid { rows: &methods, requests: &requests, conditions: &[Conditions::default()] };
        let mut meta = Meta::new("test", Origin::Live, build::measure(&grid, 300, 1));
        meta.machine.system = "Linux".to_owned();
        let mut figures = FiguresOnly::new(&meta);
        let late_of = |n: u64| Nanos::from_micros(if n.is_multiple_of(50) { 180 } else { 60 });
        figures.samples(&(0..300).map(|n| sleep(0, n, late_of(n))).collect::<Vec<_>>());
        let results = figures.finish();
        let of = |results: &Results, unexplained: i64| {
            let split = [("timer-slack".to_owned(), 180_000 - unexplained), ("unexplained".to_owned(), unexplained)];
            let budget = Budget { p50_ns: None, p99_ns: Some(split.into()) };
            let cells = vec![CellDiagnosis { cell: 0, findings: Vec::new(), budget }];
            question(results, &Diagnosis { cells, ..Diagnosis::default() })
        };
        let asked = |unexplained| of(&results, unexplained);
        let rhythm = PeriodicInterference {
            period_s: 0.05,
            period_error_s: 0.001,
            at_ns: Nanos::ZERO,
            from_s: None,
            to_s: None,
            to_error_s: None,
            events: 9,
            log_likelihood_beyond_chance: 20.0,
        };
        for (size, is_known) in [(100e3, true), (20e3, false)] {
            let machine = vec![Finding::new(rhythm.clone(), size, Unit::Nanoseconds)];
            assert_eq!(
                is_interference(&Diagnosis { machine, ..Diagnosis::default() }, Nanos::from_micros(120)),
                is_known
            );
        }
        assert_eq!(asked(80_000), None, "most of it is explained");
        let open = asked(120_000).unwrap();
        assert!(
            open.why.ends_with("--on-late examines sleeps later than that percentile, as 3 of these 300 were"),
            "{}",
            open.why
        );
        assert!(open.experiment.contains("--count 2000 --on-late 180us"), "{}", open.experiment);
        // Where only later sleeps were examined, those are still a question.
        for (threshold, is_asked) in [(100, false), (500, true)] {
            let late = LateAccount { threshold: Nanos::from_micros(threshold), ..LateAccount::default() };
            let mut examined = FiguresOnly::new(&meta);
            examined.note(&Note { late: Some(late), ..Note::default() });
            examined.samples(&(0..300).map(|n| sleep(0, n, late_of(n))).collect::<Vec<_>>());
            assert_eq!(of(&examined.finish(), 120_000).is_some(), is_asked, "{threshold}");
        }
    }

    /// A sleep far later than all but a hundredth is asked about, under a real-time policy with the kernel's limit on it.
    #[test]
    fn a_lone_latest_sleep_is_asked_about() {
        let methods = [MethodId::Nanosleep.row()];
        let requests = [Pattern::fixed(Nanos::MILLISECOND)];
        let grid = build::Grid { rows: &methods, requests: &requests, conditions: &[Conditions::default()] };
        let mut meta = Meta::new("test", Origin::Live, build::measure(&grid, 400, 1));
        meta.machine.system = "Linux".to_owned();
        let period = Nanos::SECOND;
        meta.machine.limits.realtime_guard = Some(RtGuard { runtime: Some(Nanos::from_millis(950)), period });
        let asked = |latest: i64, policy| {
            let mut figures = FiguresOnly::new(&meta);
            let conditions = Conditions { policy: Some(policy), ..Conditions::default() };
            figures.note(&Note { obtained: vec![Obtained { cell: 0, thread: 0, conditions }], ..Note::default() });
            let late = |n| Nanos::from_micros(if n == 200 { latest } else { 20 });
            figures.samples(&(0..400).map(|n| sleep(0, n, late(n))).collect::<Vec<_>>());
            let cells = vec![CellDiagnosis { cell: 0, findings: Vec::new(), budget: Budget::default() }];
            question(&figures.finish(), &Diagnosis { cells, ..Diagnosis::default() })
        };
        assert_eq!(asked(900, Policy::Other), None, "less than a millisecond");
        let open = asked(54_000, Policy::Other).unwrap();
        assert_eq!(open.question, "what made the latest sleep of nanosleep 54.0 ms late");
        assert!(open.experiment.ends_with("--count 2000 --on-late 27ms && oversleep explain"), "{}", open.experiment);
        assert!(!open.why.contains("real-time"), "{}", open.why);
        let limited = asked(54_000, Policy::Fifo { priority: 80 }).unwrap();
        assert!(limited.why.contains("may use 95 % of a processor"), "{}", limited.why);
    }

    #[test]
    fn a_threshold_has_two_digits() {
        let ns = [7, 99, 1_234, 99_999, 1_234_567];
        assert_eq!(ns.map(|ns| two_digits(Nanos::new(ns)).get()), [7, 99, 1_200, 99_000, 1_200_000]);
    }
}
