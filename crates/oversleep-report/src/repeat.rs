//! The command that repeats the measurement of a recording.

use oversleep_recording::plan::{CONDITIONS, Cell, Kind, Pattern, Plan, Turn, build};
use oversleep_recording::runtimes::APIS;
use oversleep_recording::{Meta, Note, Origin, exact_time, shell_option, simulate_command};
use oversleep_sys::units::Nanos;
use std::collections::BTreeSet;

/// Returns the command line; `None` where there is none, as of another program's file or sleeps.
pub fn whole_run(meta: &Meta, note: &Note) -> Option<String> {
    let mut out = command(meta)?;
    if let Some(late) = &note.late {
        out += &shell_option("on-late", &exact_time(late.threshold));
    }
    Some(out)
}

/// Returns the same without the actions on late sleeps.
fn command(meta: &Meta) -> Option<String> {
    let plan = &meta.plan;
    let simulated = match &meta.origin {
        Origin::Live => None,
        Origin::Simulated { model, .. } => Some(model),
        Origin::Imported { .. } => return None,
    };
    let mut command = match (plan.kind, simulated) {
        (Kind::CheckUp, None) => return Some("oversleep".to_owned()),
        (Kind::Diagnose, None) => return plan.cells.first().map(diagnosis(plan)),
        (kind @ (Kind::Clocks | Kind::Stalls), None) => return Some(format!("oversleep {kind}")),
        (Kind::Runtimes, None) => return runtimes(meta),
        // What a probe's command was, the recording does not say.
        (_, None) if plan.cells.iter().any(|cell| cell.row().is_none()) => return None,
        (_, None) => "oversleep measure".to_owned(),
        (_, Some(model)) => simulate_command(model),
    };
    match plan.kind {
        kind if has_own_requests(kind) => command += &format!(" --experiment {kind}"),
        Kind::Trace => command += " --trace",
        _ => {}
    }
    command += &options(plan, meta.time_limit);
    Some(command)
}

/// Returns whether an experiment has requests and, for one, loads of its own.
const fn has_own_requests(kind: Kind) -> bool {
    matches!(kind, Kind::WallSecond | Kind::Sweep | Kind::Load)
}

/// Returns the command line that measures only one of the cells, with this number of sleeps; `None` where there is none.
pub fn one_cell(meta: &Meta, cell: &Cell, sleeps: u64) -> Option<String> {
    if matches!(cell.pattern, Pattern::Aligned { .. }) {
        return None;
    }
    let turns = vec![Turn { cell: cell.id, sleeps }];
    let plan = Plan { kind: Kind::Measure, cells: vec![cell.clone()], turns, seed: meta.plan.seed };
    command(&Meta { plan, time_limit: None, ..meta.clone() })
}

/// Returns what makes the command line of a diagnosis from its baseline.
fn diagnosis(plan: &Plan) -> impl Fn(&Cell) -> String {
    // The number of sleeps follows from the time, which the recording does not say.
    let baseline = |cell: &Cell| Plan { cells: vec![cell.clone()], turns: Vec::new(), ..plan.clone() };
    move |cell| format!("oversleep diagnose{}", options(&baseline(cell), None))
}

/// Returns the command line of the check-up of runtimes, for those APIs that took part.
fn runtimes(meta: &Meta) -> Option<String> {
    let plan = &meta.plan;
    let programs: Vec<&Cell> = plan.cells.iter().filter(|cell| cell.row().is_none()).collect();
    let known = |cell: &&Cell| APIS.iter().any(|api| api.name == cell.method);
    if programs.is_empty() || !programs.iter().all(known) {
        return None;
    }
    let took_part = |name: &str| programs.iter().any(|cell| cell.method == name);
    let names: Vec<&str> = APIS.iter().map(|api| api.name).filter(|name| took_part(name)).collect();
    let mut out = "oversleep runtimes".to_owned();
    if names.len() < APIS.len() {
        out += &format!(" --only {}", names.join(","));
    }
    let requests = requests_of(programs.iter().copied()).into_iter().map(exact_time);
    out += &format!(" --request {}", requests.collect::<Vec<_>>().join(","));
    // By default, long requests are made less often.
    let counts: BTreeSet<u64> = programs.iter().map(|cell| sleeps_of(plan, cell)).collect();
    if let (Some(count), 1) = (counts.first(), counts.len()) {
        out += &format!(" --count {count}");
    }
    out += &duration(meta.time_limit);
    Some(out)
}

/// Returns the option that ends a run after this time; nothing without one.
fn duration(limit: Option<Nanos>) -> String {
    limit.map_or_else(String::new, |limit| shell_option("duration", &exact_time(limit)))
}

/// Returns whether this number of sleeps of each cell is the one planned for a run of this duration where none is asked for.
fn fills(limit: Nanos, count: u64, plan: &Plan) -> bool {
    // Of a sweep and of busy threads, the duration says nothing about the number.
    let fillable = matches!(plan.kind, Kind::Measure | Kind::Periodic | Kind::Trace | Kind::WallSecond);
    let lengths = plan.cells.iter().map(|cell| cell.pattern.typical().max(Nanos::MICROSECOND));
    let round = lengths.fold(Nanos::ZERO, Nanos::saturating_add).get().max(1);
    fillable && (limit.get() / round).max(1).unsigned_abs() == count
}

