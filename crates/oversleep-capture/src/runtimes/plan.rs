//! Plans of programs that sleep, in turns with the kernel's primitives.

use oversleep_recording::catalog::MethodId;
use oversleep_recording::plan::{Cell, Conditions, Kind, LoadKind, Pattern, Plan, Turn};
use oversleep_recording::runtimes::{Api, RUNTIMES};
use oversleep_sys::units::Nanos;

/// Number of rounds in which programs and primitives take turns; each gives one difference, and an interval needs five.
const ROUNDS: u64 = 6;
/// Number of sleeps of a command before the next request has its turn.
const BLOCK: u64 = 50;
/// Largest number of sleeps of a command in a run, all requests together: a plan has a turn for each block, and the rows of a
/// program that takes no orders come as one block, so both are kept in memory.
pub(super) const MOST_SLEEPS: u64 = 1_000_000;

/// How many sleeps of programs there are for each of their primitive, of which only the median is needed.
const PER_NATIVE: u64 = 3;
/// Number of sleeps of a request that is at most a millisecond, unless another is given: enough for a p99.
const OF_SHORT: u64 = 300;
/// How long the sleeps of any other request last together, in ns. So the check-up takes half a minute.
const OF_LONG: u64 = 150_000_000;

/// Numbers of sleeps per cell.
#[derive(Debug, Clone, Copy, Default)]
pub struct SleepCounts {
    /// Sleeps of each API and request. If not given: 300 if a request is at most a millisecond, otherwise as many as take
    /// 150 ms.
    pub sleeps: Option<u64>,
}

impl SleepCounts {
    fn for_request(self, request: Nanos) -> u64 {
        let fitting =
            if request <= Nanos::MILLISECOND { OF_SHORT } else { OF_LONG / request.get().max(1).unsigned_abs() };
        self.sleeps.unwrap_or(fitting).max(1)
    }
}

/// Returns the plan of the check-up of runtimes: every API with every request, in turns with the native primitives,
/// which sleep less often.
pub fn runtimes(apis: &[&'static Api], requests: &[Nanos], counts: SleepCounts, conditions: &Conditions) -> Plan {
    let mut planner = Planner { plan: empty(Kind::Runtimes), conditions };
    for runtime in RUNTIMES {
        let of_runtime = apis.iter().filter(|api| api.is_of(runtime));
        let beside: Vec<_> = of_runtime.map(|api| (api.name, api.native)).collect();
        planner.in_turns(&beside, requests, counts);
    }
    planner.plan
}

/// Returns such a plan for one command and its native primitive.
///
/// # Errors
/// If the command has more than `MOST_SLEEPS` sleeps.
pub fn judged(
    name: &str,
    native: MethodId,
    requests: &[Nanos],
    counts: SleepCounts,
    conditions: &Conditions,
) -> Result<Plan, String> {
    refuse_too_many(requests.iter().map(|request| counts.for_request(*request)))?;
    let mut planner = Planner { plan: empty(Kind::Runtimes), conditions };
    planner.in_turns(&[(name, native)], requests, counts);
    Ok(planner.plan)
}

/// Returns the plan of a command that sleeps, without primitives.
///
/// # Errors
/// If it has more than `MOST_SLEEPS` sleeps.
pub fn command(name: &str, requests: &[Nanos], sleeps: u64, conditions: &Conditions) -> Result<Plan, String> {
    refuse_too_many(requests.iter().map(|_| sleeps))?;
    let mut planner = Planner { plan: empty(Kind::Measure), conditions };
    let mut left = sleeps;
    while left > 0 {
        let block = left.min(BLOCK);
        for &request in requests {
            planner.turn(name, request, block);
        }
        left -= block;
    }
    Ok(planner.plan)
}

/// Refuses more than `MOST_SLEEPS` sleeps of a command, of all requests together.
fn refuse_too_many(sleeps: impl ExactSizeIterator<Item = u64>) -> Result<(), String> {
    let most = MOST_SLEEPS / sleeps.len().max(1) as u64;
    if sleeps.fold(0, u64::saturating_add) <= MOST_SLEEPS {
        return Ok(());
    }
    Err(format!("a command makes at most {MOST_SLEEPS} sleeps in a run: give -n {most} or less, and run it again"))
}

fn empty(kind: Kind) -> Plan {
    Plan { kind, cells: Vec::new(), turns: Vec::new(), seed: 1 }
}

/// Returns whether programs are to be busy inside.
pub(super) fn has_load_inside(conditions: &Conditions) -> bool {
    conditions.load.is_some_and(|load| load.kind == LoadKind::Runtime && load.threads > 0)
}

/// Returns the number of sleeps in a round; all rounds together have `sleeps`.
fn share(sleeps: u64, round: u64) -> u64 {
    sleeps / ROUNDS + u64::from(round < sleeps % ROUNDS)
}

struct Planner<'a> {
    plan: Plan,
    conditions: &'a Conditions,
}

