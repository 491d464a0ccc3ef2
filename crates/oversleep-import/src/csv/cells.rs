//! The cells of a table's rows: taken from its own columns, or inferred from the rows' requests.

use super::SleepRow;
use super::shared_fields::SharedFields;
use oversleep_recording::plan::{Cell, Kind, Pattern, Plan, Turn};
use oversleep_recording::table::read_pattern;
use oversleep_sys::units::Nanos;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Number of cells above which a row with a new request shares a cell with others of its method and conditions.
pub(super) const MOST_CELLS: usize = 1 << 10;

/// A method and the number of its set of conditions.
pub(super) type Family = (Rc<str>, u32);

/// A family and a request, `None` where requests do not repeat.
type FamilyRequest = (Rc<str>, u32, Option<i64>);

/// The assignment of a table's rows to cells.
pub(super) struct Cells {
    numbers: HashMap<FamilyRequest, u32>,
    /// The pattern of each family whose requests vary.
    patterns: HashMap<Family, Option<Pattern>>,
    /// The schedule of each cell.
    schedules: Vec<Option<Schedule>>,
}

/// The schedule of a cell, as the table tells it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Schedule {
    pub(super) period: Nanos,
    /// Number of periods planned for each thread.
    pub(super) planned: Option<u64>,
}

impl Cells {
    /// Returns the plan inferred from the rows, and the assignment of rows to its cells.
    pub(super) fn infer(rows: &[SleepRow], shared_fields: &SharedFields) -> (Plan, Self) {
        let mut families: HashMap<Family, Vec<&SleepRow>> = HashMap::new();
        for row in rows {
            families.entry(family(row, shared_fields)).or_default().push(row);
        }
        let patterns: HashMap<_, _> = families
            .into_iter()
            .map(|(family, members)| {
                let told = shared_fields.requested(family.1).pattern.is_some();
                (family, if told { None } else { varying(&members) })
            })
            .collect();
        let mut plan = Plan { kind: Kind::Imported, cells: Vec::new(), turns: Vec::new(), seed: 0 };
        let mut this = Self { numbers: HashMap::new(), patterns, schedules: Vec::new() };
        let mut begun: HashSet<Family> = HashSet::new();
        for row in this.firsts(rows, shared_fields) {
            if this.number(row, shared_fields).is_some() {
                continue;
            }
            let number = u32::try_from(plan.cells.len()).unwrap_or(u32::MAX);
            // The number of families is limited already.
            let own = begun.insert(family(row, shared_fields)) || plan.cells.len() < MOST_CELLS;
            plan.cells.push(this.admit(row, number, own, shared_fields));
        }
        for row in rows {
            let cell = this.number(row, shared_fields).unwrap_or(0);
            match plan.turns.last_mut() {
                Some(turn) if turn.cell == cell => turn.sleeps += 1,
                _ => plan.turns.push(Turn { cell, sleeps: 1 }),
            }
        }
        this.lengthen(&mut plan.turns);
        (plan, this)
    }

    /// Sets the length of each schedule's turn, if it has a single one, to the number of periods planned.
    fn lengthen(&self, turns: &mut [Turn]) {
        let mut count: HashMap<u32, usize> = HashMap::new();
        for turn in turns.iter() {
            *count.entry(turn.cell).or_default() += 1;
        }
        for turn in turns.iter_mut().filter(|turn| count.get(&turn.cell) == Some(&1)) {
            if let Some(periods) = self.schedule(turn.cell).and_then(|schedule| schedule.planned) {
                turn.sleeps = periods;
            }
        }
    }

    /// Returns the schedule of a cell.
    pub(super) fn schedule(&self, cell: u32) -> Option<Schedule> {
        *self.schedules.get(cell as usize)?
    }

