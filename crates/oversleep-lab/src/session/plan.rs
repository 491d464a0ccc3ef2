//! Turns a request into a plan: fills in defaults, and refuses what cannot be planned.

use super::error::RequestError;
use super::methods;
use super::request::{MeasureRequest, TraceRequest};
use Kind::{Load, Periodic, Sweep, WallSecond};
use oversleep_recording::catalog::{MethodId, MethodRow, Mode};
use oversleep_recording::plan::build::{self, Blocks, DEFAULT_METHODS, Grid};
use oversleep_recording::plan::{Cell, Kind, LoadKind, Pattern, Plan, Typed};
use oversleep_sys::units::Nanos;

/// Returns the cells and turns of a request.
///
/// # Errors
/// If the request is invalid: an unknown method, an option the experiment does not use, a schedule that cannot be
/// kept, a real-time thread that would starve the machine.
pub fn plan(request: &MeasureRequest) -> Result<Plan, RequestError> {
    if request.trace.is_some() {
        check_traced(request)?;
    }
    check(request)?;
    let plan = match request.experiment() {
        None => match &request.trace {
            None => grid(request)?,
            Some(trace) => traced(request, trace)?,
        },
        Some(Kind::CheckUp) => build::checkup(methods::here(), request.seed()),
        Some(Kind::WallSecond) => {
            let row = one(request, Kind::WallSecond, DEFAULT_METHODS.wall_second)?;
            build::wall_second(row, request.repeats_of(200, Nanos::SECOND), &request.conditions.first(), request.seed())
        }
        Some(Kind::Sweep) => sweep(request)?,
        Some(Kind::Load) => load(request)?,
        Some(Kind::Periodic) => periodic(request)?,
        Some(kind) => return Err(RequestError::NotMeasured { kind }),
    };
    refuse_starvation(&plan)?;
    Ok(plan)
}

/// Returns the only method of an experiment that takes one.
fn one(request: &MeasureRequest, experiment: Kind, default: MethodId) -> Result<&'static MethodRow, RequestError> {
    match methods::methods(&request.methods, &[default])?[..] {
        [row] => Ok(row),
        _ => Err(RequestError::OneMethod { experiment }),
    }
}

/// Requests and repeats unless others are asked for.
const DEFAULT_REQUESTS: [Pattern; 1] = [Pattern::fixed(Nanos::MILLISECOND)];
const DEFAULT_REPEATS: u64 = 1_000;

fn requests(request: &MeasureRequest) -> &[Pattern] {
    if request.requests.is_empty() { &DEFAULT_REQUESTS } else { &request.requests }
}

fn grid(request: &MeasureRequest) -> Result<Plan, RequestError> {
    let rows = methods::methods(&request.methods, &[DEFAULT_METHODS.measure])?;
    let grid = Grid { rows: &rows, requests: requests(request), conditions: &request.conditions.combinations() };
    Ok(build::measure(&grid, request.repeats_of(DEFAULT_REPEATS, round(&grid)), request.seed()))
}

fn traced(request: &MeasureRequest, trace: &TraceRequest) -> Result<Plan, RequestError> {
    let rows = methods::methods(&request.methods, &[DEFAULT_METHODS.trace])?;
    let grid = Grid { rows: &rows, requests: requests(request), conditions: &request.conditions.combinations() };
    let both = round(&grid).saturating_add(round(&grid));
    let sleeps = request.repeats_of(DEFAULT_REPEATS, both).min(MOST_TRACED);
    let blocks = Blocks { sleeps, block: trace.block(), traced_first: trace.traced_first };
    Ok(build::traced(&grid, blocks, request.seed()))
}

/// Returns the least duration of one sleep of every cell; a sleep of no time counts as a microsecond.
fn round(grid: &Grid<'_>) -> Nanos {
    let requests = grid.requests.iter().map(|request| request.typical().max(Nanos::MICROSECOND));
    let once = requests.fold(Nanos::ZERO, Nanos::saturating_add);
    let times = i64::try_from(grid.rows.len() * grid.conditions.len()).unwrap_or(i64::MAX);
    once.checked_mul(times).unwrap_or(Nanos::MAX)
}

fn sweep(request: &MeasureRequest) -> Result<Plan, RequestError> {
    let (from, to) = (request.from.unwrap_or(Nanos::MICROSECOND), request.to.unwrap_or(Nanos::from_secs(10)));
    let fixed = |pattern: &Pattern| pattern.requested().ok_or(RequestError::RangeInSweep);
    let requests = match request.requests.as_slice() {
        [] => build::sweep_requests(from, to),
        some => some.iter().map(fixed).collect::<Result<_, _>>()?,
    };
    if requests.is_empty() {
        return Err(RequestError::EmptySweep { from, to });
    }
    let rows = methods::methods(&request.methods, DEFAULT_METHODS.sweep)?;
    Ok(build::sweep(&rows, &requests, request.repeats.unwrap_or(20), &request.conditions.first(), request.seed()))
}