impl Planner<'_> {
    /// Plans blocks of programs and, after each round of them, of their native primitives. Programs with load inside them
    /// sleep without it, too: only the difference shows what the load does.
    fn in_turns(&mut self, programs: &[(&str, MethodId)], requests: &[Nanos], counts: SleepCounts) {
        let mut natives: Vec<MethodId> = Vec::new();
        for (_, native) in programs {
            if !natives.contains(native) {
                natives.push(*native);
            }
        }
        for round in 0..ROUNDS {
            for &request in requests {
                let sleeps = share(counts.for_request(request), round);
                for (name, _) in programs {
                    self.turn(name, request, sleeps);
                    if has_load_inside(self.conditions) {
                        self.turn_under(name, request, sleeps, &Conditions { load: None, ..self.conditions.clone() });
                    }
                }
                for native in &natives {
                    self.turn(native.name(), request, sleeps.div_ceil(PER_NATIVE));
                }
            }
        }
    }

    fn turn(&mut self, method: &str, request: Nanos, sleeps: u64) {
        self.turn_under(method, request, sleeps, self.conditions);
    }

    fn turn_under(&mut self, method: &str, request: Nanos, sleeps: u64, conditions: &Conditions) {
        if sleeps == 0 {
            return;
        }
        let pattern = Pattern::fixed(request);
        let cells = &mut self.plan.cells;
        let is_it = |cell: &Cell| cell.method == method && cell.pattern == pattern && cell.conditions == *conditions;
        let known = cells.iter().position(is_it);
        let index = known.unwrap_or_else(|| {
            let id = u32::try_from(cells.len()).unwrap_or(u32::MAX);
            let conditions = conditions.clone();
            cells.push(Cell { conditions, ..Cell::new(id, method, pattern) });
            cells.len() - 1
        });
        let cell = cells[index].id;
        self.plan.turns.push(Turn { cell, sleeps });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oversleep_recording::plan::Load;
    use oversleep_recording::runtimes::APIS;

    #[test]
    fn every_api_sleeps_as_often_as_asked_with_its_primitive_beside_it() {
        let requests = [Nanos::from_micros(100), Nanos::from_millis(16)];
        let apis: Vec<_> = APIS.iter().collect();
        let plan = runtimes(&apis, &requests, SleepCounts { sleeps: Some(31) }, &Conditions::default());
        for (index, cell) in plan.cells.iter().enumerate() {
            assert_eq!(cell.id as usize, index);
            let sleeps: u64 = plan.turns.iter().filter(|turn| turn.cell == cell.id).map(|turn| turn.sleeps).sum();
            if Api::from_name(&cell.method).is_some() {
                assert_eq!(sleeps, 31, "{}", cell.method);
            }
        }
        for api in APIS {
            for request in requests {
                let count = |name: &str| {
                    let matches = |cell: &&Cell| cell.method == name && cell.pattern == Pattern::fixed(request);
                    plan.cells.iter().filter(matches).count()
                };
                assert_eq!((count(api.name), count(api.native.name())), (1, 1), "{}", api.name);
            }
        }
    }

    #[test]
    fn programs_with_load_inside_sleep_as_often_without_it() {
        let load = Some(Load { threads: 2, kind: LoadKind::Runtime });
        let loaded = Conditions { load, ..Conditions::default() };
        let plan = judged("x", MethodId::Nanosleep, &[Nanos::MILLISECOND], SleepCounts { sleeps: Some(12) }, &loaded)
            .expect("few sleeps");
        let cells: Vec<_> = plan.cells.iter().map(|cell| (&*cell.method, cell.conditions.load)).collect();
        assert_eq!(cells, [("x", load), ("x", None), ("nanosleep", load)]);
        let sleeps = |cell| plan.turns.iter().filter(|turn| turn.cell == cell).map(|turn| turn.sleeps).sum::<u64>();
        assert_eq!([0, 1, 2].map(sleeps), [12, 12, 6]);
    }

    #[test]
    fn a_command_sleeps_as_often_as_asked() {
        let requests = [Nanos::MILLISECOND, Nanos::SECOND];
        let plan = command("x", &requests, 120, &Conditions::default()).unwrap();
        let blocks: Vec<_> = plan.turns.iter().map(|turn| (turn.cell, turn.sleeps)).collect();
        assert_eq!(blocks, [(0, 50), (1, 50), (0, 50), (1, 50), (0, 20), (1, 20)]);
    }

    #[test]
    fn a_command_s_sleeps_are_limited_so_that_plan_and_rows_fit_into_memory() {
        let planned = |sleeps: u64| command("x", &[Nanos::MILLISECOND, Nanos::SECOND], sleeps, &Conditions::default());
        assert_eq!(planned(500_000).map(|plan| plan.turns.len()), Ok(20_000));
        for sleeps in [500_001, u64::MAX] {
            let why = planned(sleeps).unwrap_err();
            assert!(why.contains("at most 1000000 sleeps") && why.contains("-n 500000 or less"), "{why}");
        }
        let beside = |requests: usize| {
            let requests = vec![Nanos::MILLISECOND; requests];
            let counts = SleepCounts { sleeps: Some(100_000) };
            judged("x", MethodId::Nanosleep, &requests, counts, &Conditions::default()).map(drop)
        };
        assert_eq!(beside(10), Ok(()));
        assert!(beside(11).unwrap_err().contains("-n 90909 or less"));
    }
}