/// Returns the options that make these cells again: each value once, and nothing that is a default. A run that was as long as
/// `limit` has that instead of the number of sleeps that filled it.
fn options(plan: &Plan, limit: Option<Nanos>) -> String {
    let mut out = String::new();
    let mut add = |option: &str, value: &dyn Fn(&Cell) -> Option<String>| {
        let mut values: Vec<String> = Vec::new();
        for value in plan.cells.iter().filter_map(value) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        if !values.is_empty() {
            out += &shell_option(option, &values.join(","));
        }
    };
    add("method", &|cell| Some(cell.method.clone()));
    if plan.kind == Kind::Sweep {
        add("request", &|cell| requested(cell.pattern).filter(|_| !is_whole_sweep(plan)));
    }
    if !has_own_requests(plan.kind) {
        add("request", &|cell| requested(cell.pattern));
        add("interval", &|cell| match cell.pattern {
            Pattern::Periodic { period } => Some(interval(period)),
            _ => None,
        });
    }
    // A sweep repeats its long requests less often.
    let count = plan.cells.iter().map(|cell| sleeps_of(plan, cell)).max().filter(|count| *count > 0);
    let is_filled = limit.zip(count).is_some_and(|(limit, count)| fills(limit, count, plan));
    add("count", &|_| count.filter(|_| !is_filled).map(|count| count.to_string()));
    add("duration", &|_| limit.map(exact_time));
    for row in CONDITIONS.iter().filter(|row| !(has_own_requests(plan.kind) && row.key.starts_with("load"))) {
        add(row.option, &|cell| row.option_value(&cell.conditions));
    }
    add("seed", &|_| Some(plan.seed.to_string()).filter(|_| plan.seed != Plan::DEFAULT_SEED));
    out
}

/// Returns how many sleeps a cell has on each of its threads.
fn sleeps_of(plan: &Plan, cell: &Cell) -> u64 {
    plan.turns.iter().filter(|turn| turn.cell == cell.id).map(|turn| turn.sleeps).sum()
}

/// Returns whether a sweep's requests are those it has by default.
fn is_whole_sweep(plan: &Plan) -> bool {
    let whole = build::sweep_requests(Nanos::MICROSECOND, Nanos::from_secs(10));
    requests_of(plan.cells.iter()).into_iter().eq(whole)
}

/// Returns the single requests of cells, each once and ascending.
fn requests_of<'a>(cells: impl Iterator<Item = &'a Cell>) -> BTreeSet<Nanos> {
    cells.filter_map(|cell| cell.pattern.requested()).collect()
}

fn requested(pattern: Pattern) -> Option<String> {
    match pattern {
        Pattern::Fixed { requested } => Some(exact_time(requested)),
        Pattern::Random { from, to } => Some(format!("{}..{}", exact_time(from), exact_time(to))),
        Pattern::Aligned { .. } | Pattern::Periodic { .. } => None,
    }
}