fn load(request: &MeasureRequest) -> Result<Plan, RequestError> {
    let row = one(request, Kind::Load, DEFAULT_METHODS.load)?;
    let asked: Vec<u16> = request.conditions.values("load").iter().filter_map(u16::from_value).collect();
    let loads = if asked.is_empty() { vec![0, 1, 2, 3, 4, 5] } else { asked };
    let kind = request.conditions.values("load_kind").first().and_then(LoadKind::from_value);
    let repeats = request.repeats.unwrap_or(50);
    Ok(build::load(row, repeats, &loads, kind.unwrap_or(LoadKind::Spin), &request.conditions.first(), request.seed()))
}

fn periodic(request: &MeasureRequest) -> Result<Plan, RequestError> {
    let mut rows = methods::methods(&request.methods, &[DEFAULT_METHODS.periodic])?;
    if request.methods.iter().any(|name| name == methods::ALL) {
        rows.retain(|row| row.mode != Mode::Yield);
    }
    if let Some(row) = rows.iter().find(|row| row.mode == Mode::Yield) {
        return Err(RequestError::NoSchedule { method: row.name });
    }
    let period = request.period.unwrap_or(Nanos::MILLISECOND);
    let ten_seconds = (Nanos::from_secs(10).get() / period.get().max(1)).max(1).unsigned_abs();
    let of_all = period.saturating_mul(i64::try_from(rows.len()).unwrap_or(i64::MAX));
    let count = request.repeats_of(ten_seconds, of_all);
    if i64::try_from(count).ok().and_then(|count| of_all.checked_mul(count)).is_none() {
        return Err(RequestError::TooLong { count, period });
    }
    Ok(build::schedules(&rows, period, count, &request.conditions.first(), request.seed()))
}

/// Refuses a real-time thread that never sleeps: it would keep everything else off its processor while it runs.
pub(super) fn refuse_starvation(plan: &Plan) -> Result<(), RequestError> {
    let real_time = |cell: &&Cell| cell.conditions.is_real_time();
    match plan.cells.iter().filter(real_time).find(|cell| cell.row().is_some_and(MethodRow::spins)) {
        Some(cell) => Err(RequestError::Starves { method: cell.method.clone() }),
        None => Ok(()),
    }
}

/// An option, the experiments that use it, whether plain measurements use it, and whether it was given.
struct Accepted {
    option: &'static str,
    by: &'static [Kind],
    plain: bool,
    given: fn(&MeasureRequest) -> bool,
}

const ALL: &[Kind] = Kind::EXPERIMENTS;
const NOT_PERIODIC: &[Kind] = &[WallSecond, Sweep, Load];

const fn accepted(
    option: &'static str,
    by: &'static [Kind],
    plain: bool,
    given: fn(&MeasureRequest) -> bool,
) -> Accepted {
    Accepted { option, by, plain, given }
}

/// Every option but the seed and the conditions.
const OPTIONS: &[Accepted] = &[
    accepted("method", ALL, true, |request| !request.methods.is_empty()),
    accepted("request", &[Sweep], true, |request| !request.requests.is_empty()),
    accepted("repeats", ALL, true, |request| request.repeats.is_some()),
    accepted("period", &[Periodic], false, |request| request.period.is_some()),
    accepted("from", &[Sweep], false, |request| request.from.is_some()),
    accepted("to", &[Sweep], false, |request| request.to.is_some()),
];

/// Largest number of sleeps of a cell that can be traced: what is recorded of each is kept in memory until the end.
pub(super) const MOST_TRACED: u64 = 100_000;

/// Checks that the request can be traced; otherwise returns the first option that rules it out.
pub(super) fn check_traced(request: &MeasureRequest) -> Result<(), RequestError> {
    let random = request.requests.iter().any(|request| !matches!(request, Pattern::Fixed { .. }));
    let against = [
        (request.period.is_some(), "period", "keeps no schedule"),
        (request.experiment.is_some(), "experiment", "is for plain measurements"),
        (!request.conditions.values("threads").is_empty(), "threads", "watches one thread"),
        (random, "request", "takes single requests, not ranges"),
        (!request.conditions.values("phase").is_empty(), "phase", "has nothing between two sleeps but what it records"),
        (request.repeats.is_some_and(|repeats| repeats > MOST_TRACED), "repeats", "takes at most 100000 sleeps"),
    ];
    match against.iter().find(|(given, ..)| *given) {
        Some((_, option, why)) => Err(RequestError::NotTraced { option, why }),
        None => Ok(()),
    }
}

