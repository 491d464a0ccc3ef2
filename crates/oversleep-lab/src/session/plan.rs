//! Turns a request into a plan: fills in defaults, and refuses what cannot be planned.

use super::error::RequestError;
use super::request::{MeasureRequest, TraceRequest};
use super::{methods, options};
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
        options::check_traced(request)?;
    }
    options::check(request)?;
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
    let sleeps = request.repeats_of(DEFAULT_REPEATS, both).min(options::MOST_TRACED);
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