    /// Returns the first row of each cell: ordered by the cells' numbers if the table has them, otherwise as they come.
    fn firsts<'a>(&self, rows: &'a [SleepRow], shared_fields: &SharedFields) -> Vec<&'a SleepRow> {
        let mut seen: HashSet<FamilyRequest> = HashSet::new();
        let mut firsts: Vec<&SleepRow> = rows.iter().filter(|row| seen.insert(self.key(row, shared_fields))).collect();
        firsts.sort_by_key(|row| shared_fields.requested(shared_fields.set(row.field_set).requested).cell);
        firsts
    }

    /// Returns what the rows of one cell have in common.
    fn key(&self, row: &SleepRow, shared_fields: &SharedFields) -> FamilyRequest {
        let (method, set) = family(row, shared_fields);
        let varies = match &shared_fields.requested(set).pattern {
            Some(pattern) => !matches!(pattern.as_str(), "fixed" | "periodic"),
            None => self.patterns.get(&(Rc::clone(&method), set)).copied().flatten().is_some(),
        };
        (method, set, (!varies).then_some(row.requested))
    }

    /// Makes a row's cell, which later rows with the same key share. Unless `own`, rows with other requests share it
    /// too.
    pub(super) fn admit(&mut self, row: &SleepRow, number: u32, own: bool, shared_fields: &SharedFields) -> Cell {
        let (method, set, requested) = self.key(row, shared_fields);
        let asked = shared_fields.requested(set);
        let fixed = Nanos::new(row.requested);
        let guess = || self.patterns.get(&(Rc::clone(&method), set)).copied().flatten();
        let told = asked.pattern.as_deref().and_then(|text| read_pattern(text, fixed).ok());
        let pattern = match told.or_else(guess) {
            Some(pattern) => pattern,
            None if own => Pattern::Fixed { requested: fixed },
            None => Pattern::Random { from: fixed, to: fixed },
        };
        self.numbers.insert((Rc::clone(&method), set, requested.filter(|_| own)), number);
        self.schedules.push(match pattern {
            Pattern::Periodic { period } => Some(Schedule { period, planned: asked.periods }),
            _ => None,
        });
        Cell {
            clock: asked.clock,
            conditions: asked.conditions.clone(),
            ..Cell::new(number, method.to_string(), pattern)
        }
    }

    /// Makes a cell for a row whose key is not among the first rows.
    pub(super) fn admit_late(&mut self, row: &SleepRow, cells: usize, shared_fields: &SharedFields) -> Cell {
        self.admit(row, u32::try_from(cells).unwrap_or(u32::MAX), cells < MOST_CELLS, shared_fields)
    }

    /// Returns the cell of a row, if it is known.
    pub(super) fn number(&self, row: &SleepRow, shared_fields: &SharedFields) -> Option<u32> {
        let (method, set, requested) = self.key(row, shared_fields);
        let fixed = self.numbers.get(&(Rc::clone(&method), set, requested));
        fixed.or_else(|| self.numbers.get(&(method, set, None))).copied()
    }
}

pub(super) fn family(row: &SleepRow, shared_fields: &SharedFields) -> Family {
    (Rc::clone(&row.method), shared_fields.set(row.field_set).requested)
}

/// Returns the pattern of a family whose rows nearly all have different requests; `None` if requests repeat.
fn varying(members: &[&SleepRow]) -> Option<Pattern> {
    let mut requests: Vec<i64> = members.iter().map(|row| row.requested).collect();
    requests.sort_unstable();
    let (from, to) = (*requests.first()?, *requests.last()?);
    let mut off: Vec<i64> = members.iter().filter_map(|row| row.off_second()).collect();
    off.sort_unstable();
    // Nine of ten rows are due within 2 ms of a whole second: by chance, each row is with probability 0.4 %.
    if members.len() >= 4 && off.get(off.len() * 9 / 10).is_some_and(|&ns| ns < 2_000_000) && to > 400_000_000 {
        requests.dedup();
        if requests.len() > 1 {
            return Some(Pattern::Aligned { to: Nanos::SECOND });
        }
    }
    requests.dedup();
    (members.len() >= 4 && requests.len() * 2 > members.len())
        .then_some(Pattern::Random { from: Nanos::new(from), to: Nanos::new(to) })
}