/// Checks that every given option is used, and has no more values than are used; otherwise returns the first that is
/// not.
///
/// Any other option than those that the experiment uses is refused, because whoever gave it would believe it was in force.
pub(super) fn check(request: &MeasureRequest) -> Result<(), RequestError> {
    let others = OPTIONS.iter().filter(|row| (row.given)(request)).map(|row| (row.option, row.by, row.plain));
    let conditions = request.conditions.rows();
    let conditions = conditions.map(|(row, _)| (row.option, if row.scheduled { ALL } else { NOT_PERIODIC }, true));
    for (option, by, plain) in others.chain(conditions) {
        if !request.experiment().map_or(plain, |experiment| by.contains(&experiment)) {
            let (heeded_by, experiment) = (by.to_vec(), request.experiment());
            return Err(RequestError::NotHeeded { option, heeded_by, plain, experiment });
        }
    }
    if !request.requests.is_empty() && (request.from.is_some() || request.to.is_some()) {
        return Err(RequestError::SweepAndRequests);
    }
    // O'Neill's experiment has busy threads already.
    let has_load = request.experiment() == Some(Load);
    if let Some((option, needed)) = request.conditions.lacking().filter(|(_, needed)| !(has_load && *needed == "load"))
    {
        return Err(RequestError::Lacks { option, needed });
    }
    if request.conditions.values("load_kind").contains(&LoadKind::Runtime.value()) {
        return Err(RequestError::BusyInside);
    }
    let Some(experiment) = request.experiment() else { return Ok(()) };
    let several =
        request.conditions.rows().find(|(row, values)| values.len() > 1 && (experiment, row.option) != (Load, "load"));
    match several {
        Some((row, _)) => Err(RequestError::OneValue { option: row.option, experiment }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Interface;
    use super::*;
    use oversleep_recording::plan::{CONDITIONS, Condition, Value};
    use oversleep_sys::units::Nanos;

    fn with(experiment: Option<Kind>, set: fn(&mut MeasureRequest)) -> Result<(), RequestError> {
        let mut request = MeasureRequest { experiment, ..MeasureRequest::default() };
        set(&mut request);
        check(&request)
    }

    const BACK_TO_BACK: Value = Value::Phase(oversleep_recording::plan::Phase::BackToBack);

    fn ask(request: &mut MeasureRequest, key: &str, values: Vec<Value>) {
        request.conditions.ask(Condition::named(key).unwrap(), values);
    }

    #[test]
    fn an_option_is_refused_where_it_is_not_heeded() {
        let period = |request: &mut MeasureRequest| request.period = Some(Nanos::MILLISECOND);
        assert_eq!(with(Some(Periodic), period), Ok(()));
        assert_eq!(with(None, period), Ok(()), "a period alone asks for a schedule");
        let error = with(Some(Sweep), period).unwrap_err();
        assert!(error.text(Interface::CommandLine).starts_with("--interval is for --experiment periodic"), "{error:?}");
        assert!(error.text(Interface::Python).starts_with("period is for experiment='periodic'"), "{error:?}");
        let error = with(Some(Periodic), |request| ask(request, "phase", vec![BACK_TO_BACK])).unwrap_err();
        assert_eq!(
            error.text(Interface::CommandLine),
            "--phase is for plain measurements, --experiment wall-second, --experiment sweep and --experiment load; \
             leave it out with --experiment periodic"
        );
    }

    #[test]
    fn the_checkup_heeds_nothing() {
        let sets: [fn(&mut MeasureRequest); 6] = [
            |request| request.methods = vec!["all".into()],
            |request| request.requests = vec![Pattern::fixed(Nanos::SECOND)],
            |request| request.repeats = Some(1),
            |request| request.period = Some(Nanos::SECOND),
            |request| request.from = Some(Nanos::SECOND),
            |request| request.to = Some(Nanos::SECOND),
        ];
        assert_eq!(sets.len(), OPTIONS.len());
        for (set, row) in sets.into_iter().zip(OPTIONS) {
            let refused = matches!(
                with(Some(Kind::CheckUp), set),
                Err(RequestError::NotHeeded { option, .. }) if option == row.option
            );
            assert!(refused, "{}", row.option);
        }
        for row in CONDITIONS.iter().filter(|row| !row.option.is_empty()) {
            let mut request = MeasureRequest { experiment: Some(Kind::CheckUp), ..MeasureRequest::default() };
            request.conditions.ask(row, vec![row.kind.example()]);
            let refused = check(&request);
            assert!(
                matches!(refused, Err(RequestError::NotHeeded { option, .. }) if option == row.option),
                "{}",
                row.key
            );
        }
        assert_eq!(with(Some(Kind::CheckUp), |request| request.seed = Some(7)), Ok(()));
    }

    #[test]
    fn an_experiment_takes_one_value_of_a_list_and_load_needs_threads() {
        let two: fn(&mut MeasureRequest) = |request| ask(request, "load", vec![Value::Number(0), Value::Number(1)]);
        assert_eq!(with(Some(Load), two), Ok(()));
        assert_eq!(with(None, two), Ok(()));
        let error = with(Some(WallSecond), two).unwrap_err();
        assert_eq!(
            error.text(Interface::Python),
            "experiment='wall-second' takes one load: measure once for each value and compare the recordings; without an experiment or \
             interval lists are crossed"
        );
        let kind: fn(&mut MeasureRequest) = |request| ask(request, "load_kind", vec![LoadKind::Timers.value()]);
        assert_eq!(with(None, kind), Err(RequestError::Lacks { option: "load-kind", needed: "load" }));
        assert_eq!(with(Some(Load), kind), Ok(()));
        let inside: fn(&mut MeasureRequest) = |request| ask(request, "load_kind", vec![LoadKind::Runtime.value()]);
        assert_eq!(with(Some(Load), inside), Err(RequestError::BusyInside));
    }
}