/// Formats the period of a schedule: as a whole frequency where no shorter time gives it, as of frames.
fn interval(period: Nanos) -> String {
    let hertz = (1e9 / period.as_f64()).round();
    let is_whole = period.get() % 1_000 != 0 && Nanos::from_f64((1e9 / hertz).round()) == period;
    if is_whole { format!("{hertz}Hz") } else { exact_time(period) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::catalog::MethodId;
    use oversleep_recording::plan::{Conditions, Load, LoadKind, Phase, Policy};

    fn again(plan: Plan) -> Option<String> {
        command(&Meta::new("test", Origin::Live, plan))
    }

    #[test]
    fn a_measurement_is_repeated_with_all_that_was_asked() {
        let conditions = Conditions {
            policy: Some(Policy::Fifo { priority: 80 }),
            nice: Some(-5),
            affinity: Some(vec![0, 1]),
            one_cpu_each: Some(true),
            timer_slack: Some(Nanos::new(1)),
            memory_locked: Some(true),
            load: Some(Load { threads: 2, kind: LoadKind::Memory }),
            phase: Some(Phase::Random { window: Nanos::from_micros(1_500) }),
            ..Conditions::default()
        };
        let requests = [Pattern::fixed(Nanos::MILLISECOND), Pattern::fixed(Nanos::from_micros(250))];
        let grid = build::Grid { rows: &[MethodId::Nanosleep.row()], requests: &requests, conditions: &[conditions] };
        assert_eq!(
            again(build::measure(&grid, 70, 9)).unwrap(),
            "oversleep measure --method nanosleep --request 1ms,250us --count 70 --policy fifo:80 \
             --nice -5 --cpus 0,1 --one-cpu-each --slack 1ns --mlock --load 2 --load-kind memory --phase random:1500us --seed 9"
        );
    }

    #[test]
    fn a_run_that_was_bounded_by_time_and_examined_late_sleeps_is_repeated_so() {
        let row = MethodId::Nanosleep.row();
        let requests = [Pattern::fixed(Nanos::MILLISECOND), Pattern::fixed(Nanos::from_millis(3))];
        let grid = build::Grid { rows: &[row], requests: &requests, conditions: &[Conditions::default()] };
        let late = oversleep_recording::LateAccount {
            threshold: Nanos::from_micros(500),
            planned: 0,
            slept: 0,
            late: 0,
            found: 0,
            stopped: false,
            after_stop: 0,
            cut: 0,
        };
        let note = Note { late: Some(late), ..Note::default() };
        let again = |count, limit: i64, note: &Note| {
            let meta = Meta::new("test", Origin::Live, build::measure(&grid, count, 1));
            whole_run(&Meta { time_limit: Some(Nanos::from_secs(limit)), ..meta }, note).unwrap()
        };
        let begin = "oversleep measure --method nanosleep --request 1ms,3ms";
        // Five seconds are filled by 1250 sleeps of each cell.
        assert_eq!(again(1_250, 5, &note), format!("{begin} --duration 5s --on-late 500us"));
        assert_eq!(again(70, 5, &Note::default()), format!("{begin} --count 70 --duration 5s"));
        let schedule = build::periodic(row, Nanos::from_millis(2), 2_500, &Conditions::default(), 1);
        let meta = Meta { time_limit: Some(Nanos::from_secs(5)), ..Meta::new("test", Origin::Live, schedule) };
        assert_eq!(command(&meta).unwrap(), "oversleep measure --method nanosleep --interval 2ms --duration 5s");
        let cell = &meta.plan.cells[0];
        assert!(one_cell(&meta, cell, 40).unwrap().ends_with(" --interval 2ms --count 40"));
    }

    #[test]
    fn a_diagnosis_is_repeated_from_its_baseline() {
        let (slack, load) = (Some(Nanos::new(1)), Some(Load { threads: 2, kind: LoadKind::Spin }));
        let conditions = [
            Conditions { timer_slack: slack, load, ..Conditions::default() },
            Conditions { timer_slack: Some(Nanos::MILLISECOND), load, ..Conditions::default() },
        ];
        let requests = [Pattern::fixed(Nanos::from_millis(2))];
        let grid = build::Grid { rows: &[MethodId::Select.row()], requests: &requests, conditions: &conditions };
        let plan = Plan { kind: Kind::Diagnose, ..build::measure(&grid, 40, 3) };
        assert_eq!(
            again(plan).unwrap(),
            "oversleep diagnose --method select --request 2ms --slack 1ns --load 2 --seed 3"
        );
    }

    #[test]
    fn runtimes_are_repeated_by_their_names() {
        let cell = |id, method: &str, request| {
            let (method, pattern) = (method.to_owned(), Pattern::fixed(request));
            let clock = oversleep_recording::plan::ClockName::Monotonic;
            Cell { clock, ..Cell::new(id, method, pattern) }
        };
        let names = ["python-time-sleep", "nanosleep", "go-time-sleep", "python-time-sleep", "go-time-sleep"];
        let known = |name: &&str| APIS.iter().any(|api| api.name == *name) || *name == "nanosleep";
        assert!(names.iter().all(known), "{names:?}");
        let requests = [1, 1, 1, 2, 2].map(Nanos::from_millis);
        let cells: Vec<Cell> = (0..).zip(names).zip(requests).map(|((id, name), at)| cell(id, name, at)).collect();
        let turns = cells.iter().map(|cell| Turn { cell: cell.id, sleeps: 30 }).collect();
        let plan = Plan { kind: Kind::Runtimes, cells, turns, seed: 1 };
        assert_eq!(
            again(plan).unwrap(),
            "oversleep runtimes --only python-time-sleep,go-time-sleep --request 1ms,2ms --count 30"
        );
    }

    #[test]
    fn a_schedule_has_its_interval_and_a_sweep_no_list_of_its_own_requests() {
        let row = MethodId::ClockNanosleepAbs.row();
        let schedule = build::periodic(row, Nanos::from_micros(500), 40, &Conditions::default(), 1);
        assert_eq!(
            again(schedule).unwrap(),
            "oversleep measure --method clock-nanosleep-abs --interval 500us --count 40"
        );
        let frames = build::periodic(row, Nanos::new(6_944_444), 40, &Conditions::default(), 1);
        assert_eq!(
            again(frames).unwrap(),
            "oversleep measure --method clock-nanosleep-abs --interval 144Hz --count 40"
        );
        let whole = build::sweep_requests(Nanos::MICROSECOND, Nanos::from_secs(10));
        let sweep = |requests: &[Nanos]| again(build::sweep(&[row], requests, 20, &Conditions::default(), 1)).unwrap();
        assert_eq!(sweep(&whole), "oversleep measure --experiment sweep --method clock-nanosleep-abs --count 20");
        assert!(sweep(&whole[..2]).contains(" --request 1us,2us "), "{}", sweep(&whole[..2]));
    }
}
